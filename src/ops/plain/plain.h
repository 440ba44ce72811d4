// The plain way of every operation, written to be read: loops over elements, each backward below its forward.
// No threads, no packing, no tiles, no instruction sets. The headers in ops/ describe the operations. The
// types come from there too, so both ways have the same signatures.
#pragma once

#include "ops/operations.h"

namespace plainformer::plain {

decltype(plainformer::adam_update) adam_update;
decltype(plainformer::add_rows_forward) add_rows_forward;
decltype(plainformer::add_rows_backward) add_rows_backward;
decltype(plainformer::attention_forward) attention_forward;
decltype(plainformer::attention_backward) attention_backward;
decltype(plainformer::attention_forward) regularized_attention_forward;  // if the cache asks for it
decltype(plainformer::attention_backward) regularized_attention_backward;
decltype(plainformer::projected_cross_entropy_forward) projected_cross_entropy_forward;
decltype(plainformer::projected_cross_entropy_forward_backward) projected_cross_entropy_forward_backward;
decltype(plainformer::dropout_forward) dropout_forward;
decltype(plainformer::dropout_backward) dropout_backward;
decltype(plainformer::add) add;
decltype(plainformer::scale) scale;
decltype(plainformer::embedding_lookup_forward) embedding_lookup_forward;
decltype(plainformer::embedding_lookup_backward) embedding_lookup_backward;
decltype(plainformer::layer_norm_forward) layer_norm_forward;
decltype(plainformer::layer_norm_backward) layer_norm_backward;
decltype(plainformer::linear_attention_forward) linear_attention_forward;
decltype(plainformer::linear_attention_backward) linear_attention_backward;
decltype(plainformer::linear_forward) linear_forward;
decltype(plainformer::linear_backward) linear_backward;
decltype(plainformer::linear_bias_forward) linear_bias_forward;
decltype(plainformer::linear_bias_backward) linear_bias_backward;
decltype(plainformer::linear_transposed_forward) linear_transposed_forward;
decltype(plainformer::linear_transposed_backward) linear_transposed_backward;
decltype(plainformer::log_sum_exp) log_sum_exp;
decltype(plainformer::neighbor_attention_forward) neighbor_attention_forward;
decltype(plainformer::neighbor_attention_backward) neighbor_attention_backward;
decltype(plainformer::r_drop_forward_backward) r_drop_forward_backward;
decltype(plainformer::relu_forward) relu_forward;
decltype(plainformer::relu_backward) relu_backward;
decltype(plainformer::sum_of_squares) sum_of_squares;
decltype(plainformer::top_k) top_k;

}  // namespace plainformer::plain
