// The files that a teacher hands out (examples/assignments/teaching/).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "ops/scaled_dot_product_attention.h"
#include "ops/ways.h"
#include "promises/repository.h"
#include "support/program.h"

namespace plainformer {
namespace {

const fs::path kTeaching = kRoot / "examples/assignments/teaching";

// As "0.4011 0.1978 0.4011".
std::string four_digits(std::span<const Real> row) {
  std::string text;
  for (const Real x : row) {
    char number[40];
    std::snprintf(number, sizeof number, "%.4f", static_cast<double>(x));
    text += (text.empty() ? "" : " ") + std::string(number);
  }
  return text;
}

TEST(TeachingFiles, TheFirstLabsNumbersAreThoseOfAttention) {
  constexpr Index kWords = 3, kWidth = 2;
  const Tensor x = Tensor::from({1, 1, kWords, kWidth}, {1, 0, 0, 1, 1, 1});
  const Lines lines = lines_of(kTeaching / "first-lab.md");
  for (const bool causal : {false, true}) {
    AttentionCache cache;
    const Tensor output = attention_forward(x, x, x, {.key_lengths = {kWords}, .causal = causal}, cache);
    std::string p, o;
    for (Index i = 0; i < kWords; ++i) {
      const Index visible = causal ? i + 1 : kWords;
      p += " | " + four_digits({cache.weights.data() + i * kWords, std::size_t(visible)});
      o += " | " + four_digits({output.data() + i * kWidth, std::size_t(kWidth)});
    }
    const std::string row = (causal ? "| masked" : "| with the root") + p + o + " |";
    EXPECT_EQ(std::count(lines.begin(), lines.end(), row), 1) << row;
  }
}

#ifndef _WIN32
// With a course that only prints how it was called.
class Autograder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string program = "source/plainformer/build/course/course";
    fs::create_directories(fs::path(folder_.path_of(program)).parent_path());
    folder_.write(program, "#!/bin/sh\npwd\nprintf '%s\\n' \"$@\"\n");
    fs::create_directories(fs::path(folder_.path_of("submission")));
    folder_.write("submission/softmax.cpp", "x");
    fs::permissions(folder_.path_of(program), fs::perms::owner_all);
  }

  std::string run() const {
    const ProgramResult result =
        run_program({(kTeaching / "gradescope/run_autograder").string()},
                    {.environment = {{"AUTOGRADER", folder_.path()}}, .program = "bash"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  const TemporaryFolder folder_;
};

TEST_F(Autograder, GradesTheExerciseOfItsFileWithTheOptionsOfTheSecondLine) {
  const std::string called = "/source/plainformer\ngrade\n03\n--submissions\n" + folder_.path() +
                             "/class\n--reports\n" + folder_.path() + "/results\n";
  for (const std::string end : {"\n", "", " \n"}) {
    folder_.write("source/exercise", "03" + end);
    EXPECT_TRUE(run().ends_with(called)) << run();
    folder_.write("source/exercise", "03\n--variant --seed 4711" + end);
    EXPECT_TRUE(run().ends_with(called + "--variant\n--seed\n4711\n")) << run();
  }
  EXPECT_TRUE(fs::exists(folder_.path_of("class/results/softmax.cpp"))) << "its report is results.json";
}
#endif

}  // namespace
}  // namespace plainformer
