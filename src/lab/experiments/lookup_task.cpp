#include "lab/experiments/lookup_task.h"

#include <numeric>
#include <utility>

#include "core/check.h"
#include "ops/cross_entropy.h"

namespace plainformer {

LookupBatch RecallTask::draw(Index batch, Random& random) const {
  CHECK(pairs >= 1 && pairs <= keys && questions >= 1 && questions <= pairs, pairs, " pairs and ", questions,
        " questions of ", keys, " keys");
  LookupBatch drawn = {.batch = batch,
                       .query_len = 1,
                       .key_len = pairs,
                       .query_parts = questions,
                       .key_parts = 2,
                       .causal = false,
                       .query_symbols = {},
                       .key_symbols = {},
                       .targets = {}};
  std::vector<int> order(static_cast<std::size_t>(keys)), value_of(static_cast<std::size_t>(pairs));
  std::iota(order.begin(), order.end(), 0);
  for (Index example = 0; example < batch; ++example) {
    // The first keys of a shuffled list, each with a value.
    for (Index j = 0; j < pairs; ++j) {
      std::swap(order[j], order[j + random.below(keys - j)]);
      value_of[j] = static_cast<int>(random.below(values));
      drawn.key_symbols.push_back(order[j]);
      drawn.key_symbols.push_back(static_cast<int>(keys) + value_of[j]);
    }
    // Ask for different ones: the first pairs of another shuffled list.
    for (Index q = 0; q < questions; ++q) {
      const Index j = q + random.below(pairs - q);
      std::swap(order[q], order[j]);
      std::swap(value_of[q], value_of[j]);
      drawn.query_symbols.push_back(static_cast<int>(keys + values + q * keys) + order[q]);
      drawn.targets.push_back(value_of[q]);
    }
  }
  return drawn;
}

LookupBatch CopyTask::draw(Index batch, Random& random) const {
  CHECK(length >= 1 && values >= 1, length, " values of ", values);
  LookupBatch drawn = {.batch = batch,
                       .query_len = 2 * length,
                       .key_len = 2 * length,
                       .query_parts = 2,
                       .key_parts = 2,
                       .causal = true,
                       .query_symbols = {},
                       .key_symbols = {},
                       .targets = {}};
  const int sign = static_cast<int>(values);
  std::vector<int> text(static_cast<std::size_t>(length));
  for (Index example = 0; example < batch; ++example) {
    for (int& value : text) value = static_cast<int>(random.below(values));
    for (Index i = 0; i < 2 * length; ++i) {
      drawn.key_symbols.push_back(i < length ? text[i] : i == length ? sign : text[i - length - 1]);
      drawn.key_symbols.push_back(sign + 1 + static_cast<int>(i));
      drawn.targets.push_back(i < length ? kNoTarget : text[i - length]);
    }
  }
  drawn.query_symbols = drawn.key_symbols;
  return drawn;
}

}  // namespace plainformer
