// How the fast way cuts its work, for an account of what it multiplies and of what it keeps in memory.
#pragma once

#include "core/real.h"

namespace plainformer {

// Equation (1), in scaled_dot_product_attention.cpp: this many queries are multiplied together, by all keys
// up to the last that one of them sees. With the kernels in use.
Index queries_of_attention_tile();

// The loss, in cross_entropy.cpp: this many rows of logits exist at a time.
Index rows_of_logits_block(Index classes);

}  // namespace plainformer
