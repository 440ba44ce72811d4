// Every operation that has two ways.
#pragma once

#include "ops/adam.h"
#include "ops/add_rows.h"
#include "ops/cross_entropy.h"
#include "ops/dropout.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/linear_attention.h"
#include "ops/log_sum_exp.h"
#include "ops/neighbor_attention.h"
#include "ops/r_drop.h"
#include "ops/relu.h"
#include "ops/scaled_dot_product_attention.h"
#include "ops/sum_of_squares.h"
#include "ops/top_k.h"
