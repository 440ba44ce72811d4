// The fast way's block sizes, from which show/cost predicts work and memory.
#pragma once

#include "core/real.h"

namespace plainformer {

// The number of queries that equation (1) multiplies together, by all keys up to the last that one of them sees. It
// depends on the kernels in use.
Index queries_of_attention_tile();

// The number of rows of logits that exist at a time in the loss.
Index rows_of_logits_block(Index classes);

}  // namespace plainformer
