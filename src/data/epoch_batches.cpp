#include "data/epoch_batches.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace plainformer {

namespace {

using Batches = std::vector<std::vector<Index>>;  // the numbers of the pairs in each

// The batches of make_batches for the pairs with these numbers alone.
Batches batches_among(const std::vector<Index>& numbers, const std::vector<SentencePair>& pairs,
                      Index max_tokens, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<SentencePair> chosen;
  for (const Index number : numbers) chosen.push_back(pairs[number]);
  Batches batches = make_batches(chosen, max_tokens, seed, epoch);
  for (std::vector<Index>& batch : batches)
    for (Index& number : batch) number = numbers[number];
  return batches;
}

// The numbers of the pairs that no batch has taken, ascending.
std::vector<Index> numbers_left(const std::vector<SentencePair>& pairs, std::uint64_t seed,
                                const BegunEpoch& begun) {
  std::vector<Index> left(pairs.size());
  std::iota(left.begin(), left.end(), Index{0});
  for (const TakenBatches& taken : begun.taken) {
    const Batches batches =
        batches_among(left, pairs, taken.max_tokens, seed, static_cast<std::uint64_t>(begun.epoch));
    left.clear();
    for (Index i = taken.batches; i < std::ssize(batches); ++i)
      left.insert(left.end(), batches[i].begin(), batches[i].end());
    std::sort(left.begin(), left.end());
  }
  return left;
}

}  // namespace

BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed,
                       const BegunEpoch& begun) {
  const auto batches = std::make_shared<Batches>();  // of this epoch
  return {.begin_epoch =
              [=, &pairs](Index epoch) {
                const auto number = static_cast<std::uint64_t>(epoch);
                const bool is_begun = epoch == begun.epoch && !begun.taken.empty();
                *batches = is_begun ? batches_among(numbers_left(pairs, seed, begun), pairs, max_tokens, seed,
                                                    number)
                                    : make_batches(pairs, max_tokens, seed, number);
                return std::ssize(*batches);
              },
          .batch = [=, &pairs](Index index) { return batch_of(pairs, (*batches)[index]); }};
}

}  // namespace plainformer
