// Each example prints the expected file, and the comparison with that file can fail.
#include "examples/example_output.h"

namespace plainformer {
namespace {

TEST(SameOutput, AllowsOneUnitInTheLastDigit) {
  EXPECT_TRUE(same_output("w  0.25\n", "w  0.25\n"));
  EXPECT_TRUE(same_output("w  0.26\n", "w  0.25\n"));
  EXPECT_TRUE(same_output("w 10.00\n", "w  9.99\n"));
  EXPECT_TRUE(same_output("w -0.00\n", "w  0.00\n"));
  EXPECT_TRUE(same_output("w 1.000e-35\n", "w 9.999e-36\n"));
}

TEST(SameOutput, RejectsAllElse) {
  EXPECT_FALSE(same_output("w  0.27\n", "w  0.25\n"));
  EXPECT_FALSE(same_output("w -0.25\n", "w  0.25\n"));
  EXPECT_FALSE(same_output("w 9.803e-36\n", "w 9.805e-36\n"));
  EXPECT_FALSE(same_output("w 0.25\n", "w  0.25\n")) << "another column";
  EXPECT_FALSE(same_output("w 0.250\n", "w  0.25\n")) << "another number of digits";
  EXPECT_FALSE(same_output("6 words\n", "7 words\n")) << "a count";
  EXPECT_FALSE(same_output("3.2.2 heads\n", "3.2.1 heads\n")) << "a section";
  EXPECT_FALSE(same_output("a 0.25\n", "b 0.25\n"));
  EXPECT_FALSE(same_output("a\n", "a\nb\n"));
  EXPECT_FALSE(same_output("a\nb\n", "a\n"));
  EXPECT_FALSE(same_output("", "a\n"));
}

TEST(PrintsTheExpectedFile, RejectsAnExampleThatDoesNotExist) {
  EXPECT_FALSE(prints_the_expected_file("no_such_example"));
}

// With the kernels of this processor, and with those of any.
testing::AssertionResult prints_the_expected_file_on_any_kernels(const std::string& name) {
  const testing::AssertionResult result = prints_the_expected_file(name);
  return result ? prints_the_expected_file(name, {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}})
                : result;
}

TEST(Examples, FiveWords) {
  EXPECT_TRUE(prints_the_expected_file_on_any_kernels("five_words"));
}

}  // namespace
}  // namespace plainformer
