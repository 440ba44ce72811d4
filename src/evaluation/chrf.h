// chrF (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"): the F-score of the
// n-grams of characters, white space left out. It needs no tokens, so it compares languages that write
// without spaces, and it gives credit for a word whose ending alone is wrong.
//
//   P, R   = the means, over the orders n that both texts have, of
//            matched n-grams / n-grams of the hypotheses and matched n-grams / n-grams of the references
//            (all summed over the corpus)
//   chrF2  = (1 + 2^2) * P * R / (2^2 * P + R)                      R has four times the weight of P
//
// The orders are 1 to 6. The scores equal those of sacrebleu 2.6.0 to the last printed digit.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/real.h"

namespace plainformer {

inline constexpr std::size_t kChrfOrders = 6;

// The n-grams of one order. If one side has none, the order does not count.
struct ChrfOrderCounts {
  Index hypothesis = 0, reference = 0, matches = 0;

  bool operator==(const ChrfOrderCounts&) const = default;
};

// Everything that a score depends on. The counts of a corpus are the sums over its segments.
struct ChrfCounts {
  std::array<ChrfOrderCounts, kChrfOrders> orders = {};

  ChrfCounts& operator+=(const ChrfCounts& other);
  bool operator==(const ChrfCounts&) const = default;
};

// The counts of one hypothesis against its reference.
ChrfCounts chrf_counts(std::string_view hypothesis, std::string_view reference);

double chrf_score(const ChrfCounts& counts);  // 0 to 100

// "chrF2 = 58.31", in every locale.
std::string chrf_text(double score);

// The settings to print beside a score, written as sacreBLEU does:
// "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|by:plainformer|version:0.1.0".
std::string chrf_signature(std::string_view version);

}  // namespace plainformer
