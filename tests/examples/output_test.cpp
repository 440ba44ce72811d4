// Each example prints the expected file, and the comparison with that file can fail.
#include "examples/example_output.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

TEST(SameOutput, AllowsOneUnitInTheLastDigitAndNothingElse) {
  const std::pair<const char*, const char*> same[] = {{"w  0.25\n", "w  0.25\n"},
                                                      {"w  0.26\n", "w  0.25\n"},
                                                      {"w 10.00\n", "w  9.99\n"},
                                                      {"w -0.00\n", "w  0.00\n"},
                                                      {"w 1.000e-35\n", "w 9.999e-36\n"}};
  for (const auto& [actual, expected] : same) EXPECT_TRUE(same_output(actual, expected)) << actual;
  const std::pair<const char*, const char*> different[] = {
      {"w  0.27\n", "w  0.25\n"},         {"w -0.25\n", "w  0.25\n"}, {"w 9.803e-36\n", "w 9.805e-36\n"},
      {"w 0.25\n", "w  0.25\n"},           // another column
      {"w 0.250\n", "w  0.25\n"},          // another number of digits
      {"6 words\n", "7 words\n"},          // a count
      {"3.2.2 heads\n", "3.2.1 heads\n"},  // a section
      {"a 0.25\n", "b 0.25\n"},           {"a\n", "a\nb\n"},          {"", "a\n"}};
  for (const auto& [actual, expected] : different) {
    EXPECT_FALSE(same_output(actual, expected)) << actual;
    EXPECT_FALSE(same_output(expected, actual)) << actual;
  }
}

// With the kernels of this processor, and with those of any.
TEST(Examples, PrintTheirExpectedFiles) {
  for (const char* name : {"first_gradients", "five_words", "two_heads_by_hand", "gradient_by_hand",
                           "since_then", "rotary_positions", "your_own_layer"}) {
    EXPECT_TRUE(prints_the_expected_file(name)) << name;
    const ProgramSetup scalar = {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}};
    EXPECT_TRUE(prints_the_expected_file(name, scalar)) << name << " with scalar kernels";
  }
}

TEST(Examples, ToyTextPrintsThePartsOfThePresetsText) {
  const ProgramResult test = run_example("toy_text", {"test"});
  ASSERT_EQ(test.exit_code, 0) << test.err;
  EXPECT_EQ(count_lines(test.out), 500);
  const ToyPair first = generate_toy_corpus(1, 40000, 500, 500).test.front();
  EXPECT_TRUE(test.out.starts_with(first.source + "\t" + first.target + "\n"));
  EXPECT_EQ(count_lines(run_example("toy_text", {"train"}).out), 40000);
  EXPECT_EQ(run_example("toy_text", {"all"}).exit_code, 2);
}

TEST(Examples, TranslatePrintsWhatTheProgramPrints) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  std::string too_long;
  for (int i = 0; i < 80; ++i) too_long += "the cat ";
  const ProgramSetup text = {.input =
                                 "the cat sleeps on a table\n\n not a cat \r\n" + too_long + "\nKatze\nthe"};
  const ProgramResult expected = run_program({"translate", "--model", model, "--beam", "4"}, text);
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  ASSERT_EQ(count_lines(expected.out), 6);

  const ProgramResult result = run_example("translate", {model}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, expected.out);
}

TEST(Examples, TranslateNamesItsArgumentAndAMissingModel) {
  const ProgramResult without = run_example("translate");
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_TRUE(contains(without.err, "usage: translate MODEL_FOLDER")) << without.err;
  const ProgramResult missing = run_example("translate", {"/no/such/model"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(contains(missing.err, "/no/such/model: no such folder (hint: ")) << missing.err;
}

}  // namespace
}  // namespace plainformer
