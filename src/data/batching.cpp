#include "data/batching.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "core/check.h"
#include "core/random.h"

namespace plainformer {

namespace {

// The length with </s> or <s>.
Index padded_length(const std::vector<int>& sentence) {
  return std::ssize(sentence) + 1;
}

}  // namespace

std::vector<std::vector<Index>> make_batches(const std::vector<SentencePair>& pairs, Index max_tokens,
                                             std::uint64_t seed, std::uint64_t epoch) {
  CHECK(max_tokens >= 1, "max_tokens ", max_tokens);
  Random random(random_stream(seed, epoch, random_site::kShuffle));

  // Step 1. Sort by length. A shuffle before the stable sort leaves pairs of equal length in random order.
  std::vector<Index> order(pairs.size());
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order, random);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(pairs[a].target.size(), pairs[a].source.size()) <
           std::pair(pairs[b].target.size(), pairs[b].source.size());
  });

  // Step 2. Cut: a batch is full when one more pair would overfill one of its two padded matrices.
  std::vector<std::vector<Index>> batches;
  Index source_len = 0, target_len = 0;
  for (Index pair : order) {
    const Index longer_source = std::max(source_len, padded_length(pairs[pair].source));
    const Index longer_target = std::max(target_len, padded_length(pairs[pair].target));
    const bool fits = !batches.empty() &&
                      (std::ssize(batches.back()) + 1) * std::max(longer_source, longer_target) <= max_tokens;
    if (!fits) batches.emplace_back();
    batches.back().push_back(pair);
    source_len = fits ? longer_source : padded_length(pairs[pair].source);
    target_len = fits ? longer_target : padded_length(pairs[pair].target);
  }

  // Step 3. Shuffle the batches, so that training does not go from short to long.
  shuffle(batches, random);
  return batches;
}

TranslationBatch batch_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers) {
  std::vector<std::vector<int>> sources, targets;
  for (const Index number : numbers) {
    sources.push_back(pairs[number].source);
    targets.push_back(pairs[number].target);
  }
  return TranslationBatch::from(sources, targets);
}

BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed) {
  const auto batches = std::make_shared<std::vector<std::vector<Index>>>();  // of this epoch
  return {.begin_epoch =
              [=, &pairs](Index epoch) {
                *batches = make_batches(pairs, max_tokens, seed, static_cast<std::uint64_t>(epoch));
                return std::ssize(*batches);
              },
          .batch = [=, &pairs](Index index) { return batch_of(pairs, (*batches)[index]); }};
}

}  // namespace plainformer
