// The commands of the pages give the scores that the pages promise.
//
// Training magnifies the last bit, in which instruction sets and C libraries differ. So the digits are
// checked on Linux with AVX-512, where the pages were written, and a bound elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernels.h"
#include "promises/repository.h"
#include "support/pattern.h"
#include "support/program.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

bool digits_are_those_of_the_pages() {
#ifdef __GLIBC__
  return kernels().name == std::string("avx512");
#else
  return false;
#endif
}

// The two groups of the first match in a page.
std::pair<std::string, std::string> promised(const std::string& page, const std::string& pattern) {
  std::string text;
  for (const std::string& line : lines_of(kRoot / page)) text += line + '\n';
  const auto match = Pattern(pattern).first_in(text);
  EXPECT_TRUE(match) << page << " has no \"" << pattern << '"';
  return match ? std::pair(match->groups.at(1), match->groups.at(2)) : std::pair<std::string, std::string>();
}

double number_after(const std::string& text, const std::string& label) {
  const std::size_t at = text.find(label);
  EXPECT_NE(at, std::string::npos) << "no \"" << label << "\" in:\n" << text;
  return at == std::string::npos ? -1 : std::stod(text.substr(at + label.size()));
}

// A run of the program that may take twenty minutes.
class SlowTraining : public testing::Test {
 protected:
  void SetUp() override {
#ifdef PLAINFORMER_EMULATED
    GTEST_SKIP() << "an emulator is too slow";
#endif
    if (kSanitized) GTEST_SKIP() << "training is slow under a sanitizer";
  }

  std::pair<std::string, std::string> run_and_log(const std::vector<std::string>& arguments,
                                                  const std::string& input = "") const {
    const ProgramResult result = run_program(arguments, {.input = input, .most_seconds = 1200});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return {result.out, result.err};
  }
  std::string run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_and_log(arguments, input).first;
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_.path_of("model");
};

// README: "It ends with ten translations, picture and score". And the model's translation of a sentence, and
// where it looks.
TEST_F(SlowTraining, OfTheToyEndsWithTheScoreOfReadmeAndLooksAsItsPageShows) {
  const auto [match, bleu] = promised("README.md", "\n(Held-out exact match: .*\n)(BLEU = .*\n)");
  const std::string score = match + bleu;
  EXPECT_TRUE(contains(score, "Held-out exact match: 99.8 % (499 of 500, greedy)\nBLEU = 99.94 ")) << score;
  const auto [out, log] = run_and_log({"train", "--preset", "toy", "--out", model_});
  // A held-out sentence is shown as it improves, at least every ten seconds (and a step, on a slow machine).
  const auto time = Pattern("\n1000 steps in ([0-9]+):([0-9]+)").first_in(log);
  ASSERT_TRUE(time) << log;
  const double seconds = 60 * std::stod(time->groups[1]) + std::stod(time->groups[2]);
  EXPECT_GE(Pattern("\nstep [0-9]+:[^\n]*\n  1 ").all_in(log).size(), std::floor(seconds / 12)) << log;
  if (digits_are_those_of_the_pages()) {
    EXPECT_TRUE(out.ends_with(score)) << out;
    const auto [sentence, map] =
        promised("docs/attention-visualizations.md",
                 "\nplainformer attention --model [^ ]* --source \"([^\"]*)\" --head 1\n([^`]*)");
    EXPECT_TRUE(contains(run({"attention", "--model", model_, "--source", sentence, "--head", "1"}), map))
        << map;
  } else {
    EXPECT_GE(number_after(out, "Held-out exact match: "), 97.0) << out;
    EXPECT_GE(number_after(out, "BLEU = "), 97.0) << out;
  }
  const auto [sentence, translation] =
      promised("README.md", "\necho \"([^\"]*)\" \\| build/toy/plainformer translate [^#\n]*# ([^\n]*\n)");
  EXPECT_EQ(run({"translate", "--model", model_}, sentence + "\n"), translation);
}

// docs/6.3: the table's first seed, for sentences as deep as in training.
TEST_F(SlowTraining, OfTheParserEndsWithTheF1OfItsPage) {
  const auto [with_beam, greedily] = promised(
      "docs/6.3-english-constituency-parsing.md",
      "\n\\| [*]*test\\.trees[*]*: [^|]*\\| [*]*([0-9.]+), [^|]*greedy search: ([0-9.]+), [^|]*\\|");
  const std::string bank = folder_.path_of("bank"), trees = bank + "/test.trees";
  run({"treebank", "generate", "--out", bank});
  run({"train", "--preset", "parser", "--treebank", bank + "/train.trees", "--valid-treebank",
       bank + "/valid.trees", "--out", model_});
  const std::string sentences = run({"treebank", "sentences"}, folder_.read("bank/test.trees"));
  const auto f1 = [&](const std::vector<std::string>& options) {
    return run({"f1", "--gold", trees}, run(joined({"parse", "--model", model_}, options), sentences));
  };
  const std::string beam = f1({}), greedy = f1({"--beam", "1"});
  if (digits_are_those_of_the_pages()) {
    EXPECT_EQ(beam.substr(0, beam.find(" (")), "F1 = " + with_beam);
    EXPECT_EQ(greedy.substr(0, greedy.find(" (")), "F1 = " + greedily);
  } else {
    EXPECT_GE(number_after(beam, "F1 = "), 98.5) << beam;
    EXPECT_GE(number_after(greedy, "F1 = "), 98.5) << greedy;
  }
}

}  // namespace
}  // namespace plainformer
