// Beyond the paper: word dropout (Sennrich, Haddow, Birch 2016, "Edinburgh Neural Machine Translation Systems for
// WMT 16"). Training hides words from the model, so it must use the words around them, too.
#pragma once

#include "core/random.h"
#include "transformer/translation_batch.h"

namespace plainformer {

// Puts <unk> instead of each token that the encoder and the decoder read, with this probability. The tokens to
// predict stay, as do <s>, </s> and padding.
void hide_words(TranslationBatch& batch, double probability, RandomStream stream);

}  // namespace plainformer
