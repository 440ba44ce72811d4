// Scores that sacreBLEU gave to 1,000 segments of ours in many scripts, and what Python makes of each
// character; fixtures/make_scores_fixture.py tells how they came about.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/number_text.h"
#include "core/strings.h"
#include "data/unicode.h"
#include "evaluation/bleu.h"
#include "evaluation/chrf.h"
#include "evaluation/fixture_file.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

constexpr BleuTokenization kSacrebleuTokenizations[] = {BleuTokenization::k13a, BleuTokenization::kNone,
                                                        BleuTokenization::kChar};

// A row of scores.tsv.
struct Row {
  std::string name;
  Index first, count, references;
  bool lowercase;
  std::string measure;  // a tokenization of BLEU, or "chrF"
  double score;
  std::string printed, signature;
};

Row row_of(const std::string& line) {
  const Lines fields = split_at('\t', line);
  return {.name = fields.at(0),
          .first = to_index(fields.at(1)),
          .count = to_index(fields.at(2)),
          .references = to_index(fields.at(3)),
          .lowercase = fields.at(4) == "lc",
          .measure = fields.at(5),
          .score = parse_number<double>(fields.at(6)).value(),
          .printed = fields.at(7),
          .signature = fields.size() > 8 ? fields[8] : ""};
}

// Our signatures end with another program and its version.
std::string settings_in(const std::string& signature) {
  return signature.substr(0, std::min(signature.find("|version:"), signature.find("|by:")));
}

// A measure of the whole text, of which a row tells the score of a part.
class MeasuredText {
 public:
  MeasuredText(const Row& row, const Lines& hypotheses, const std::vector<Lines>& references)
      : references_(row.references), is_chrf_(row.measure == "chrF") {
    bleu_.lowercase = chrf_.lowercase = row.lowercase;
    if (is_chrf_) {
      chrf_segments_ = chrf_segments(hypotheses, references, chrf_);
    } else {
      const auto has_its_name = [&](BleuTokenization t) { return name_of(t) == row.measure; };
      bleu_.tokenization =
          *std::find_if(std::begin(kSacrebleuTokenizations), std::end(kSacrebleuTokenizations), has_its_name);
      bleu_segments_ = bleu_segments(hypotheses, references, bleu_);
    }
  }

  void expect_score_of(const Row& row) const {
    double score;
    std::string printed, signature;
    if (is_chrf_) {
      score = chrf_score(part_of(chrf_segments_, row));
      printed = chrf_text(score);
      signature = chrf_signature(chrf_, "", references_);
    } else {
      const BleuScore bleu = bleu_score(part_of(bleu_segments_, row), bleu_.smoothing);
      score = bleu.score;
      printed = to_string(bleu);
      signature = bleu_signature(bleu_, "", references_);
    }
    EXPECT_EQ(printed, row.printed);
    EXPECT_NEAR(score, row.score, 1e-12);
    if (!row.signature.empty()) {
      EXPECT_EQ(settings_in(signature), settings_in(row.signature));
    }
  }

 private:
  template <typename Counts>
  static std::vector<Counts> part_of(const std::vector<Counts>& segments, const Row& row) {
    return {segments.begin() + row.first, segments.begin() + row.first + row.count};
  }

  Index references_;
  bool is_chrf_;
  BleuOptions bleu_;
  ChrfOptions chrf_;
  std::vector<BleuCounts> bleu_segments_;
  std::vector<ChrfCounts> chrf_segments_;
};

TEST(ScoresFixture, EachCorpusHasSacrebleusScore) {
  const Lines hypotheses = read_fixture("scores_hypotheses.txt");
  const std::vector<Lines> references = {read_fixture("scores_reference_1.txt"),
                                         read_fixture("scores_reference_2.txt"),
                                         read_fixture("scores_reference_3.txt")};
  const Lines lines = read_fixture("scores.tsv");
  ASSERT_EQ(hypotheses.size(), 1000u);
  ASSERT_EQ(lines.size(), 21u * 16);  // 20 perturbations and all of them, under 16 settings
  std::map<std::tuple<Index, bool, std::string>, MeasuredText> texts;
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    const Row row = row_of(line);
    const auto setting = std::tuple(row.references, row.lowercase, row.measure);
    auto text = texts.find(setting);
    if (text == texts.end()) {
      const std::vector<Lines> used(references.begin(), references.begin() + row.references);
      text = texts.emplace(setting, MeasuredText(row, hypotheses, used)).first;
    }
    text->second.expect_score_of(row);
  }
}

// FNV-1a of the lines.
class Hash {
 public:
  void add(const std::string& line) {
    for (const char c : line) add(c);
    add('\n');
  }
  std::uint64_t value() const { return value_; }

 private:
  void add(char c) { value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u; }

  std::uint64_t value_ = 0xCBF29CE484222325u;
};

// The short text into which each character is put for the tokenizers: beside letters, numbers, spaces and
// stops.
std::string text_with(char32_t character) {
  std::string c;
  append_utf8(c, character);
  return c + "x" + c + "y 1" + c + "2 " + c + c + ".5 A" + c + "Σ" + c + " " + c + "Σx ." + c + "é" + c;
}

TEST(ScoresFixture, EachCharacterIsTokenizedAndLowercasedAsByPython) {
  const Lines rows = read_fixture("characters.tsv");
  ASSERT_EQ(rows.size(), 20u);
  for (const std::string& row : rows) {
    const Lines fields =
        split_at('\t', row);  // the first character; lower case; a field for each tokenization
    const auto first = static_cast<char32_t>(to_index(fields.at(0)));
    Hash lower, tokens[std::size(kSacrebleuTokenizations)];
    for (char32_t c = first; c < first + 0x1000; ++c) {
      const std::string text = text_with(c);
      std::string word;
      append_utf8(word, c);
      lower.add(to_lowercase("A" + word + "É"));
      for (std::size_t i = 0; i < std::size(tokens); ++i)
        tokens[i].add(join(" ", tokenize(kSacrebleuTokenizations[i], text)));
    }
    EXPECT_EQ(lower.value(), std::stoull(fields.at(1), nullptr, 16)) << "lower case after " << fields[0];
    for (std::size_t i = 0; i < std::size(tokens); ++i)
      EXPECT_EQ(tokens[i].value(), std::stoull(fields.at(2 + i), nullptr, 16))
          << name_of(kSacrebleuTokenizations[i]) << " after " << fields[0];
  }
}

}  // namespace
}  // namespace plainformer
