// Scores that sacreBLEU gave to 1,100 segments of ours; fixtures/make_bleu_fixture.py tells how they came
// about.
#include <gtest/gtest.h>

#include <map>

#include "core/number_text.h"
#include "evaluation/bleu.h"
#include "evaluation/fixture_file.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text, char separator) {
  Lines pieces(1);
  for (char c : text) {
    if (c == separator) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

double to_double(const std::string& text) {
  return parse_number<double>(text).value();
}

const std::map<std::string, BleuTokenization> kTokenizations = {
    {"13a", BleuTokenization::k13a},
    {"spaces", BleuTokenization::kAtSpaces},
    {"spaces+compounds", BleuTokenization::kCompounds}};

TEST(BleuFixture, EachSegmentHasSacrebleusCounts) {
  const Lines hypotheses = read_fixture("bleu_hypotheses.txt");
  const Lines references = read_fixture("bleu_references.txt");
  const Lines rows = read_fixture("bleu_counts.tsv");
  ASSERT_EQ(rows.size(), 1100u);
  ASSERT_EQ(hypotheses.size(), rows.size());
  ASSERT_EQ(references.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Lines fields = split(rows[i], '\t');  // hyp_len, ref_len, 4 matches, 4 totals
    ASSERT_EQ(fields.size(), 10u);
    BleuCounts expected;
    expected.system_length = to_index(fields[0]);
    expected.reference_length = to_index(fields[1]);
    for (std::size_t n = 0; n < 4; ++n) {
      expected.matches[n] = to_index(fields[2 + n]);
      expected.totals[n] = to_index(fields[6 + n]);
    }
    EXPECT_EQ(bleu_counts(hypotheses[i], {references[i]}, {}), expected) << "line " << i + 1;
  }
}

TEST(BleuFixture, EachCorpusHasSacrebleusScore) {
  const Lines hypotheses = read_fixture("bleu_hypotheses.txt");
  const Lines references = read_fixture("bleu_references.txt");
  const Lines rows = read_fixture("bleu_scores.tsv");
  ASSERT_EQ(rows.size(), 21u * 8);  // 20 perturbations and all of them, under eight settings
  for (const std::string& row : rows) {
    const Lines fields =
        split(row, '\t');  // name, first, count, tokenization, case, smoothing, score, printed
    ASSERT_EQ(fields.size(), 8u);
    const auto slice = [&](const Lines& lines) {
      const Index first = to_index(fields[1]);
      return Lines(lines.begin() + first, lines.begin() + first + to_index(fields[2]));
    };
    BleuOptions options;
    options.tokenization = kTokenizations.at(fields[3]);
    options.lowercase = fields[4] == "lc";
    options.smoothing = fields[5] == "exp" ? BleuSmoothing::kExponential : BleuSmoothing::kNone;
    const BleuScore score = corpus_bleu(slice(hypotheses), slice(references), options);
    EXPECT_EQ(to_string(score), fields[7]) << row;
    EXPECT_NEAR(score.score, to_double(fields[6]), 1e-12) << row;
  }
}

}  // namespace
}  // namespace plainformer
