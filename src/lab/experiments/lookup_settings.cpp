#include "lab/experiments/lookup_settings.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace plainformer {

namespace {

constexpr Index kKeys = 64, kValues = 16, kPairs = 16, kDModel = 64;

LookupSetting recall_setting(const std::string& series, Index x, const RecallTask& task,
                             LookupModelOptions model) {
  model.symbols = task.symbols();
  model.classes = task.values;
  model.answers = task.questions;
  return {series, x, model, [task](Index batch, Random& random) { return task.draw(batch, random); }};
}

}  // namespace

std::vector<LookupSetting> score_settings(const std::vector<Index>& widths) {
  const RecallTask task = {.pairs = kPairs, .keys = kKeys, .values = kValues};
  std::vector<LookupSetting> settings;
  for (const Index d_k : widths)
    for (const Score score : {Score::kScaledDotProduct, Score::kDotProduct, Score::kDividedByDk,
                              Score::kAdditive, Score::kCosine})
      settings.push_back(
          recall_setting(name_of(score), d_k, task, {.score = score, .d_model = kDModel, .d_k = d_k}));
  return settings;
}

std::vector<LookupSetting> head_settings(const std::vector<Index>& head_counts) {
  const RecallTask task = {.pairs = kPairs, .keys = kKeys, .values = kValues, .questions = 2};
  std::vector<LookupSetting> settings;
  for (const Index heads : head_counts) {
    CHECK(heads > 0 && kDModel % heads == 0, heads, " heads do not divide ", kDModel);
    settings.push_back(recall_setting("scaled dot product", heads, task,
                                      {.d_model = kDModel, .heads = heads, .d_k = kDModel / heads}));
  }
  return settings;
}

std::vector<LookupSetting> copy_settings(const std::vector<Index>& lengths) {
  std::vector<LookupSetting> settings;
  for (const Index length : lengths)
    for (const Score score : {Score::kScaledDotProduct, Score::kLinear}) {
      const CopyTask task = {.length = length, .values = kValues};
      settings.push_back(
          {score == Score::kLinear ? "linear" : "softmax",
           length,
           {.score = score, .symbols = task.symbols(), .d_model = kDModel, .d_k = 64, .classes = kValues},
           [task](Index batch, Random& random) { return task.draw(batch, random); }});
    }
  return settings;
}

std::vector<LookupSetting> recall_settings(const std::vector<Index>& pairs) {
  std::vector<LookupSetting> settings;
  for (const Index count : pairs) {
    const RecallTask task = {.pairs = count, .keys = kKeys, .values = kValues};
    settings.push_back(recall_setting("softmax, d_k = 8", count, task, {.d_model = kDModel, .d_k = 8}));
    for (const Index d_k : {8, 16, 32, 64})
      settings.push_back(recall_setting("linear, d_k = " + std::to_string(d_k), count, task,
                                        {.score = Score::kLinear, .d_model = kDModel, .d_k = d_k}));
  }
  return settings;
}

Spread spread_of(const std::vector<double>& results) {
  CHECK(!results.empty(), "no results");
  return {std::accumulate(results.begin(), results.end(), 0.0) / static_cast<double>(results.size()),
          *std::min_element(results.begin(), results.end()),
          *std::max_element(results.begin(), results.end())};
}

}  // namespace plainformer
