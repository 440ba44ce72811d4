#include "transformer/translation_batch.h"

#include <numeric>

#include "core/check.h"
#include "core/special_symbols.h"

namespace plainformer {

namespace {

std::vector<std::vector<int>> with_start(std::vector<std::vector<int>> sentences) {
  for (auto& sentence : sentences) sentence.insert(sentence.begin(), kStartId);
  return sentences;
}

Index total(const std::vector<Index>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), Index{0});
}

}  // namespace

std::vector<std::vector<int>> with_end(std::vector<std::vector<int>> sentences) {
  for (auto& sentence : sentences) sentence.push_back(kEndId);
  return sentences;
}

TranslationBatch TranslationBatch::from(const std::vector<std::vector<int>>& sources,
                                        const std::vector<std::vector<int>>& targets) {
  CHECK(sources.size() == targets.size(), sources.size(), " sources, ", targets.size(), " targets");
  return {.source = TokenBatch::from(with_end(sources)),
          .target_input = TokenBatch::from(with_start(targets)),
          .target_output = TokenBatch::from(with_end(targets))};
}

Index TranslationBatch::source_tokens() const {
  return total(source.lengths);
}
Index TranslationBatch::target_tokens() const {
  return total(target_output.lengths);
}

}  // namespace plainformer
