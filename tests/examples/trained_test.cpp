// The examples that train: the layout of their output exactly, and bounds for the numbers. (Training
// magnifies the last bit in which compilers and instruction sets differ, so other digits change too.)
#include <algorithm>
#include <cctype>

#include "examples/example_output.h"
#include "io/atomic_file.h"
#include "support/pattern.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of_example(const std::string& name) {
  const ProgramResult result = run_example(name);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err, "") << "progress";
  std::istringstream text(result.out);
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// The groups of the pattern that the whole line matches; a failure, and empty groups, if it does not.
Lines match(const std::string& line, const std::string& pattern) {
  const Pattern whole(pattern);
  const auto match = whole.match(line);
  EXPECT_TRUE(match) << "\"" << line << "\" is not \"" << pattern << '"';
  return match ? Lines(match->groups.begin() + 1, match->groups.end()) : Lines(whole.groups(), "0");
}

std::vector<double> numbers(const std::string& line, const std::string& pattern) {
  std::vector<double> values;
  for (const std::string& group : match(line, pattern)) values.push_back(std::stod(group));
  return values;
}

TEST(SlowTrainedExamples, ReverseTask) {
  if (kSanitized) GTEST_SKIP() << "training is slow under a sanitizer";
  const Lines lines = lines_of_example("reverse_task");
  ASSERT_EQ(lines.size(), 12u);
  EXPECT_EQ(lines[0], "word      the model writes");
  for (std::size_t i = 1; i <= 10; ++i) {
    const Lines words = match(lines[i], "([a-z]{4,8}) +([^ ]*) +(right|wrong)");
    const std::string reversed(words[0].rbegin(), words[0].rend());
    EXPECT_EQ(words[2], words[1] == reversed ? "right" : "wrong") << lines[i];
    EXPECT_EQ(lines[i].size(), 25u) << "aligned columns";
  }
  const auto percent = numbers(lines[11], "exact match on 1000 held-out words: ([0-9.]+) %");
  EXPECT_GE(percent[0], 97.0);
}

// It translates sentences that are not in its text, so right words are more than memory.
TEST(TrainedExamples, TrainOnYourText) {
  if (kSanitized) GTEST_SKIP() << "training is slow under a sanitizer";
  const std::string text = PLAINFORMER_SOURCE_DIR "/examples/your_text/";
  const ProgramResult result =
      run_example("train_on_your_text", {text + "sentences.de", text + "sentences.en"},
                  {.input = read_file(text + "new_sentences.de", 1 << 10)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "54 pairs")) << result.err;
  EXPECT_EQ(result.out,
            read_file(PLAINFORMER_SOURCE_DIR "/tests/examples/expected/train_on_your_text.txt", 1 << 10));
}

TEST(TrainedExamples, TrainOnYourTextNamesItsArgumentsAndAMissingFile) {
  EXPECT_TRUE(contains(run_example("train_on_your_text").err, "usage: train_on_your_text SOURCE TARGET"));
  const ProgramResult missing = run_example("train_on_your_text", {"/no/such.de", "/no/such.en"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(contains(missing.err, "/no/such.de: no such file")) << missing.err;
}

TEST(SlowTrainedExamples, CharacterLanguageModel) {
  const Lines lines = lines_of_example("character_language_model");
  ASSERT_EQ(lines.size(), 18u);
  EXPECT_EQ(lines[0], "bits per character of 500 held-out sentences");
  const std::vector<double> counting = {4.130, 2.769, 1.525, 1.047, 0.895, 0.835, 0.809, 0.797};
  for (std::size_t n = 0; n < counting.size(); ++n) {
    const auto found = numbers(lines[n + 1], "  counting, ([0-7]) characters back   ([0-9.]{5})");
    EXPECT_EQ(found[0], n);
    EXPECT_NEAR(found[1], counting[n], 0.0011);
  }
  EXPECT_NEAR(numbers(lines[9], "  the model, the whole sentence  ([0-9.]{5})")[0], 0.72, 0.05);
  double letters = 0, others = 0;
  for (std::size_t i = 10; i < lines.size(); ++i) {
    const std::string sentence = match(lines[i], "the model writes: (.*)")[0];
    for (const char c : sentence) ++(std::isalpha(c) || c == ' ' || c == ',' ? letters : others);
  }
  EXPECT_GE(letters, 100);
  EXPECT_LE(others, 0.02 * letters);
}

// It learns the syllables of the grammar from 1,000 names. Up to temperature 1 about four draws in five have
// them, and one in three at 2.
TEST(TrainedExamples, Microgpt) {
  const ProgramResult result = run_example("microgpt");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto loss = Pattern("step 1000   loss ([0-9.]+)\n$").first_in(result.err);
  ASSERT_TRUE(loss) << result.err;
  EXPECT_NEAR(std::stod(loss->groups[1]), 1.65, 0.15);
  const Pattern name("((b|br|d|f|g|k|l|m|n|r|s|sh|t|th|tr|v)(a|e|i|o|u|ai|ia)){2}(|n|l|ra|lin|dor)");
  std::map<std::string, int> names, sound;  // by temperature
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line) && !line.empty();) {
    const auto draw = Pattern("^temperature ([0-9.]+)   (.*)$").first_in(line);
    ASSERT_TRUE(draw) << line;
    ++names[draw->groups[1]];
    sound[draw->groups[1]] += name.matches(draw->groups[2]);
  }
  EXPECT_EQ(names, (std::map<std::string, int>{{"0.5", 7}, {"1.0", 7}, {"2.0", 7}}));
  EXPECT_GE(sound["0.5"] + sound["1.0"], 7) << result.out;
  EXPECT_LE(sound["2.0"], 6) << result.out;
  EXPECT_TRUE(Pattern("\nmicrogpt +0\\.[0-9]{4} +[0-9]+\n").first_in(result.out)) << result.out;
}

TEST(TrainedExamples, MicrogptLearnsFromAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path_of("names.txt");
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"Anna\nJos\xff\n", "names.txt:2: not valid UTF-8 (hint: "},
           {"\n \n", "names.txt: no names (hint: "}}) {
    write_file_atomically(file, text);
    const ProgramResult result = run_example("microgpt", {file});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, problem)) << result.err;
    EXPECT_EQ(count_lines(result.err), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  write_file_atomically(file, "Zo\xc3\xab\n\xe6\x9d\x8e\xe6\x98\x8e\n");
  EXPECT_TRUE(contains(run_example("microgpt", {file}).out, "\ntemperature 0.5   "));
}

TEST(SlowTrainedExamples, MaskedWords) {
  const Lines lines = lines_of_example("masked_words");
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[0], "covered words of 500 held-out sentences, guessed rightly");
  const double left = numbers(lines[1], "  by the left side +([0-9.]+) %")[0];
  const double both = numbers(lines[2], "  by both sides +([0-9.]+) %")[0];
  EXPECT_NEAR(left, 28, 4);
  EXPECT_NEAR(both, 46, 5);
  EXPECT_EQ(lines[4], "the sentence, its covered word, and the guesses by the left side and by both");
  for (std::size_t i = 5; i < lines.size(); ++i)
    match(lines[i], "  (?:[A-Za-z,]+ )*\\? (?:[A-Za-z,]+ )* *[A-Za-z,]+ +[A-Za-z,]+ +[A-Za-z,]+");
}

// The numbers beside the picture of an image: each patch's share of the attention.
void expect_a_map_of_attention(const Lines& lines, std::size_t first, const std::string& title) {
  EXPECT_EQ(lines[first], title + std::string(16 - title.size(), ' ') + "   attention in %");
  double all = 0, pixels = 0;
  for (std::size_t row = 0; row < 16; ++row) {
    const std::string& line = lines[first + 1 + row];
    const std::string shares = row % 4 == 1 ? " +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+)" : "";
    for (const double share : numbers(line, "[.#]{16}" + shares)) all += share;
    pixels += static_cast<double>(std::count(line.begin(), line.end(), '#'));
  }
  EXPECT_NEAR(all, 100, 8) << "sixteen rounded shares";
  EXPECT_NEAR(pixels, 16 + 0.05 * 256, 20) << "the ink and the noise";
}

TEST(SlowTrainedExamples, ImagePatches) {
  const Lines lines = lines_of_example("image_patches");
  ASSERT_EQ(lines.size(), 3u + 2 * 18);
  EXPECT_EQ(lines[0], "held-out images named rightly       intact   shuffled");
  const std::string percents = " {5,}([0-9.]+) % +([0-9.]+) %";
  const auto without = numbers(lines[1], "trained without positions" + percents);
  EXPECT_NEAR(without[0], 50, 5);
  EXPECT_NEAR(without[1], without[0], 0.5) << "without positions the order changes nothing";
  const auto with = numbers(lines[2], "trained with    positions" + percents);
  EXPECT_GE(with[0], 98);
  EXPECT_NEAR(with[1], 50, 5);
  EXPECT_EQ(lines[3], "");
  expect_a_map_of_attention(lines, 4, "a diamond");
  EXPECT_EQ(lines[21], "");
  expect_a_map_of_attention(lines, 22, "an X");
}

TEST(SlowTrainedExamples, Forecast) {
  const Lines lines = lines_of_example("forecast");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "error (RMS)      like yesterday   linear model   transformer");
  const std::string errors = "([0-9. ]{15})([0-9. ]{15})([0-9. ]{15})";
  const auto linear = numbers(lines[1], "linear          " + errors);
  EXPECT_NEAR(linear[0], 0.171, 0.0011);
  EXPECT_NEAR(linear[1], 0.097, 0.0011);
  EXPECT_NEAR(linear[2], 0.101, 0.006);
  const auto sine = numbers(lines[2], "sine            " + errors);
  EXPECT_NEAR(sine[0], 0.547, 0.0011);
  EXPECT_NEAR(sine[1], 0.476, 0.0011);
  EXPECT_NEAR(sine[2], 0.102, 0.006);
  const auto wave = numbers(lines[3], "changing wave   " + errors);
  EXPECT_NEAR(wave[0], 0.680, 0.0011);
  EXPECT_NEAR(wave[1], 0.397, 0.0011);
  EXPECT_LT(wave[2], 0.9 * wave[1]);
}

}  // namespace
}  // namespace plainformer
