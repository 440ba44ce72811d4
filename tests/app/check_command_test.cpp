// plainformer check.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

TEST(CheckCommand, ShowsTheLinesOfEachKindAndFails) {
  const TemporaryFolder folder;
  const std::string pairs = folder.write("pairs.tsv",
                                         "1\tthe cat\tdie Katze\n2\ta &amp; b\ta und b\n3\t&lt;\tx\n"
                                         "4\t&gt;\ty\n5\t\tz\n6\t&quot;\tz\n");
  const ProgramResult odd = run_program({"check", "--pairs", pairs, "--columns", "2,3"});
  EXPECT_EQ(odd.exit_code, 1) << odd.err;
  EXPECT_EQ(odd.err, "");
  EXPECT_EQ(odd.out, "text: pairs that are left out because one side is empty: 1 (first: " + pairs + ":5)\n" +
                         "text: pairs with entities or tags of HTML (hint: write the characters that they "
                         "mean): 4 (first: " +
                         pairs + ":2-4, 6)\n  \"a &amp; b\"\n  \"a und b\"\n5 pairs, 1 finding\n");
  const ProgramResult sound = run_program({"check", "--pairs", "-"}, {.input = "the cat\tdie Katze\na\tb\n"});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_EQ(sound.out, "2 pairs, nothing odd\n");
  const ProgramResult valid =
      run_program({"check", "--pairs", "-", "--valid-pairs", folder.write("valid.tsv", "THE CAT\tx\n")},
                  {.input = "the cat\tdie Katze\na\tb\n"});
  EXPECT_EQ(valid.exit_code, 1) << valid.err;
  EXPECT_TRUE(contains(valid.out, "validation text: pairs whose source is in the training text"))
      << valid.out;
}

TEST(CheckCommand, RefusesWhatIsNoText) {
  const TemporaryFolder folder;
  const std::string source = folder.write("source", "one\ntwo words\nthree long words\n\nfour\n"),
                    target = folder.write("target", "eins\nzwei Worte\ndrei lange Worte\nvier\n");
  EXPECT_TRUE(refused(run_program({"check", "--source", source, "--target", target}),
                      {"has 5 lines, but ", " has 4 (hint: they seem to part at line 4)"}));
  EXPECT_TRUE(
      refused(run_program({"check"}), {"a text is required: --pairs, or --source and --target (hint"}, 2));
}

}  // namespace
}  // namespace plainformer
