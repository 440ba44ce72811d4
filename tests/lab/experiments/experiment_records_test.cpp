// The records of six experiments (docs/measurements/NAME/NAME.json): their pictures are drawn from them, and the
// chapters print their numbers. PLAINFORMER_UPDATE_PAGES=1 draws the pictures again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "io/json.h"
#include "lab/experiments/experiments.h"
#include "lab/experiments/spread_chart.h"
#include "lab/pictures/well_formed.h"
#include "promises/repository.h"
#include "report/number_format.h"

namespace plainformer {
namespace {

std::string contents_of(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

JsonValue record_of(const std::string& name) {
  return parse_json(contents_of(kRoot / "docs/measurements" / name / (name + ".json")), name);
}

// A row of a record: its keys are the table's columns.
void add_row(Table& table, const JsonObject& row) {
  std::vector<TableCell> cells;
  for (const auto& [key, value] : row) {
    if (table.rows.empty()) table.columns.push_back({key, key});
    if (value.string())
      cells.emplace_back(*value.string());
    else if (value.number())
      cells.emplace_back(*value.number());
    else
      cells.emplace_back();
  }
  table.rows.push_back(cells);
}

// The tables of a record, with their keys as titles.
std::vector<Table> tables_of(const JsonValue& record) {
  std::vector<Table> tables;
  const JsonValue* recorded = record.find("tables");
  for (const JsonValue& each : *recorded->array()) {
    tables.emplace_back();
    for (const JsonValue& row : *each.find("rows")->array()) add_row(tables.back(), *row.object());
  }
  return tables;
}

// One cell of a line of a page: "97.5 % (96.0 to 99.0)".
std::string range_of(const Spread& spread) {
  return format_fixed(spread.mean, 1) + " % (" + format_fixed(spread.lowest, 1) + " to " +
         format_fixed(spread.highest, 1) + ")";
}

void expect_lines(const std::string& page, const Lines& expected) {
  const Lines lines = lines_of(kRoot / page);
  for (const std::string& line : expected) EXPECT_TRUE(contains(lines, line)) << page << " lacks\n" << line;
}

TEST(ExperimentRecords, DrawTheirPictures) {
  int records = 0;
  for (const Experiment& experiment : experiments()) {
    if (!experiment.chart) continue;
    const std::string drawn = to_svg(experiment.chart(tables_of(record_of(experiment.name))));
    const fs::path picture =
        kRoot / "docs/pictures" / (std::string("experiment-") + experiment.name + ".svg");
    if (std::getenv("PLAINFORMER_UPDATE_PAGES")) std::ofstream(picture) << drawn;
    EXPECT_EQ(drawn, contents_of(picture)) << experiment.name;
    EXPECT_TRUE(is_well_formed(drawn));
    ++records;
  }
  EXPECT_EQ(records, 6);
}

// A record that is written and read again has the same cells.
TEST(ExperimentRecords, AreReadAsTheyWereWritten) {
  ExperimentReport report;
  report.table.columns = with_exact({{"name", "a title"}});
  report.table.rows = {{"one", 1.5, 1.0, 2.0}, {"two", 0.0, {}, 0.25}};
  report.more = {{"more", {.columns = {{"n", "n"}}, .rows = {{3.0}}}}};
  const std::vector<Table> tables = tables_of(parse_json(to_json(experiments()[0], report), "a record"));
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].rows, report.table.rows);
  EXPECT_EQ(tables[1].rows, report.more[0].table.rows);
  EXPECT_EQ(exact_in(tables[0], tables[0].rows[0]).highest, 2);
  EXPECT_EQ(text_in(tables[0], tables[0].rows[1], "name"), "two");
  EXPECT_THROW(number_in(tables[0], tables[0].rows[0], "name"), std::logic_error);
  EXPECT_THROW(number_in(tables[0], tables[0].rows[0], "nothing"), std::logic_error);
}

TEST(ExperimentRecords, OfPositionsIsWhatItsChapterPrints) {
  const JsonValue record = record_of("positions");
  const std::vector<Table> tables = tables_of(record);
  for (std::size_t i = 0; i < 2; ++i) {  // by length; moved
    const Table& table = tables.at(i);
    const std::string key = i == 0 ? "words" : "end";
    Lines expected;
    for (const auto& sines : table.rows)
      for (const auto& learned : table.rows) {
        const double number = number_in(table, sines, key);
        const bool is_pair = text_in(table, sines, "positions") == "sines" &&
                             text_in(table, learned, "positions") == "learned" &&
                             number_in(table, learned, key) == number;
        if (!is_pair || (i == 0 && number < 8)) continue;
        const auto loss = [&](const std::vector<TableCell>& row) {
          return i == 0 ? " | " + format_fixed(number_in(table, row, "loss"), 2) : "";
        };
        expected.push_back("| " + format_fixed(number, 0) + " | " + range_of(exact_in(table, sines)) +
                           loss(sines) + " | " + range_of(exact_in(table, learned)) + loss(learned) + " |");
      }
    EXPECT_GE(expected.size(), 5u);
    expect_lines("docs/3.5-positional-encoding.md", expected);
  }
  Lines examples;
  for (const JsonValue& remark : *record.find("remarks")->array()) examples.push_back(*remark.string());
  EXPECT_EQ(examples.size(), 4u);
  expect_lines("docs/3.5-positional-encoding.md", examples);
}

TEST(ExperimentRecords, OfAblationIsWhatItsChapterPrints) {
  const std::vector<Table> tables = tables_of(record_of("ablation"));
  const Table &heads = tables.at(0), &attentions = tables.at(1);
  Lines expected;
  for (const auto& attention : attentions.rows) {
    const std::string name = text_in(attentions, attention, "attention");
    std::string line = "| `" + name + "` | " +
                       format_fixed(number_in(attentions, attention, "distance_at_start"), 2) + " | " +
                       format_fixed(number_in(attentions, attention, "distance"), 2) + " |";
    for (const auto& row : heads.rows)
      if (text_in(heads, row, "attention") == name)
        line += " " + format_fixed(exact_in(heads, row).mean, 1) + " |";
    expected.push_back(line + " " + format_fixed(number_in(attentions, attention, "best_alone"), 1) + " | " +
                       format_fixed(number_in(attentions, attention, "without_any"), 1) + " |");
  }
  EXPECT_EQ(expected.size(), 6u);
  expect_lines("docs/3.2.2-multi-head-attention.md", expected);
}

TEST(ExperimentRecords, OfMaskIsWhatItsChapterPrints) {
  const std::vector<Table> tables = tables_of(record_of("mask"));
  const Table& table = tables.at(0);
  Lines expected;
  for (std::size_t i = 0; i + 1 < table.rows.size(); i += 2) {
    const auto &with = table.rows[i], &without = table.rows[i + 1];
    const auto bleu = [&](const std::vector<TableCell>& row) {
      return format_fixed(number_in(table, row, "bleu"), 1);
    };
    expected.push_back("| " + format_fixed(number_in(table, with, "decoder_layers"), 0) + " | " +
                       format_fixed(exact_in(table, with).mean, 1) + " % | " + bleu(with) + " | " +
                       format_fixed(exact_in(table, without).mean, 1) + " % | " + bleu(without) + " | " +
                       format_fixed(100 * number_in(table, without, "change"), 1) + " % |");
  }
  EXPECT_GE(expected.size(), 2u);
  expect_lines("docs/3.2.3-applications-of-attention.md", expected);
}

}  // namespace
}  // namespace plainformer
