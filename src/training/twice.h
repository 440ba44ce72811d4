// Two passes over a batch, as one pass over a batch of twice the size: what R-Drop compares (beyond/r_drop.h).
#pragma once

#include "transformer/translation_batch.h"

namespace plainformer {

// The batch, and the same sentences once more.
TranslationBatch twice(const TranslationBatch& batch);

}  // namespace plainformer
