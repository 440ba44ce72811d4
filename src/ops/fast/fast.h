// The fast way of every operation that has one: threaded, on kernels/, and fused or tiled where that pays.
// Each has the signature of its caller in ops/. Attention has a header of its own.
#pragma once

#include "ops/adam.h"
#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/reductions.h"

namespace plainformer::fast {

decltype(plainformer::adam_update) adam_update;
decltype(plainformer::projected_cross_entropy_forward) projected_cross_entropy_forward;
decltype(plainformer::projected_cross_entropy_forward_backward) projected_cross_entropy_forward_backward;
decltype(plainformer::dropout_forward) dropout_forward;
decltype(plainformer::dropout_backward) dropout_backward;
decltype(plainformer::add) add;
decltype(plainformer::layer_norm_forward) layer_norm_forward;
decltype(plainformer::layer_norm_backward) layer_norm_backward;
decltype(plainformer::linear_forward) linear_forward;
decltype(plainformer::linear_backward) linear_backward;
decltype(plainformer::linear_bias_forward) linear_bias_forward;
decltype(plainformer::linear_bias_backward) linear_bias_backward;
decltype(plainformer::linear_transposed_forward) linear_transposed_forward;
decltype(plainformer::linear_transposed_backward) linear_transposed_backward;
decltype(plainformer::log_sum_exp) log_sum_exp;
decltype(plainformer::relu_forward) relu_forward;
decltype(plainformer::relu_backward) relu_backward;
decltype(plainformer::sum_of_squares) sum_of_squares;
decltype(plainformer::top_k) top_k;
decltype(plainformer::top_k_and_log_sum_exp) top_k_and_log_sum_exp;

}  // namespace plainformer::fast
