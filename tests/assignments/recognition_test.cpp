#include "recognition.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

const Probes kProbes = {{"reference", {"forward: y 1 2", "forward: z 5", "backward: grad_x 3"}},
                        {"no-scale", {"forward: y 10 20", "forward: z 50", "backward: grad_x 30"}},
                        {"no-mask", {"forward: y 1 2.5", "forward: z 6", "backward: grad_x 3"}},
                        {"no-mask-backward", {"forward: y 1 2", "forward: z 5", "backward: grad_x 4"}}};
const std::vector<Bug> kBugs = {
    {.name = "no-scale", .numbers_of = "no scale", .read = "page"},
    {.name = "no-mask", .numbers_of = "no mask", .read = "page"},
    {.name = "no-mask-backward", .numbers_of = "no mask backward", .read = "page"}};
const KnownNumbers kKnown(kProbes, kBugs);

// "forward, backward: no-scale", a line for each finding.
std::string found_in(const ProbeLines& lines, const KnownNumbers& known = kKnown) {
  std::string text;
  for (const Finding& finding : recognize(lines, known).findings) {
    for (const std::string& stage : finding.stages) text += (stage == finding.stages[0] ? "" : ", ") + stage;
    for (const KnownMistake* const mistake : finding.mistakes) text += ": " + mistake->name;
    text += finding.until.empty() ? "\n" : " until " + finding.until + "\n";
  }
  return text;
}

std::string said(const Recognition& recognition) {
  return to_text(recognition) + right_text(recognition);
}

TEST(Recognition, NamesTheBugWithTheseNumbers) {
  EXPECT_EQ(found_in({"forward: y 10 20", "forward: z 50", "backward: grad_x 30"}),
            "forward, backward: no-scale\n");
  EXPECT_EQ(found_in({"forward: y 1 2", "forward: z 5", "backward: grad_x 4"}),
            "backward: no-mask-backward\n");
}

// The bug's own backward pass would be wrong too.
TEST(Recognition, AWrongForwardPassWithARightBackwardPassIsNamed) {
  const ProbeLines lines = {"forward: y 10 20", "forward: z 50", "backward: grad_x 3"};
  EXPECT_EQ(found_in(lines), "forward: no-scale\n");
  EXPECT_EQ(
      said(recognize(lines, kKnown)),
      "Your numbers are exactly those of: no scale.\nRead page.\nRight, whatever the rest does: backward.\n");
}

TEST(Recognition, EachStageHasAMistakeOfItsOwn) {
  const ProbeLines lines = {"forward: y 1 2.5", "forward: z 6", "backward: grad_x 4"};
  EXPECT_EQ(found_in(lines), "forward: no-mask\nbackward: no-mask-backward\n");
  EXPECT_EQ(to_text(recognize(lines, kKnown)),
            "The numbers of forward are exactly those of: no mask.\nRead page.\n"
            "The numbers of backward are exactly those of: no mask backward.\nRead page.\n");
}

TEST(Recognition, LinesBeforeACrashCount) {
  EXPECT_EQ(found_in({"forward: y 10 20", "backward: grad_x 3"}), "forward: no-scale\n");
  EXPECT_EQ(found_in({"forward: y 1 2", "backward: grad_x 3"}), "");
}

TEST(Recognition, TheLongestBeginningThatIsABugsIsNamed) {
  const ProbeLines lines = {"forward: y 10 20", "forward: z 7", "backward: grad_x 3"};
  EXPECT_EQ(found_in(lines), "forward: no-scale until y\n");
  EXPECT_EQ(said(recognize(lines, kKnown)),
            "In forward, your numbers up to \"y\" are exactly those of: no scale.\nRead page.\n"
            "Right, whatever the rest does: backward.\n");
}

// A gradient may have a mistake of its own behind another one that nobody knows.
TEST(Recognition, OneGradientOfSeveralIsNamedByItself) {
  const Probes probes = {
      {"reference", {"backward: grad_a 1 2 3", "backward: grad_b 4 5 6", "backward: loss 1"}},
      {"wrong-b", {"backward: grad_a 1 2 3", "backward: grad_b 4 5 7", "backward: loss 2"}}};
  const KnownNumbers known(probes, {{.name = "wrong-b", .numbers_of = "a wrong b", .read = "page"}});
  const Recognition recognition =
      recognize({"backward: grad_a 9 9 9", "backward: grad_b 4 5 7", "backward: loss 2"}, known);
  EXPECT_EQ(to_text(recognition),
            "In backward, your numbers of \"grad_b\" are exactly those of: a wrong b.\nRead page.\n");
  EXPECT_FALSE(recognition.explains_all);
  EXPECT_EQ(
      to_text(recognize({"backward: grad_a 9 9 9", "backward: grad_b 4 5 6", "backward: loss 2"}, known)), "")
      << "a single number may be anybody's";
}

TEST(Recognition, WhatIsRightIsSaidBesideAnUnknownMistakeToo) {
  const Probes probes = {{"reference", {"forward: y 1", "train, with dropout: y 2", "backward: y 3"}}};
  const KnownNumbers known(probes, {});
  EXPECT_EQ(said(recognize({"forward: y 1", "train, with dropout: y 2", "backward: y 7"}, known)),
            "Right, whatever the rest does: forward; train, with dropout.\n");
}

// As in exercise 07: the numbers of relu_backward cannot show what its second bug does. `whole` calls it.
struct TwoFunctions {
  TwoFunctions() {
    known.set_functions("everywhere", {"relu_backward"});
    known.set_functions("at-zero", {"relu_backward"});
  }

  const Probes probes = {{"reference", {"relu_backward: g 1 2", "whole: g 5 6 7", "other: y 1"}},
                         {"everywhere", {"relu_backward: g 3 4", "whole: g 8 9 7", "other: y 1"}},
                         {"at-zero", {"relu_backward: g 1 2", "whole: g 8 6 7", "other: y 1"}}};
  KnownNumbers known =
      KnownNumbers(probes, {{.name = "everywhere", .numbers_of = "everywhere", .read = "page"},
                            {.name = "at-zero", .numbers_of = "at zero", .read = "page"}});
  const std::vector<std::string> names = {"relu_backward", "whole", "other"};
  const ProbeLines of_everywhere = {"relu_backward: g 1 2", "whole: g 8 9 7", "other: y 1"};
};

TEST(Recognition, AFailedTestTakesOffTheListWhatItTries) {
  const TwoFunctions two;
  const ProbeLines all_right = two.probes.at("reference");
  EXPECT_EQ(said(recognize(all_right, two.known, {two.names, {{"relu_backward"}}})),
            "Right, whatever the rest does: whole; other.\n");
  EXPECT_EQ(said(recognize(all_right, two.known, {two.names, {{}}})), "") << "nobody knows what it tries";
  const ProbeLines wrong = {"relu_backward: g 1 2", "whole: g 5 6 9", "other: y 1"};
  EXPECT_EQ(said(recognize(wrong, two.known, {two.names, {{"relu_backward", "whole"}}})),
            "Right, whatever the rest does: relu_backward; other.\n")
      << "the test fails because of the other function";
}

// The mistake of a function is either named, or the function is called right.
TEST(Recognition, NoMistakeIsNamedOfAFunctionThatIsRight) {
  const TwoFunctions two;
  EXPECT_EQ(said(recognize(two.of_everywhere, two.known, {two.names, {{"whole"}}})),
            "Right, whatever the rest does: relu_backward; other.\n");
  EXPECT_EQ(said(recognize(two.of_everywhere, two.known, {two.names, {{"whole"}, {"relu_backward"}}})),
            "The numbers of whole are exactly those of: everywhere.\nRead page.\n"
            "Right, whatever the rest does: other.\n")
      << "a test of it fails";
}

// Both mistakes would have changed a stage that is right, but of one stage a test says that it does not show all.
TEST(Recognition, WhatAFailedTestDoubtsContradictsNoMistake) {
  TwoFunctions two;
  two.known.add({.numbers_of = "elsewhere",
                 .read = "page",
                 .name = "elsewhere",
                 .numbers = two.known.aligned({"relu_backward: g 1 2", "whole: g 8 9 7", "other: y 9"}),
                 .functions = {"other", "whole"}});
  EXPECT_EQ(said(recognize(two.of_everywhere, two.known, {two.names, {{"relu_backward"}}})),
            "The numbers of whole are exactly those of: everywhere.\nRead page.\n"
            "Right, whatever the rest does: other.\n");
}

TEST(Recognition, AMistakeThatItsOwnNumbersDoNotShowTakesTheFunctionOffTheList) {
  const TwoFunctions two;
  EXPECT_EQ(said(recognize(two.probes.at("at-zero"), two.known, {two.names, {{"whole"}}})),
            "Your numbers are exactly those of: at zero.\nRead page.\n"
            "Right, whatever the rest does: other.\n");
}

// As in exercise 20.
TEST(Recognition, AFunctionIsRightIfAllOfItsStagesAre) {
  const Probes probes = {{"reference", {"train: y 1", "train, with dropout: y 2", "Epochs::next: y 3"}}};
  const KnownNumbers known(probes, {});
  EXPECT_EQ(said(recognize({"train: y 1", "train, with dropout: y 7", "Epochs::next: y 3"}, known,
                           {{"train", "next"}, {{"train"}}})),
            "Right, whatever the rest does: Epochs::next.\n");
}

// As in exercise 12: "early termination" is a stage of several functions, none of which has one of its own.
TEST(Recognition, AFailedTestOfAFunctionWithoutNumbersTakesOffAllThatMayBeItsOwn) {
  const Probes probes = {{"reference", {"length_penalty: y 1", "early termination: y 2"}}};
  const KnownNumbers known(probes, {});
  EXPECT_EQ(said(recognize(probes.at("reference"), known,
                           {{"length_penalty", "Beam::finish"}, {{"Beam::finish"}}})),
            "Right, whatever the rest does: length_penalty.\n");
}

TEST(Recognition, RightOrUnknownNumbersHaveNoName) {
  EXPECT_EQ(found_in({"forward: y 1 2", "forward: z 5", "backward: grad_x 3"}), "");
  EXPECT_EQ(found_in({}), "");
  EXPECT_EQ(found_in({"forward: y 1 2", "forward: z 50", "backward: grad_x 5"}), "");
  EXPECT_EQ(found_in({"forward: y 10 20", "forward: z 50", "forward: more 1", "backward: grad_x 3"}), "")
      << "a line that the reference does not print";
}

TEST(Recognition, BugsWithTheSameNumbersAreAllNamed) {
  Probes probes = kProbes;
  probes["no-scale-either"] = {"forward: y 10 20", "forward: z 51", "backward: grad_x 30"};
  std::vector<Bug> bugs = kBugs;
  bugs.push_back({.name = "no-scale-either"});
  const KnownNumbers known(probes, bugs);
  EXPECT_EQ(found_in({"forward: y 10 20", "backward: grad_x 30"}, known),
            "forward, backward: no-scale: no-scale-either\n");
  EXPECT_EQ(found_in({"forward: y 10 20", "forward: z 51", "backward: grad_x 3"}, known),
            "forward: no-scale-either\n");
}

TEST(Recognition, ABugOfTheListComesBeforeAGeneratedMistake) {
  KnownNumbers known = kKnown;
  KnownMistake generated = known.mistakes()[0];
  generated.name = "";
  generated.numbers_of = "generated";
  known.add(generated);
  EXPECT_EQ(found_in({"forward: y 10 20", "forward: z 50", "backward: grad_x 30"}, known),
            "forward, backward: no-scale\n");
}

TEST(Recognition, ABugWithoutRecordedNumbersIsPassedOver) {
  EXPECT_EQ(KnownNumbers(kProbes, {{.name = "unrecorded"}}).mistakes().size(), 0u);
}

TEST(Recognition, ALineOfNaNsIsKnown) {
  EXPECT_TRUE(is_all_nan(fingerprint_of("s: y nan nan nan")));
  EXPECT_FALSE(is_all_nan(fingerprint_of("s: y nan 2 nan")));
  EXPECT_FALSE(is_all_nan(fingerprint_of("s: y")));
}

TEST(Recognition, AFingerprintKnowsEachNumberAndItsPlace) {
  const Fingerprint known = fingerprint_of("s: y 1 2000 nan");
  EXPECT_TRUE(same_fingerprint(fingerprint_of("s: y 1.0000000001 2000.0000001 nan"), known));
  for (const std::string other :
       {"s: y 1 2000 3", "s: y 1 2000 inf", "s: y 2000 1 nan", "s: y 1 2000", "s: y 1.0001 2000 nan"})
    EXPECT_FALSE(same_fingerprint(fingerprint_of(other), known)) << other;
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
