#include "decoding/next_tokens.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"
#include "core/special_symbols.h"
#include "ops/top_k.h"

namespace plainformer {

static_assert(kPadId < kEndId && kStartId < kEndId && kUnknownId == kEndId + 1,
              "all ids from <unk> on may be produced");

double log_probability_of(Real logit, Real log_sum_exp) {
  if (!std::isfinite(log_sum_exp)) {
    throw input_error("model", "its output is not a finite number",
                      "its weights are damaged; train it again");
  }
  return std::min(0.0, static_cast<double>(logit) - static_cast<double>(log_sum_exp));
}

NextTokens next_tokens(const Tensor& logits, Index candidates, int first) {
  const Index rows = logits.dim(0), vocab = logits.dim(2);
  CHECK_SHAPE(logits, rows, 1, vocab);
  const Index k = std::min(candidates, vocab - first);
  const auto [top, log_sums] = top_k_and_log_sum_exp(logits, first, k);

  NextTokens next = {.per_row = k, .best = {}, .end = {}};
  for (Index row = 0; row < rows; ++row) {
    const Real log_sum = log_sums.data()[row];
    next.end.push_back(log_probability_of(logits.data()[row * vocab + kEndId], log_sum));
    for (Index i = row * k; i < (row + 1) * k; ++i)
      next.best.push_back({top.columns[i], log_probability_of(top.values[i], log_sum)});
  }
  return next;
}

}  // namespace plainformer
