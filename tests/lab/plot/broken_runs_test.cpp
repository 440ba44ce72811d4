// The runs of the page break-it: the picture, the file that keeps them and the page's tables say the same.
#include "lab/plot/broken_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "io/atomic_file.h"
#include "io/json.h"
#include "promises/repository.h"
#include "report/number_format.h"

namespace plainformer {
namespace {

std::vector<BrokenRuns> all_of(std::initializer_list<std::span<const BrokenRuns>> groups) {
  std::vector<BrokenRuns> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::vector<BrokenRuns> all_bugs() {
  return all_of({lower_runs(), higher_runs(), slightly_higher_runs(), unseen_runs()});
}

const JsonValue& member(const JsonValue& object, const char* name) {
  return *object.find(name);
}

struct Range {
  double low, high, mean;
};

template <typename Values>
Range range_of(const Values& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return {*std::min_element(values.begin(), values.end()), *std::max_element(values.begin(), values.end()),
          sum / static_cast<double>(values.size())};
}

std::vector<double> last_losses(std::span<const BrokenRuns> all) {
  std::vector<double> losses;
  for (const BrokenRuns& runs : all)
    for (const ValidationLosses& each : runs.losses) losses.push_back(each.back());
  return losses;
}

TEST(BrokenRuns, AreKeptInThePictures) {
  const JsonValue kept =
      parse_json(read_file(PLAINFORMER_SOURCE_DIR "/docs/pictures/break-it.json", 1 << 20), "break-it");
  const JsonArray& runs = *member(kept, "runs").array();
  std::size_t next = 0;
  std::vector<BrokenRuns> drawn = all_of({sound_runs(4), sound_runs(1)});
  for (const BrokenRuns& each : all_bugs()) drawn.push_back(each);
  for (const BrokenRuns& each : drawn) {
    for (int seed = 1; seed <= kBrokenSeeds; ++seed) {
      ASSERT_LT(next, runs.size());
      const JsonValue& run = runs[next++];
      EXPECT_EQ(*member(run, "bug").string(), each.bug);
      EXPECT_EQ(*member(run, "heads").number(), each.heads) << each.bug;
      EXPECT_EQ(*member(run, "seed").number(), seed) << each.bug;
      EXPECT_EQ(*member(run, "exact_match").number(), each.exact_match[seed - 1]) << each.bug;
      const JsonArray& losses = *member(run, "valid_loss").array();
      ASSERT_EQ(std::ssize(losses), kBrokenValidations);
      for (int i = 0; i < kBrokenValidations; ++i)
        EXPECT_EQ(*losses[i].number(), each.losses[seed - 1][i]) << each.bug;
    }
  }
  EXPECT_EQ(next, runs.size());
}

bool is_in(std::span<const BrokenRuns> group, const BrokenRuns& runs) {
  return std::any_of(group.begin(), group.end(), [&](const BrokenRuns& other) {
    return other.bug == runs.bug && other.heads == runs.heads;
  });
}

bool are_above_their_seeds(const BrokenRuns& broken) {
  for (const BrokenRuns& sound : sound_runs(broken.heads))
    for (int i = 0; i < kBrokenSeeds; ++i)
      if (broken.losses[i].back() <= sound.losses[i].back()) return false;
  return true;
}

TEST(BrokenRuns, EndWhereTheirGroupSays) {
  for (const BrokenRuns& each : all_bugs()) {
    const Range broken = range_of(last_losses({&each, 1})),
                sound = range_of(last_losses(sound_runs(each.heads)));
    const bool above_all = broken.low > sound.high;
    EXPECT_EQ(is_in(lower_runs(), each), broken.high < sound.low) << each.bug;
    EXPECT_EQ(is_in(higher_runs(), each), above_all) << each.bug;
    EXPECT_EQ(is_in(slightly_higher_runs(), each), !above_all && are_above_their_seeds(each)) << each.bug;
  }
}

// "1.018 (1.003 to 1.035)"
std::string text_of(const Range& range, int decimals, const std::string& unit) {
  return format_fixed(range.mean, decimals) + unit + " (" + format_fixed(range.low, decimals) + " to " +
         format_fixed(range.high, decimals) + ")";
}

TEST(BrokenRuns, AreTheTablesOfThePage) {
  const Lines page = lines_of(kRoot / "docs/break-it.md");
  for (const BrokenRuns& each : all_bugs()) {
    const std::string name = "| `" + each.bug + "`" + (each.heads == 1 ? ", 1 head" : "") + " |",
                      numbers = "| " + text_of(range_of(last_losses({&each, 1})), 3, "") + " | " +
                                text_of(range_of(each.exact_match), 1, " %") + " |";
    const auto is_row = [&](const std::string& line) {
      return line.rfind(name, 0) == 0 && line.find(numbers) != std::string::npos;
    };
    EXPECT_EQ(std::count_if(page.begin(), page.end(), is_row), 1) << name << " ... " << numbers;
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
