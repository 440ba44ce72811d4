// Section 6.1: the n-grams of the small example of BLEU, and which of them the reference has.
#include <map>
#include <string>
#include <vector>

#include "core/check.h"
#include "evaluation/bleu.h"
#include "lab/pictures/picture.h"
#include "lab/pictures/svg.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace bleu_ngrams_picture {

constexpr const char* kReference = "the cat sat on the mat";
constexpr const char* kTranslation = "the the the cat sat";
constexpr double kWidth = 480, kLeft = 16, kBoxes = 88, kTop = 112, kRow = 40, kBox = 24;
constexpr double kCharacter = 6.3, kMargin = 12, kGap = 8;
constexpr int kFound = 2;

using Ngram = std::vector<std::string>;

std::vector<Ngram> ngrams_of(const std::vector<std::string>& tokens, std::size_t n) {
  std::vector<Ngram> ngrams;
  for (std::size_t i = 0; i + n <= tokens.size(); ++i)
    ngrams.emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                        tokens.begin() + static_cast<std::ptrdiff_t>(i + n));
  return ngrams;
}

std::string joined(const Ngram& ngram) {
  std::string text;
  for (const std::string& token : ngram) text += (text.empty() ? "" : " ") + token;
  return text;
}

// A row of boxes, filled where the n-gram counts: as often as the reference has it, from the left.
std::string draw_order(std::size_t n, const BleuCounts& counts, double y) {
  std::map<Ngram, Index> left;
  for (const Ngram& ngram : ngrams_of(tokenize_13a(kReference), n)) ++left[ngram];
  std::string svg = svg::text("ink name", {kLeft, y + 16}, "start", std::to_string(n) + "-grams");
  double x = kBoxes;
  Index found = 0;
  for (const Ngram& ngram : ngrams_of(tokenize_13a(kTranslation), n)) {
    const std::string text = joined(ngram);
    const double width = kCharacter * display_width(text) + kMargin;
    const bool counts_once = left[ngram]-- > 0;
    found += counts_once;
    svg += svg::rectangle(counts_once ? "box" + color_class(kFound) : "frame c6", {x, y}, {width, kBox});
    svg += svg::text(counts_once ? "ink" : "soft", {x + width / 2, y + 16}, "middle", text);
    x += width + kGap;
  }
  CHECK(found == counts.matches[n - 1], found, " and not ", counts.matches[n - 1]);
  return svg + svg::text("ink", {kWidth - 16, y + 16}, "end",
                         std::to_string(found) + " of " + std::to_string(counts.totals[n - 1]));
}

}  // namespace bleu_ngrams_picture

std::string draw_bleu_ngrams() {
  using namespace bleu_ngrams_picture;
  const BleuCounts counts = bleu_counts(kTranslation, {kReference}, {});
  const BleuScore score = bleu_score(counts, BleuSmoothing::kExponential);
  std::string svg = svg::text("soft", {kLeft, 56}, "start", "reference") +
                    svg::text("ink", {kBoxes, 56}, "start", kReference) +
                    svg::text("ink", {kWidth - 16, 56}, "end", count_of(counts.reference_length, "word")) +
                    svg::text("soft", {kLeft, 80}, "start", "translation") +
                    svg::text("ink", {kBoxes, 80}, "start", kTranslation) +
                    svg::text("ink", {kWidth - 16, 80}, "end", count_of(counts.system_length, "word"));
  double y = kTop;
  for (std::size_t n = 1; n <= kBleuOrders; ++n, y += kRow) svg += draw_order(n, counts, y);
  svg += svg::text("soft small", {kLeft, y + 8}, "start",
                   "Too short: brevity penalty " + format_fixed(score.brevity_penalty, 3) + ". BLEU " +
                       format_fixed(score.score, 2) + ", where 0 of 2 counts as half of one.");
  return framed(
      {.title = "The n-grams that BLEU counts",
       .description = "The n-grams of a translation of five words, a row for each order, filled where the "
                      "reference has them. The reference has the twice, so two of three count. Of longer "
                      "n-grams fewer are found, and of those of four words none.",
       .width = kWidth,
       .height = y + 24},
      svg);
}

}  // namespace plainformer
