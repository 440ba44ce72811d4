#include "evaluation/chrf.h"

#include <algorithm>

#include "core/check.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "data/unicode.h"
#include "evaluation/segments.h"

namespace plainformer {

namespace {

// The code points of the characters but white space.
Symbols symbols_of(std::string_view segment, bool lowercase) {
  Symbols symbols;
  for (const std::string& word :
       split_at_white_space(lowercase ? to_lowercase(segment) : std::string(segment)))
    for (const Character& c : characters_in(word)) symbols.push_back(c.value);
  return symbols;
}

// An n-gram that the reference cannot have, because it is too short, is not held against the hypothesis.
ChrfOrderCounts counts_of_order(const Symbols& hypothesis, const Symbols& reference, std::size_t n) {
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

ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string>& references,
                       bool lowercase) {
  CHECK(!references.empty(), "no reference");
  const Symbols text = symbols_of(hypothesis, lowercase);
  ChrfCounts best;
  double best_score = -1;
  for (const std::string& reference : references) {
    const Symbols other = symbols_of(reference, lowercase);
    ChrfCounts counts;
    for (std::size_t n = 1; n <= kChrfOrders; ++n) counts.orders[n - 1] = counts_of_order(text, other, n);
    const double score = chrf_score(counts);
    if (score > best_score) best = counts;
    best_score = std::max(best_score, score);
  }
  return best;
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

std::string chrf_signature(bool lowercase, std::string_view version, Index references) {
  return "nrefs:" + std::to_string(references) + (lowercase ? "|case:lc" : "|case:mixed") +
         "|eff:yes|nc:" + std::to_string(kChrfOrders) +
         "|nw:0|space:no|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
