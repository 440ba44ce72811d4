// The recorded runs of the page break-it: how they are read and sorted, and what the page says of them.
#include "lab/plot/broken_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "promises/repository.h"
#include "report/number_format.h"
#include "support/program.h"

namespace plainformer {
namespace {

// A run whose losses are all `loss`, as the file writes it.
std::string run(const std::string& bug, int heads, int seed, const std::string& loss,
                const std::string& plain = "decoding") {
  std::string losses = loss;
  for (int i = 1; i < kBrokenValidations; ++i) losses += ", " + loss;
  return R"({"bug": ")" + bug + R"(", "heads": )" + std::to_string(heads) + R"(, "plain": ")" + plain +
         R"(", "seed": )" + std::to_string(seed) + R"(, "valid_loss": [)" + losses + R"(], "exact_match": )" +
         std::to_string(10 * seed) + "}";
}

// Three seeds.
std::string runs(const std::string& bug, int heads, const std::vector<std::string>& losses,
                 const std::string& plain = "decoding") {
  return run(bug, heads, 1, losses[0], plain) + ",\n" + run(bug, heads, 2, losses[1], plain) + ",\n" +
         run(bug, heads, 3, losses[2], plain);
}

BreakIt read(const std::vector<std::string>& parts) {
  const TemporaryFolder folder;
  std::string text = "{\"runs\": [";
  for (const std::string& part : parts) text += (&part == &parts.front() ? "" : ",\n") + part;
  folder.write("break-it.json", text + "]}");
  return read_break_it(folder.path_of("break-it.json"));
}

std::string error_of(const std::vector<std::string>& parts) {
  try {
    read(parts);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> names_of(const std::vector<BrokenRuns>& group) {
  std::vector<std::string> names;
  for (const BrokenRuns& each : group) names.push_back(each.bug);
  return names;
}

using PlotNames = std::vector<std::string>;

TEST(BrokenRuns, AreGroupedByTheirLastLosses) {
  const BreakIt groups =
      read({runs("sound", 4, {"1.0", "2.0", "3.0"}), runs("sound", 4, {"1.5", "2.5", "3.5"}, "adam"),
            runs("higher", 4, {"3.6", "4.0", "9"}), runs("lower", 4, {"0.8", "0.9", "0.99"}),
            runs("slightly", 4, {"1.6", "2.6", "3.6"}), runs("equal", 4, {"1.5", "2.6", "3.6"}),
            runs("one-lower", 4, {"0.5", "4.0", "4.0"})});
  EXPECT_EQ(names_of(groups.sound), (PlotNames{"sound", "sound"}));
  EXPECT_EQ(names_of(groups.higher), PlotNames{"higher"});
  EXPECT_EQ(names_of(groups.lower), PlotNames{"lower"});
  EXPECT_EQ(names_of(groups.slightly_higher), PlotNames{"slightly"});
  EXPECT_EQ(names_of(groups.unseen), (PlotNames{"equal", "one-lower"}));
  EXPECT_EQ(groups.lower[0].exact_match, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(groups.lower[0].losses[1], ValidationLosses(kBrokenValidations, 0.9));
}

TEST(BrokenRuns, AreComparedWithTheSoundRunsOfAsManyHeads) {
  const BreakIt groups = read({runs("sound", 4, {"1", "1", "1"}), runs("sound", 1, {"3", "3", "3"}),
                               runs("bug", 4, {"2", "2", "2"}), runs("bug", 1, {"2", "2", "2"})});
  ASSERT_EQ(names_of(groups.higher), PlotNames{"bug"});
  ASSERT_EQ(names_of(groups.lower), PlotNames{"bug"});
  EXPECT_EQ(groups.higher[0].heads, 4);
  EXPECT_EQ(groups.lower[0].heads, 1);
  EXPECT_EQ(groups.sound_with(1).size(), 1u);
}

TEST(BrokenRuns, RefuseAFileThatIsNotTheirs) {
  const std::string sound = runs("sound", 4, {"1", "1", "1"});
  EXPECT_NE(error_of({sound, runs("bug", 1, {"2", "2", "2"})}).find("no sound runs with as many heads"),
            std::string::npos);
  EXPECT_NE(error_of({sound, run("bug", 4, 1, "2")}).find("a bug lacks a seed"), std::string::npos);
  EXPECT_NE(error_of({sound, run("bug", 4, 1, "2"), run("bug", 4, 2, "2"), run("other", 4, 3, "2")})
                .find("the runs of bug do not have the seeds 1 to 3"),
            std::string::npos);
  EXPECT_NE(error_of({runs("sound", 4, {"\"1\"", "1", "1"})}).find("valid_loss is no number"),
            std::string::npos);
  EXPECT_NE(error_of({runs("sound", 4, {"1, 1", "1", "1"})}).find("valid_loss of sound has not 8 numbers"),
            std::string::npos);
  EXPECT_NE(error_of({"{\"bug\": \"sound\"}", "1", "2"}).find("break-it.json: lacks \"plain\""),
            std::string::npos);
}

// --- the recorded file, and the page about it

const BreakIt& recorded() {
  static const BreakIt runs = read_break_it(PLAINFORMER_SOURCE_DIR "/docs/pictures/break-it.json");
  return runs;
}

std::vector<BrokenRuns> all_bugs() {
  std::vector<BrokenRuns> all;
  for (const auto& group :
       {recorded().lower, recorded().higher, recorded().slightly_higher, recorded().unseen})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

// "1.018 (1.003 to 1.035)"
std::string range_of(const std::vector<double>& values, int decimals, const std::string& unit) {
  double sum = 0;
  for (const double each : values) sum += each;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return format_fixed(sum / static_cast<double>(values.size()), decimals) + unit + " (" +
         format_fixed(*low, decimals) + " to " + format_fixed(*high, decimals) + ")";
}

// The row of a bug in the tables of the page: its name, last losses and exact match.
bool is_row_of(const BrokenRuns& runs, const std::string& line) {
  std::vector<double> last;
  for (const ValidationLosses& losses : runs.losses) last.push_back(losses.back());
  const std::string name = "| `" + runs.bug + "`" + (runs.heads == 1 ? ", 1 head" : "") + " |",
                    numbers =
                        "| " + range_of(last, 3, "") + " | " + range_of(runs.exact_match, 1, " %") + " |";
  return line.rfind(name, 0) == 0 && line.find(numbers) != std::string::npos;
}

// The rows below a heading of the page.
Lines rows_below(const std::string& heading) {
  Lines rows;
  bool below = false;
  for (const std::string& line : lines_of(kRoot / "docs/break-it.md")) {
    if (line.rfind("#", 0) == 0) below = line.find(heading) != std::string::npos;
    if (below && line.rfind("| `", 0) == 0) rows.push_back(line);
  }
  return rows;
}

TEST(BrokenRuns, StandInThePagesTableOfTheirGroup) {
  const std::pair<const char*, const std::vector<BrokenRuns>*> groups[] = {
      {"Lower than every sound run", &recorded().lower},
      {"Higher than every sound run", &recorded().higher},
      {"Higher than the sound runs of the same seed", &recorded().slightly_higher},
      {"Indistinguishable from the sound program", &recorded().unseen}};
  for (const auto& [heading, group] : groups) {
    const Lines rows = rows_below(heading);
    EXPECT_EQ(rows.size(), group->size()) << heading;
    for (const BrokenRuns& runs : *group)
      EXPECT_EQ(
          std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return is_row_of(runs, row); }), 1)
          << heading << ": " << runs.bug;
  }
}

TEST(BrokenRuns, AreBugsOfTheCourse) {
  std::string bugs;
  for (const std::string& path : files_under("examples/assignments", ".*/bugs\\.json"))
    for (const std::string& line : lines_of(kRoot / path)) bugs += line;
  for (const BrokenRuns& each : all_bugs())
    EXPECT_NE(bugs.find("\"name\": \"" + each.bug + "\""), std::string::npos) << each.bug;
}

}  // namespace
}  // namespace plainformer
