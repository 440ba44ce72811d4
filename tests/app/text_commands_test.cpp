// plainformer bleu, bpe and inspect.
#include <gtest/gtest.h>

#include <sstream>

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
  const auto score = [&](std::vector<std::string> options, const std::string& input) {
    options.insert(options.begin(), {"bleu", "--reference", reference});
    return run_program(options, {.input = input}).out;
  };
  EXPECT_TRUE(contains(score({}, "The cat, the mat.\n"), "hyp_len = 6 "));
  EXPECT_TRUE(contains(score({"--tokenized"}, "The cat, the mat.\n"), "hyp_len = 4 "));
  EXPECT_FALSE(contains(score({}, "THE CAT, THE MAT.\n"), "BLEU = 100.00"));
  EXPECT_TRUE(contains(score({"--lowercase"}, "THE CAT, THE MAT.\n"), "BLEU = 100.00"));
  EXPECT_TRUE(contains(score({"--lowercase"}, "THE CAT, THE MAT.\n"), "case:lc"));
}

// Both sentences are as long as their references, so each resampled text is a mean of equal and unequal ones.
TEST(BleuCommand, TellsTheIntervalAndTheDifferenceFromABaseline) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "a b c d e f\na b c d e f\n");
  const std::string baseline = folder.write("baseline", "a b c d e x\na b c d e x\n");
  const ProgramResult result =
      run_program({"bleu", "--tokenized", "--reference", reference, "--interval", "--baseline", baseline},
                  {.input = "a b c d e f\na b c d e x\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // Of the baseline 5/6, 4/5, 3/4 and 2/3 are right: BLEU 75.98. Of the translations 11/12, 9/10, 7/8 and 5/6: 88.07.
  EXPECT_TRUE(
      contains(result.out, "\n95 % interval: 75.98 to 100.00 (bootstrap, 1000 resamples of 2 sentences)\n"))
      << result.out;
  EXPECT_TRUE(
      contains(result.out, "\ndifference from the baseline: +12.08, 95 % interval: 0.00 to 24.02, p = "))
      << result.out;
}

// Translations may hold damaged bytes, on standard input and in the baseline alike.
TEST(BleuCommand, ADamagedByteOfABaselineIsAWrongCharacter) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "a b c d e f\ng\n");
  const std::string baseline = folder.write("baseline", "a b c d e \xff\ng\n");
  const ProgramResult result = run_program({"bleu", "--reference", reference, "--baseline", baseline},
                                           {.input = "a b c d e \xff\ng\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "\ndifference from the baseline: +0.00")) << result.out;
}

// One sentence has nothing to resample: each interval would be a point.
TEST(BleuCommand, AnIntervalNeedsTwoSentences) {
  const TemporaryFolder folder;
  folder.write("reference", "a b\n");
  for (const std::string option : {"--interval", "--baseline=reference"}) {
    const ProgramSetup setup = {.input = "a b\n", .folder = folder.path()};
    EXPECT_TRUE(failed_with_one_line(run_program({"bleu", "--reference=reference", option}, setup), "bleu",
                                     {"reference: has fewer than 2 lines (hint: leave out --interval"}));
  }
}

// A mistyped name must not cost a long translation that is still to come.
TEST(BleuCommand, OpensItsFilesBeforeItReadsStandardInput) {
  const TemporaryFolder folder;
  Program program({"bleu", "--reference", folder.path_of("none")}, {.input_follows = true});
  EXPECT_TRUE(wait_until([&] { return contains(program.err_so_far(), "none: "); }));
}

TEST(BleuCommand, NamesTheFileThatIsNotAsLongAsTheReference) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "a\nb\n"), one = folder.write("one", "a\n");
  EXPECT_TRUE(failed_with_one_line(
      run_program({"bleu", "--reference", reference, "--baseline", one}, {.input = "a\nb\n"}), "bleu",
      {"one: has 1 line, but ", "reference has 2 (hint: "}));
  EXPECT_TRUE(failed_with_one_line(run_program({"bleu", "--reference", reference}, {.input = "a\n"}), "bleu",
                                   {"standard input: has 1 line, but ", "reference has 2 (hint: "}));
}

// The page's commands, in the folder of its files; below each is the first line of what it prints.
TEST(BleuPage, ItsCommandsPrintWhatItSays) {
  const std::string fixtures = PLAINFORMER_SOURCE_DIR "/tests/evaluation/fixtures/";
  std::ifstream page(PLAINFORMER_SOURCE_DIR "/docs/appendix-bleu.md");
  std::vector<std::string> signatures;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("plainformer bleu ", 0) != 0) continue;
    std::istringstream words(line);
    std::vector<std::string> arguments;
    std::string program, input, printed;
    words >> program;
    for (std::string word; words >> word && word != "<";) arguments.push_back(word);
    words >> input;
    arguments.back() = fixtures + arguments.back();
    std::getline(page, printed);

    const ProgramResult result = run_program(arguments, {.stdin_path = fixtures + input});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::size_t end = result.out.find('\n');
    EXPECT_EQ(result.out.substr(0, end), printed) << line;
    signatures.push_back(result.out.substr(end + 1));
  }
  ASSERT_EQ(signatures.size(), 4u);
  EXPECT_TRUE(contains(signatures[0], "|tok:13a|smooth:exp|"));
  EXPECT_TRUE(contains(signatures[1], "|tok:spaces|smooth:none|"));
  EXPECT_TRUE(contains(signatures[2], "|tok:spaces+compounds|smooth:none|"));
  EXPECT_TRUE(contains(signatures[3],
                       "\n95 % interval: 55.41 to 76.96 (bootstrap, 1000 resamples of 10 sentences)\n"))
      << signatures[3];
}

TEST(BleuCommand, NamesBothCountsWhereLinesAreMissing) {
  const TemporaryFolder folder;
  const std::string reference = folder.write("reference", "a\nb\nc\n");
  EXPECT_TRUE(failed_with_one_line(run_program({"bleu", "--reference", reference}, {.input = "a\nb\n"}),
                                   "bleu", {"standard input: has 2 lines", "has 3"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"bleu", "--reference", folder.path_of("none")}), "bleu",
                                   {folder.path_of("none") + ": no such file"}));
}

TEST(BpeCommand, LearnsAppliesAndIsUndone) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "low low low lower newest newest widest\n");
  const std::string codes = folder.path_of("codes");
  const ProgramResult learned = run_program({"bpe", "learn", text, "--out", codes, "--merges", "4"});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  EXPECT_EQ(learned.out, "");
  // "l o" occurs 4 times, then "w e", "s t</w>" and "lo w</w>" 3 times: the largest pair goes first.
  EXPECT_EQ(folder.read("codes"), "#version: 0.2\nl o\nw e\ns t</w>\nlo w</w>\n");

  const std::string input = "low lowest  wider\r\nüber\n\nnewest";
  const ProgramResult applied = run_program({"bpe", "apply", "--codes", codes}, {.input = input});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_EQ(applied.err, "");
  EXPECT_EQ(applied.out, "low lo@@ we@@ st w@@ i@@ d@@ e@@ r\nü@@ b@@ e@@ r\n\nn@@ e@@ we@@ st\n");
}

TEST(BpeCommand, WritesToStandardOutput) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n");
  const ProgramResult result = run_program({"bpe", "learn", text, "--out", "-"});
  EXPECT_EQ(result.out, "#version: 0.2\na b</w>\n");
}

TEST(BpeCommand, SaysWhatItDoesNotLearn) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n" + std::string(10'001, 'x') + "\nab\n");
  const ProgramResult result = run_program({"bpe", "learn", text, "--out", "-", "--merges", "50"});
  EXPECT_EQ(result.out, "#version: 0.2\na b</w>\n");
  EXPECT_TRUE(result.err.starts_with(text +
                                     ":2: 1 word is left out from here on, because of more than 10000 bytes\n"
                                     "merge 1/50 2% in "))
      << result.err;
  EXPECT_TRUE(result.err.ends_with("\n1 of 50 merges were found, because no other pair occurs twice\n"))
      << result.err;
}

TEST(BpeCommand, LearnsFromSeveralFilesTogether) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first", "ab ab\n"), second = folder.write("second", "cd cd cd\n");
  const ProgramResult result = run_program({"bpe", "learn", first, second, "--out", folder.path_of("codes")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(folder.read("codes"), "#version: 0.2\nc d</w>\na b</w>\n");
}

TEST(BpeCommand, ABadFileLeavesTheOldCodesAlone) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good", "ab ab\n"), bad = folder.write("bad", "ab\na\xff\n");
  const std::string codes = folder.write("codes", "old");
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "learn", good, bad, "--out", codes}), "bpe",
                                   {bad + ":2: not valid UTF-8"}));
  EXPECT_EQ(folder.read("codes"), "old");
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "apply", "--codes", codes}, {.input = "ab\n"}), "bpe",
                                   {codes + ":1: "}));
}

TEST(BpeCommand, RefusesToWriteOverItsText) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n"), other = folder.write("other.tmp", "cd cd\n");
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "learn", other, text, "--out", text}), "bpe",
                                   {text + ": would replace " + text + ", which is read"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "learn", text, "--out", folder.path_of("./text")}),
                                   "bpe", {"/./text: would replace " + text + ", which is read"}));
  // The bytes of a file that is being written stand in other.tmp.
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "learn", other, "--out", folder.path_of("other")}),
                                   "bpe", {"/other: would replace " + other + ", which is read"}));
  EXPECT_EQ(folder.read("text"), "ab ab\n");
  EXPECT_EQ(folder.read("other.tmp"), "cd cd\n");
}

// A progress bar would be a second line.
TEST(BpeCommand, FindsOutBeforeItsWorkThatItCannotWrite) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n"), codes = folder.path_of("none/codes");
  EXPECT_TRUE(failed_with_one_line(run_program({"bpe", "learn", text, "--out", codes}), "bpe", {codes}));
}

// A codes file of more merges could not be loaded again.
TEST(BpeCommand, BoundsTheMerges) {
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "ab ab\n");
  EXPECT_TRUE(failed_with_one_line(
      run_program({"bpe", "learn", text, "--out", folder.path_of("codes"), "--merges", "100001"}), "bpe",
      {"--merges takes 0 to 100000, not 100001"}, 2));
}

TEST(InspectCommand, ListsConfigurationParametersAndKernels) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"inspect", "--model", write_model(folder)},
                  {.environment = {{"PLAINFORMER_KERNELS", "scalar"}, {"PLAINFORMER_THREADS", "3"}}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto has_line = [&](const std::string& first, const std::string& second,
                            const std::string& third = "") {
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream stream(line);
      std::string name, rest;
      stream >> name;
      std::getline(stream >> std::ws, rest);
      rest.erase(rest.find_last_not_of(' ') + 1);
      if (name == first && rest.rfind(second, 0) == 0 && rest.ends_with(third)) return true;
    }
    return false;
  };
  EXPECT_TRUE(has_line("d_model", "16"));
  EXPECT_TRUE(has_line("d_ff", "24"));
  EXPECT_TRUE(has_line("heads", "2"));
  EXPECT_TRUE(has_line("vocab", "19"));
  EXPECT_TRUE(has_line("max_length", "64"));
  EXPECT_TRUE(has_line("embedding", "[19, 16]", " 304"));
  EXPECT_TRUE(has_line("encoder.0.self_attention.w_q", "[16, 16]", " 256"));
  EXPECT_TRUE(has_line("encoder.0.feed_forward.w_1", "[16, 24]", " 384"));
  EXPECT_TRUE(has_line("decoder.0.feed_forward.b_1", "[24]", " 24"));
  EXPECT_TRUE(has_line("decoder.0.encoder_decoder_attention_norm.gain", "[16]", " 16"));
  EXPECT_TRUE(has_line("total", "5152"));
  EXPECT_TRUE(has_line("kernels", "in use", " scalar"));
  EXPECT_TRUE(has_line("threads", "3"));
}

TEST(Environment, MistakesAreOneLineToo) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  EXPECT_TRUE(failed_with_one_line(
      run_program({"inspect", "--model", model}, {.environment = {{"PLAINFORMER_KERNELS", "sse9"}}}),
      "inspect", {"PLAINFORMER_KERNELS", "\"sse9\"", "scalar"}));
  EXPECT_TRUE(failed_with_one_line(
      run_program({"inspect", "--model", model}, {.environment = {{"PLAINFORMER_THREADS", "many"}}}),
      "inspect", {"PLAINFORMER_THREADS", "\"many\""}));
  EXPECT_EQ(run_program({"inspect", "--help"}, {.environment = {{"PLAINFORMER_THREADS", "many"}}}).exit_code,
            0);
}

}  // namespace
}  // namespace plainformer
