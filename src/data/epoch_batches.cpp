#include "data/epoch_batches.h"

#include <memory>

namespace plainformer {

BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed) {
  const auto batches =
      std::make_shared<std::vector<std::vector<Index>>>();  // of this epoch: numbers of pairs
  return {.begin_epoch =
              [=, &pairs](Index epoch) {
                *batches = make_batches(pairs, max_tokens, seed, static_cast<std::uint64_t>(epoch));
                return std::ssize(*batches);
              },
          .batch = [=, &pairs](Index index) { return batch_of(pairs, (*batches)[index]); }};
}

}  // namespace plainformer
