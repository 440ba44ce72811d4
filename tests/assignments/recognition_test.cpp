#include "recognition.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

const Probes kProbes = {{"reference", {"y 1 2", "grad_x 3"}},
                        {"no-scale", {"y 10 20", "grad_x 30"}},
                        {"no-mask", {"y 1 2.5", "grad_x 4"}},
                        {"no-mask-backward", {"y 1 2", "grad_x 4"}}};
const std::vector<Bug> kBugs = {{.name = "no-scale"}, {.name = "no-mask"}, {.name = "no-mask-backward"}};

std::vector<std::string> names_of(const ProbeLines& found, const std::vector<Bug>& bugs = kBugs) {
  std::vector<std::string> names;
  for (const Bug* bug : recognize(found, kProbes, bugs).bugs) names.push_back(bug->name);
  return names;
}

TEST(Recognition, NamesTheBugWithTheseNumbers) {
  EXPECT_EQ(names_of({"y 10 20", "grad_x 30"}), std::vector<std::string>{"no-scale"});
  EXPECT_EQ(names_of({"y 1 2", "grad_x 4"}), std::vector<std::string>{"no-mask-backward"});
}

TEST(Recognition, LinesBeforeACrashCount) {
  EXPECT_EQ(names_of({"y 10 20"}), std::vector<std::string>{"no-scale"});
}

TEST(Recognition, RightOrUnknownNumbersHaveNoName) {
  EXPECT_TRUE(names_of({"y 1 2", "grad_x 3"}).empty());
  EXPECT_TRUE(names_of({"y 1 2"}).empty());
  EXPECT_TRUE(names_of({}).empty());
  EXPECT_TRUE(names_of({"y 11 20", "grad_x 30"}).empty());
  EXPECT_TRUE(names_of({"y 10 20", "grad_x 30", "more 1"}).empty());
}

TEST(Recognition, BugsThatDifferInTheUnprintedAreAllNamed) {
  Probes probes = kProbes;
  probes["no-scale-either"] = {"y 10 20", "grad_x 31"};
  const std::vector<Bug> bugs = {{.name = "no-scale"}, {.name = "no-scale-either"}};
  EXPECT_EQ(recognize({"y 10 20"}, probes, bugs).bugs.size(), 2u);
  EXPECT_EQ(recognize({"y 10 20", "grad_x 31"}, probes, bugs).bugs, std::vector<const Bug*>{&bugs[1]});
}

TEST(Recognition, SeveralBugsInLinesOfTheirOwnAreNamedTogether) {
  const Probes probes = {
      {"reference", {"y 1", "z 2", "w 3"}}, {"a", {"y 10", "z 2", "w 3"}}, {"b", {"y 1", "z 20", "w 3"}}};
  const std::vector<Bug> bugs = {{.name = "a"}, {.name = "b"}};
  const Recognition both = recognize({"y 10", "z 20", "w 3"}, probes, bugs);
  EXPECT_TRUE(both.all_at_once);
  EXPECT_EQ(both.bugs, (std::vector<const Bug*>{&bugs[0], &bugs[1]}));
  EXPECT_FALSE(recognize({"y 10", "z 2", "w 3"}, probes, bugs).all_at_once);
  EXPECT_TRUE(recognize({"y 10", "z 20", "w 4"}, probes, bugs).bugs.empty()) << "w is nobody's";
}

TEST(Recognition, ABugWithoutRecordedNumbersIsPassedOver) {
  EXPECT_TRUE(names_of({"y 10 20"}, {{.name = "unrecorded"}}).empty());
}

TEST(Recognition, ComparesNumbersToNineDigits) {
  EXPECT_TRUE(same_numbers("y 1 2000", "y 1.0000000005 2000.000001"));
  EXPECT_FALSE(same_numbers("y 1 2000", "y 1.000000002 2000"));
  EXPECT_TRUE(same_numbers("y 0", "y 9e-13"));
  EXPECT_FALSE(same_numbers("y 0", "y 2e-12"));
  EXPECT_TRUE(same_numbers("y nan inf", "y nan inf"));
  EXPECT_FALSE(same_numbers("y nan", "y 1"));
  EXPECT_FALSE(same_numbers("y 1", "y nan"));
  EXPECT_FALSE(same_numbers("y inf", "y -inf"));
  EXPECT_FALSE(same_numbers("y inf", "y 1e300"));
}

TEST(Recognition, ComparesNamesAndCounts) {
  EXPECT_TRUE(same_numbers("y of large x 1", "y of large x 1"));
  EXPECT_FALSE(same_numbers("y of large x 1", "y of small x 1"));
  EXPECT_FALSE(same_numbers("y 1", "y 1 2"));
  EXPECT_FALSE(same_numbers("y 1 2", "y 1"));
}

TEST(Recognition, AnUnfinishedLineIsNoLine) {
  EXPECT_EQ(probe_lines("y 1\ngrad_x 2\nz 1."), (ProbeLines{"y 1", "grad_x 2"}));
  EXPECT_TRUE(probe_lines("").empty());
}

TEST(Recognition, WritesWhatItReads) {
  const TemporaryFolder folder;
  EXPECT_EQ(to_text({{"reference", {"y 1", "z 2"}}}), "[reference]\ny 1\nz 2\n");
  EXPECT_EQ(load_probes(folder.write("probe.txt", to_text(kProbes))), kProbes);
}

TEST(Recognition, RefusesAMalformedFile) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    return error_of([&] { load_probes(folder.write("probe.txt", text)); });
  };
  EXPECT_NE(error("y 1\n").find("probe.txt:1: numbers before the first [name]"), std::string::npos);
  EXPECT_NE(error("[a]\ny 1\n[a]\n").find("probe.txt:3: a second [a]"), std::string::npos);
  EXPECT_NE(error_of([&] { load_probes(folder.path_of("none")); }).find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace plainformer::course
