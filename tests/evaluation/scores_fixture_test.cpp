// Scores that sacreBLEU gave to 950 segments of ours in many scripts, and what Python makes of each
// character; fixtures/make_scores_fixture.py tells how they came about.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/number_text.h"
#include "core/strings.h"
#include "data/unicode.h"
#include "evaluation/bleu.h"
#include "evaluation/chrf.h"
#include "evaluation/fixture_file.h"
#include "evaluation/segments.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

constexpr BleuTokenization kSacrebleuTokenizations[] = {BleuTokenization::k13a, BleuTokenization::kNone,
                                                        BleuTokenization::kChar};

// A row of scores.tsv.
struct Row {
  std::string name;
  Index first, count;
  std::string measure;  // a tokenization of BLEU, or "chrF"
  double score;
  std::string printed, signature;
};

Row row_of(const std::string& line) {
  const Lines fields = split_at('\t', line);
  return {.name = fields.at(0),
          .first = parse_number<Index>(fields.at(1)).value(),
          .count = parse_number<Index>(fields.at(2)).value(),
          .measure = fields.at(3),
          .score = parse_number<double>(fields.at(4)).value(),
          .printed = fields.at(5),
          .signature = fields.size() > 6 ? fields[6] : ""};
}

// Our signatures end with another program and its version.
std::string settings_in(const std::string& signature) {
  return signature.substr(0, std::min(signature.find("|version:"), signature.find("|by:")));
}

Lines part_of(const Lines& lines, const Row& row) {
  return {lines.begin() + row.first, lines.begin() + row.first + row.count};
}

void expect_score(const Row& row, const Lines& hypotheses, const Lines& references) {
  double score = 0;
  std::string printed, signature;
  if (row.measure == "chrF") {
    score = chrf_score(sum_of(counts_of_lines(hypotheses, references, chrf_counts)));
    printed = chrf_text(score);
    signature = chrf_signature("");
  } else {
    BleuOptions options;
    for (const BleuTokenization each : kSacrebleuTokenizations)
      if (name_of(each) == row.measure) options.tokenization = each;
    const BleuScore bleu = corpus_bleu(hypotheses, references, options);
    score = bleu.score;
    printed = to_string(bleu);
    signature = bleu_signature(options, "");
  }
  EXPECT_EQ(printed, row.printed);
  EXPECT_NEAR(score, row.score, 1e-12);
  if (!row.signature.empty()) {
    EXPECT_EQ(settings_in(signature), settings_in(row.signature));
  }
}

TEST(ScoresFixture, EachCorpusHasSacrebleusScore) {
  const Lines hypotheses = read_fixture("scores_hypotheses.txt");
  const Lines references = read_fixture("scores_references.txt");
  const Lines lines = read_fixture("scores.tsv");
  ASSERT_EQ(hypotheses.size(), 950u);
  ASSERT_EQ(lines.size(), 20u * 4);  // 19 perturbations and all of them, under 4 settings
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    const Row row = row_of(line);
    expect_score(row, part_of(hypotheses, row), part_of(references, row));
  }
}

// Continues the hash of lines, FNV-1a.
void add_line(std::uint64_t& hash, const std::string& line) {
  for (const char c : line + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
}

// The character beside letters, numbers, spaces and stops.
std::string text_with(const std::string& c) {
  return c + "x" + c + "y 1" + c + "2 " + c + c + ".5 A" + c + "Σ" + c + " " + c + "Σx ." + c + "é" + c;
}

TEST(ScoresFixture, EachCharacterIsTokenizedAndLowercasedAsByPython) {
  const Lines rows = read_fixture("characters.tsv");
  ASSERT_EQ(rows.size(), 20u);
  for (const std::string& row : rows) {
    // The first character; the hash of lower case; a hash for each tokenization.
    const Lines fields = split_at('\t', row);
    const auto first = static_cast<char32_t>(parse_number<Index>(fields.at(0)).value());
    constexpr std::uint64_t kOfNothing = 0xCBF29CE484222325u;
    std::uint64_t lower = kOfNothing, tokens[] = {kOfNothing, kOfNothing, kOfNothing};
    for (char32_t value = first; value < first + 0x1000; ++value) {
      std::string c;
      append_utf8(c, value);
      add_line(lower, to_lowercase("A" + c + "É"));
      for (std::size_t i = 0; i < std::size(tokens); ++i)
        add_line(tokens[i], join(" ", tokenize(kSacrebleuTokenizations[i], text_with(c))));
    }
    EXPECT_EQ(lower, std::stoull(fields.at(1), nullptr, 16)) << "lower case after " << fields[0];
    for (std::size_t i = 0; i < std::size(tokens); ++i)
      EXPECT_EQ(tokens[i], std::stoull(fields.at(2 + i), nullptr, 16))
          << name_of(kSacrebleuTokenizations[i]) << " after " << fields[0];
  }
}

}  // namespace
}  // namespace plainformer
