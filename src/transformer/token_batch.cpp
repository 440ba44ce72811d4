#include "transformer/token_batch.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"
#include "ops/cross_entropy.h"

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

TokenBatch TokenBatch::from(const std::vector<std::vector<int>>& sentences) {
  TokenBatch tokens;
  tokens.batch = static_cast<Index>(sentences.size());
  for (const auto& sentence : sentences) {
    tokens.lengths.push_back(static_cast<Index>(sentence.size()));
    tokens.len = std::max(tokens.len, tokens.lengths.back());
  }
  tokens.ids.assign(tokens.batch * tokens.len, kPadId);
  for (Index element = 0; element < tokens.batch; ++element) {
    std::copy(sentences[element].begin(), sentences[element].end(),
              tokens.ids.begin() + element * tokens.len);
  }
  return tokens;
}

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

std::vector<int> TranslationBatch::targets() const {
  std::vector<int> targets = target_output.ids;
  for (Index element = 0; element < target_output.batch; ++element) {
    for (Index i = target_output.lengths[element]; i < target_output.len; ++i) {
      targets[element * target_output.len + i] = kNoTarget;
    }
  }
  return targets;
}

Index TranslationBatch::source_tokens() const {
  return total(source.lengths);
}
Index TranslationBatch::target_tokens() const {
  return total(target_output.lengths);
}

}  // namespace plainformer
