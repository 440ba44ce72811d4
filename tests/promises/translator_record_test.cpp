// Chapters 1 and 2 print the tables of a run of `plainformer experiment translators`. Its record is
// docs/measurements/translators/translators.json.
#include <gtest/gtest.h>

#include "io/json.h"
#include "promises/repository.h"
#include "report/number_format.h"

namespace plainformer {
namespace {

class TranslatorRecord : public testing::Test {
 protected:
  TranslatorRecord() {
    std::string text;
    for (const std::string& line : lines_of(kRoot / "docs/measurements/translators/translators.json"))
      text += line;
    record = parse_json(text, "the record");
  }

  const JsonArray& rows(std::size_t table) const {
    return *record.find("tables")->array()->at(table).find("rows")->array();
  }

  JsonValue record;
};

std::string fixed(const JsonValue& row, const std::string& key, int decimals, double factor = 1) {
  return format_fixed(factor * row.find(key)->number().value(), decimals);
}

std::string shares(const JsonValue& row) {
  return fixed(row, "sentences", 0) + " | " + fixed(row, "transformer_right", 1, 100) + " % | " +
         fixed(row, "recurrent_right", 1, 100) + " % | " + fixed(row, "chain_right", 1, 100) + " % |";
}

// " 0.0 % (0.0 to 0.0) | 0.1 |": one model's part of a row.
std::string part(const JsonValue& row) {
  return " " + fixed(row, "exact", 1) + " % (" + fixed(row, "exact_lowest", 1) + " to " +
         fixed(row, "exact_highest", 1) + ") | " + fixed(row, "bleu", 1) + " |";
}

TEST_F(TranslatorRecord, IsWhatTheChaptersPrint) {
  Lines expected;
  for (std::size_t i = 0; i < rows(0).size(); i += 3)
    expected.push_back("| " + fixed(rows(0)[i], "steps", 0) + " |" + part(rows(0)[i]) + part(rows(0)[i + 1]) +
                       part(rows(0)[i + 2]));
  for (const JsonValue& row : rows(1))
    expected.push_back("| " + *row.find("words")->string() + " | " + shares(row));
  for (const JsonValue& row : rows(2))
    expected.push_back("| " + *row.find("places")->string() + " | " + shares(row));
  for (const JsonValue& row : rows(3))
    expected.push_back("| " + *row.find("places")->string() + " | " + fixed(row, "sentences", 0) + " | " +
                       fixed(row, "chain_right", 1, 100) + " % |");
  for (const JsonValue& row : rows(4))
    expected.push_back("| " + fixed(row, "tokens", 0) + " | " + fixed(row, "transformer_operations", 0) +
                       " | " + fixed(row, "recurrent_operations", 0) + " | " +
                       fixed(row, "chain_operations", 0) + " |");
  Lines printed = lines_of(kRoot / "docs/1-introduction.md");
  for (const std::string& line : lines_of(kRoot / "docs/2-background.md")) printed.push_back(line);
  for (const std::string& line : expected) EXPECT_TRUE(contains(printed, line)) << line;
}

}  // namespace
}  // namespace plainformer
