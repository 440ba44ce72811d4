// Four experiments with a LookupModel: each is a list of settings, to be trained with several seeds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/experiments/lookup_training.h"

namespace plainformer {

struct LookupSetting {
  std::string series;  // "additive"
  Index x;             // the number that the experiment varies: d_k, heads, values to copy, pairs
  LookupModelOptions model;
  LookupTask task;
};

// Section 3.2.1: each score at each d_k. Recall of one pair out of 16, with 64 keys and 16 values.
std::vector<LookupSetting> score_settings(const std::vector<Index>& widths);

// Section 3.2.2: d_model = 64 divided among each number of heads, at equal cost. Recall of two pairs out of 16
// at once.
std::vector<LookupSetting> head_settings(const std::vector<Index>& head_counts);

// Copying of each number of values, by softmax and by linear attention, d_k = 64.
std::vector<LookupSetting> copy_settings(const std::vector<Index>& lengths);

// Recall of one pair out of each number of them, at most 64: softmax attention with d_k = 8, linear attention
// with 8, 16, 32 and 64.
std::vector<LookupSetting> recall_settings(const std::vector<Index>& pairs);

// The results of several seeds.
struct Spread {
  double mean, lowest, highest;
};
Spread spread_of(const std::vector<double>& results);  // at least one

// The spread of one number of each result: `number` is a member, or a function of a result.
template <typename Result, typename Number>
Spread spread_of(const std::vector<Result>& results, const Number& number) {
  std::vector<double> numbers;
  for (const Result& result : results) numbers.push_back(std::invoke(number, result));
  return spread_of(numbers);
}

}  // namespace plainformer
