#include "evaluation/lowercase.h"

#include <vector>

#include "core/utf8.h"
#include "core/unicode.h"

namespace plainformer {

namespace {

constexpr char32_t kDottedCapitalI = 0x130;  // becomes two code points: i and a dot above
constexpr char32_t kCapitalSigma = 0x3A3;    // has a different small letter at the end of a word
constexpr char32_t kFinalSigma = 0x3C2;

// A capital sigma is final when a letter precedes it and none follows.
bool is_final_sigma(const std::vector<CodePoint>& text, std::size_t position) {
  std::size_t before = position;
  while (before > 0 && unicode::is_case_ignorable(text[before - 1].value)) --before;
  if (before == 0 || !unicode::is_cased(text[before - 1].value)) return false;
  std::size_t after = position + 1;
  while (after < text.size() && unicode::is_case_ignorable(text[after].value)) ++after;
  return after == text.size() || !unicode::is_cased(text[after].value);
}

}  // namespace

std::string to_lowercase(std::string_view text) {
  std::vector<CodePoint> points;
  for (std::size_t at = 0; at < text.size(); at += points.back().bytes)
    points.push_back(decode_utf8(text, at));

  std::string lower;
  lower.reserve(text.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CodePoint point = points[i];
    if (point.is_malformed()) {
      lower += text[at];
    } else if (point.value == kDottedCapitalI) {
      lower += "i\u0307";
    } else if (point.value == kCapitalSigma && is_final_sigma(points, i)) {
      append_utf8(lower, kFinalSigma);
    } else {
      append_utf8(lower, unicode::small_letter_of(point.value));
    }
    at += point.bytes;
  }
  return lower;
}

}  // namespace plainformer
