// docs/lab/norms.md prints the tables of `plainformer experiment` warm-up, rates and norms, and chapters 3.1 and 5.3 some of
// their numbers. The records are docs/measurements/NAME/NAME.json.
#include <gtest/gtest.h>

#include "io/json.h"
#include "promises/repository.h"
#include "report/number_format.h"

namespace plainformer {
namespace {

class NormRecord : public testing::Test {
 protected:
  static JsonValue record(const std::string& name) {
    std::string text;
    for (const std::string& line : lines_of(kRoot / "docs/measurements" / name / (name + ".json")))
      text += line;
    return parse_json(text, name);
  }

  static const JsonArray& rows(const JsonValue& record, std::size_t table) {
    return *record.find("tables")->array()->at(table).find("rows")->array();
  }

  void expect_printed(const Lines& expected) const {
    EXPECT_FALSE(expected.empty());
    for (const std::string& line : expected) EXPECT_TRUE(contains(page, line)) << line;
  }

  const Lines page = lines_of(kRoot / "docs/lab/norms.md");
};

std::string number(const JsonValue& row, const std::string& key, int decimals) {
  return format_fixed(row.find(key)->number().value(), decimals);
}

// "4.274 (4.199 to 4.349)"
std::string range(const JsonValue& row, const std::string& key, int decimals, const std::string& unit) {
  return number(row, key, decimals) + unit + " (" + number(row, key + "_lowest", decimals) + " to " +
         number(row, key + "_highest", decimals) + ")";
}

// "0.371, 45.0 %"
std::string loss_and_exact(const JsonValue& row) {
  return number(row, "loss", 3) + ", " + number(row, "exact", 1) + " %";
}

Lines means(const JsonArray& rows) {
  Lines lines;
  for (const JsonValue& row : rows)
    lines.push_back("| " + number(row, "steps", 0) + " | " + *row.find("setting")->string() + " | " +
                    number(row, "training_loss", 3) + " | " + range(row, "loss", 3, "") + " | " +
                    range(row, "exact", 1, " %") + " |");
  return lines;
}

// A line for each value of `key`, with a cell for each of its rows.
Lines side_by_side(const JsonArray& rows, const std::string& key) {
  Lines lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string first = "| " + number(rows[i], key, 0) + " |";
    if (lines.empty() || lines.back().rfind(first, 0) != 0) lines.push_back(first);
    lines.back() += " " + loss_and_exact(rows[i]) + " |";
  }
  return lines;
}

TEST_F(NormRecord, OfWarmUpIsWhatThePagePrints) {
  const JsonValue warm_up = record("warm-up");
  expect_printed(means(rows(warm_up, 0)));
  expect_printed(side_by_side(rows(warm_up, 1), "seed"));
}

// "| post-norm | 61.4 % (45.0 to 74.2) | 66.3 % (59.6 to 70.1) |": after the last step, with and without the warm-up.
TEST_F(NormRecord, OfWarmUpIsWhatTheChapterPrints) {
  const JsonValue warm_up = record("warm-up");
  const JsonArray& all = rows(warm_up, 0);
  const Lines chapter = lines_of(kRoot / "docs/5.3-optimizer.md");
  for (const std::size_t norm : {0u, 1u}) {
    const std::size_t with = all.size() - 4 + 2 * norm;
    const std::string line = std::string("| ") + (norm == 0 ? "post-norm" : "pre-norm") + " | " +
                             range(all[with], "exact", 1, " %") + " | " +
                             range(all[with + 1], "exact", 1, " %") + " |";
    EXPECT_TRUE(contains(chapter, line)) << line;
  }
}

TEST_F(NormRecord, OfWarmUpAtTwiceTheRateIsWhatThePagePrints) {
  expect_printed(means(rows(record("warm-up-at-twice-the-rate"), 0)));
}

TEST_F(NormRecord, OfRatesIsWhatThePagePrints) {
  expect_printed(side_by_side(rows(record("rates"), 0), "factor"));
}

TEST_F(NormRecord, OfNormsIsWhatThePagePrints) {
  const JsonValue norms = record("norms");
  expect_printed(means(rows(norms, 0)));
  expect_printed(side_by_side(rows(norms, 1), "seed"));
  Lines moments;
  for (const JsonValue& row : rows(norms, 2))
    moments.push_back("| " + number(row, "steps", 0) + " | " + number(row, "running", 3) + " | " +
                      number(row, "by_batch", 3) + " | " + number(row, "by_sentence", 3) + " |");
  expect_printed(moments);
}

TEST_F(NormRecord, OfNormsIsWhatTheChapterSays) {
  const JsonValue norms = record("norms");
  std::string chapter;
  for (const std::string& line : lines_of(kRoot / "docs/3.1-encoder-and-decoder-stacks.md"))
    chapter += line + " ";
  const JsonArray& all = rows(norms, 0);
  for (std::size_t back = 1; back <= 2; ++back) {
    const std::string share = number(all[all.size() - back], "exact", 1) + " %";
    EXPECT_NE(chapter.find(share), std::string::npos) << share;
  }
}

}  // namespace
}  // namespace plainformer
