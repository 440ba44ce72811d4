// plainformer bleu.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// By hand: 4 of 5 words, 2 of 4 pairs, 1 of 3 triples, none of 2 quadruples (smoothed: 1/2 of one, so 25 %).
// (0.8 * 0.5 * 0.3333 * 0.25)^(1/4) = 0.42729, and no brevity penalty.
TEST(BleuCommand, OfASentenceByHand) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "the cat sat over there\n");
  const ProgramResult result =
      run_program({"bleu", "--reference", reference}, {.input = "the cat sat here there\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            "BLEU = 42.73 80.0/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)\n"
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|by:plainformer|version:" PLAINFORMER_VERSION "\n");
}

TEST(BleuCommand, OptionsReachTheScore) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "The cat, the mat.\n");
  const auto score = [&](const std::vector<std::string>& options, const std::string& input) {
    return run_program(joined({"bleu", "--reference", reference}, options), {.input = input}).out;
  };
  EXPECT_TRUE(contains(score({}, "The cat, the mat.\n"), "hyp_len = 6 "));
  EXPECT_TRUE(contains(score({"--tokenized"}, "The cat, the mat.\n"), "hyp_len = 4 "));
  EXPECT_FALSE(contains(score({}, "THE CAT, THE MAT.\n"), "BLEU = 100.00"));
  EXPECT_TRUE(contains(score({"--tokens", "none"}, "The cat, the mat.\n"), "hyp_len = 4 "));
  EXPECT_TRUE(contains(score({"--tokens=char"}, "The cat, the mat.\n"), "|tok:char|"));
}

TEST(BleuCommand, TakesTheTargetsOfPairs) {
  const TemporaryFolder folder;
  const std::string pairs = folder.write("pairs", "die Katze\tthe cat\nder Hund\tthe dog\n");
  const auto score = [&](const std::string& input) {
    return run_program({"bleu", "--pairs", pairs, "--tokens", "char"}, {.input = input});
  };
  EXPECT_TRUE(contains(score("the cat\nthe dog\n").out, "BLEU = 100.00"));
  EXPECT_TRUE(refused(score("the cat\n"), {"standard input: has 1 line", "has 2"}));
}

TEST(BleuCommand, RefusesOptionsThatContradict) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--tokens", "14"}, "--tokens takes 13a, none or char, not \"14\""},
      {{"--tokens", "spaces"}, "--tokens takes 13a, none or char, not \"spaces\""},
      {{"--tokens", "13a", "--tokenized"}, "--tokens and --tokenized exclude each other"},
      {{"--pairs", "none"}, "give one reference: --reference, or --pairs"},
  };
  for (const auto& [options, message] : cases)
    EXPECT_TRUE(refused(run_program(joined({"bleu", "--reference", "none"}, options)), {message}, 2));
}

TEST(BleuCommand, RefusesFilesThatDoNotFit) {
  const TemporaryFolder folder;
  folder.write("one", "a\n");
  folder.write("two", "a\nb\n");
  folder.write("three", "a\nb\nc\n");
  folder.write("empty", "");
  folder.write("bad", "a\n\xff\n");
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--reference", "bad"}, "bad:2: not valid UTF-8"},
      {{"--reference", "three"}, "standard input: has 2 lines, but three has 3 (hint: "},
      {{"--reference", "empty"}, "empty: has no lines (hint: "},
      {{"--reference", "none"}, "none: no such file"},
      // One sentence has nothing to resample: the interval would be a point.
      {{"--reference", "one", "--interval"}, "one: has fewer than 2 lines (hint: leave out --interval"},
  };
  const ProgramSetup setup = {.input = "a\nb\n", .folder = folder.path()};
  for (const auto& [options, message] : cases)
    EXPECT_TRUE(refused(run_program(joined({"bleu"}, options), setup), {message}));
}

// Both sentences are as long as their references, so each resampled text is a mean of equal and unequal ones.
TEST(BleuCommand, TellsTheInterval) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "a b c d e f\na b c d e f\n");
  const ProgramResult result =
      run_program({"bleu", "--tokenized", "--chrf", "--reference", reference, "--interval"},
                  {.input = "a b c d e f\na b c d e x\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // Of the second sentence 5/6, 4/5, 3/4 and 2/3 are right: BLEU 75.98.
  EXPECT_TRUE(
      contains(result.out, "\n95 % interval: 75.98 to 100.00 (bootstrap, 1000 resamples of 2 sentences)\n"))
      << result.out;
  const std::string chrf = result.out.substr(result.out.find("chrF2 = "));
  EXPECT_TRUE(contains(chrf, " to 100.00 (bootstrap, 1000 resamples of 2 sentences)\n")) << chrf;
}

// A mistyped name must not cost a long translation that is still to come.
TEST(BleuCommand, OpensItsFilesBeforeItReadsStandardInput) {
  const TemporaryFolder folder;
  Program program({"bleu", "--reference", folder.path_of("none")}, {.input_follows = true});
  EXPECT_TRUE(wait_until([&] { return contains(program.err_so_far(), "none: "); }));
}

}  // namespace
}  // namespace plainformer
