// docs/page-model: a model whose every tensor can be checked by hand. The chapters show what it computes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "io/safetensors.h"
#include "kernels/kernels.h"
#include "model_folder/model_folder.h"
#include "promises/repository.h"
#include "support/program.h"
#include "support/sanitized.h"

namespace plainformer {
namespace {

const std::string kModel = (kRoot / "docs/page-model").string();
const std::string kClause = "that the queen buys a book";

// The text that it learned: clauses with their translations.
std::map<std::string, std::string> clauses() {
  std::map<std::string, std::string> pairs;
  for (const std::string& line : lines_of(kModel + "/clauses.tsv"))
    pairs[line.substr(0, line.find('\t'))] = line.substr(line.find('\t') + 1);
  return pairs;
}

TEST(PageModel, TranslatesAllClauses) {
  const auto pairs = clauses();
  ASSERT_EQ(pairs.size(), 24u);
  ASSERT_EQ(pairs.at(kClause), "dass die Königin ein Buch kauft");
  std::string source, target;
  for (const auto& [english, german] : pairs) {
    source += english + '\n';
    target += german + '\n';
  }
  for (const char* beam : {"1", "4"}) {
    const ProgramResult result =
        run_program({"translate", "--model", kModel, "--beam", beam}, {.input = source});
    EXPECT_EQ(result.out, target) << beam << result.err;
  }
}

TEST(PageModel, HasTheSizesOfThePresetAndWeightsOfTwoDecimals) {
  const TensorFile file = read_tensor_file(ModelFolder(kModel).weights());
  EXPECT_EQ(*find_text(file.metadata, "d_model"), "6");
  EXPECT_EQ(*find_text(file.metadata, "d_ff"), "12");
  EXPECT_EQ(*find_text(file.metadata, "heads"), "2");
  Index weights = 0;
  for (const auto& [name, tensor] : file.tensors) {
    weights += tensor.size();
    for (Index i = 0; i < tensor.size(); ++i) {
      const auto weight = static_cast<float>(tensor.data()[i]);
      EXPECT_EQ(weight, static_cast<float>(std::round(double{weight} * 100) / 100)) << name;
      EXPECT_LT(std::abs(weight), 4) << name;
    }
  }
  EXPECT_EQ(weights, 924);
}

std::string traced(const std::string& kernels, const std::string& label_smoothing) {
  const ProgramResult result = run_program({"trace", "--plain", "--model", kModel, "--source", kClause,
                                            "--values", "0", "--label-smoothing", label_smoothing},
                                           {.environment = {{"PLAINFORMER_KERNELS", kernels}}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

// Fast operations add in an order of their own on each processor, which changes a last digit here and there.
TEST(PageModel, PrintsTheSameDigitsWithAllKernelsInThePlainWay) {
  for (const char* label_smoothing : {"0", "0.1"}) {
    const std::string expected = traced("scalar", label_smoothing);
    EXPECT_TRUE(contains(expected, "\ntarget  dass die Königin ein Buch kauft  (the model's own"));
    for (const std::string& name : supported_kernels())
      EXPECT_EQ(traced(name, label_smoothing), expected) << name;
  }
}

TEST(PageModel, FitsOnALine) {
  std::istringstream trace(traced("scalar", "0"));
  for (std::string line; std::getline(trace, line);)
    EXPECT_TRUE(!line.starts_with("    ") || line.size() <= 160) << line;
}

// Its README has the commands. Bit by bit, where exp and log are those of the machine that trained it.
TEST(PageModel, IsWhatItsCommandsMake) {
#ifndef __GLIBC__
  GTEST_SKIP() << "another library rounds exp and log in another way";
#endif
  if (kSanitized) GTEST_SKIP() << "3,000 steps take long under a sanitizer";
  const TemporaryFolder folder;
  const ProgramSetup scalar = {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}};
  const std::string trained = folder.path_of("page"), rounded = folder.path_of("rounded");
  const ProgramResult training = run_program(
      {"train", "--preset", "page", "--pairs", kModel + "/clauses.tsv", "--seed", "24", "--out", trained},
      scalar);
  ASSERT_EQ(training.exit_code, 0) << training.err;
  ASSERT_EQ(run_program({"average", "--model", trained, "--decimals", "2", "--out", rounded}).exit_code, 0);
  for (const char* file : {"model.safetensors", "bpe.codes", "vocabulary.txt"})
    EXPECT_EQ(lines_of(rounded + "/" + file), lines_of(kModel + "/" + file)) << file;
}

}  // namespace
}  // namespace plainformer
