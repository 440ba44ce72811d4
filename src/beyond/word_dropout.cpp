#include "beyond/word_dropout.h"

#include "core/special_symbols.h"

namespace plainformer {

void hide_words(TranslationBatch& batch, double probability, RandomStream stream) {
  Random random(stream);
  for (TokenBatch* tokens : {&batch.source, &batch.target_input}) {
    for (int& id : tokens->ids) {
      if (id >= kSpecialSymbols && random.uniform() < probability) id = kUnknownId;
    }
  }
}

}  // namespace plainformer
