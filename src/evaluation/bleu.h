// Paper: 6.1 Machine Translation, Table 2 (its measure).
//
// Corpus BLEU (Papineni et al., 2002), with one reference for each hypothesis:
//
//   BLEU = BP * exp(1/4 * sum over n = 1..4 of log p_n)
//   p_n  = n-grams of the hypotheses found in their references, clipped / n-grams of the hypotheses
//          (both summed over the corpus)
//   BP   = exp(1 - reference_length / system_length) if the system is shorter, else 1
//
// An n-gram is clipped to the number of times that its reference has it. By default, the score equals
// sacreBLEU's default to the last printed digit.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace plainformer {

// How a segment is split into the tokens whose n-grams are counted. Two scores can be compared only if both
// texts were split in the same way. The first three are sacreBLEU's (2.6.0). Malformed UTF-8, which sacreBLEU
// refuses, passes byte by byte.
enum class BleuTokenization {
  // The rules of NIST's mteval-v13a as sacreBLEU applies them: entities are undone, and ASCII punctuation is
  // split off, but full stop and comma not between digits, the hyphen only after a digit, the apostrophe
  // never. White space is as Unicode defines it.
  k13a,
  kNone,     // splits at the white space of Unicode
  kChar,     // each character (code point) but white space is a token
  kAtSpaces  // tokenized already: splits at ASCII white space, as Moses' multi-bleu.perl does
};

std::vector<std::string> tokenize(BleuTokenization tokenization, std::string_view segment);

// Its name in a signature: "13a", "none", "char" or "spaces".
std::string name_of(BleuTokenization tokenization);

enum class BleuSmoothing {
  kExponential,  // the k-th order without a match counts as if 1 / 2^k of an n-gram matched
  kNone          // an order without a match makes the score 0
};

struct BleuOptions {
  BleuTokenization tokenization = BleuTokenization::k13a;
  BleuSmoothing smoothing = BleuSmoothing::kExponential;
};

// The count of Moses' multi-bleu.perl, for text that is tokenized already.
inline constexpr BleuOptions kMultiBleu = {BleuTokenization::kAtSpaces, BleuSmoothing::kNone};

inline constexpr int kBleuOrders = 4;

// Everything that a score depends on. The counts of a corpus are the sums over its segments (segments.h).
struct BleuCounts {
  std::array<Index, kBleuOrders> matches = {};  // clipped; [n - 1] is for n-grams
  std::array<Index, kBleuOrders> totals = {};   // n-grams of the hypotheses
  Index system_length = 0;                      // tokens
  Index reference_length = 0;

  BleuCounts& operator+=(const BleuCounts& other);
  bool operator==(const BleuCounts&) const = default;
};

struct BleuScore {
  double score = 0;                                 // 0 to 100
  std::array<double, kBleuOrders> precisions = {};  // 0 to 100, smoothed; all 0 if nothing matches
  double brevity_penalty = 0;
  BleuCounts counts;
};

// The counts of one hypothesis against its reference.
BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference, BleuTokenization tokens);

BleuScore bleu_score(const BleuCounts& counts, BleuSmoothing smoothing);

// The score of a whole text. Line i of one side belongs to line i of the other.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options = {});

// "BLEU = 27.31 58.1/33.2/21.0/13.9 (BP = 0.983 ratio = 0.983 hyp_len = 61219 ref_len = 62277)", in every
// locale.
std::string to_string(const BleuScore& score);

// The settings to print beside a score, so that others can reproduce it, written as sacreBLEU does:
// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|by:plainformer|version:0.1.0".
std::string bleu_signature(const BleuOptions& options, std::string_view version);

}  // namespace plainformer
