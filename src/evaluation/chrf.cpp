#include "evaluation/chrf.h"

#include "core/number_text.h"
#include "evaluation/bleu.h"
#include "evaluation/segments.h"

namespace plainformer {

namespace {

using Characters = std::vector<std::string>;

// An n-gram that the reference cannot have, because it is too short, is not held against the hypothesis.
ChrfOrderCounts counts_of_order(const Characters& hypothesis, const Characters& reference, std::size_t n) {
  const std::vector<Ngram> a = sorted_ngrams(hypothesis, n), b = sorted_ngrams(reference, n);
  return {b.empty() ? 0 : std::ssize(a), std::ssize(b), clipped_matches(a, b)};
}

}  // namespace

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& other) {
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i].hypothesis += other.orders[i].hypothesis;
    orders[i].reference += other.orders[i].reference;
    orders[i].matches += other.orders[i].matches;
  }
  return *this;
}

ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference) {
  const Characters text = tokenize(BleuTokenization::kChar, hypothesis),
                   other = tokenize(BleuTokenization::kChar, reference);
  ChrfCounts counts;
  for (std::size_t n = 1; n <= kChrfOrders; ++n) counts.orders[n - 1] = counts_of_order(text, other, n);
  return counts;
}

double chrf_score(const ChrfCounts& counts) {
  constexpr double kRecallWeight = 2 * 2;  // beta^2
  double precision = 0, recall = 0;
  int orders = 0;
  for (const ChrfOrderCounts& order : counts.orders) {
    if (order.hypothesis == 0 || order.reference == 0) continue;
    precision += static_cast<double>(order.matches) / static_cast<double>(order.hypothesis);
    recall += static_cast<double>(order.matches) / static_cast<double>(order.reference);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kRecallWeight) * precision * recall / (kRecallWeight * precision + recall));
}

std::string chrf_text(double score) {
  return "chrF2 = " + fixed_text(score, 2);
}

std::string chrf_signature(std::string_view version) {
  return "nrefs:1|case:mixed|eff:yes|nc:" + std::to_string(kChrfOrders) +
         "|nw:0|space:no|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
