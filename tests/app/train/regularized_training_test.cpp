// plainformer train with regularized attention (5.4).
#include <gtest/gtest.h>

#include "app/small_model.h"

namespace plainformer {
namespace {

// Dropped and penalized attention weights are drawn again from their step and place, like any dropout.
TEST(RegularizedTraining, HasTheSameBitsHoweverItIsTrained) {
  const TemporaryFolder folder;
  write_text(folder);
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> options = {"--attention-dropout", "0.2",  "--head-dropout", "0.1",
                                        "--attention-penalty", "0.05", "--steps",        "6"};
    options.insert(options.end(), more.begin(), more.end());
    EXPECT_EQ(run_program(train_arguments(folder, out, options)).exit_code, 0);
    return folder.read(out + "/model.safetensors");
  };
  const std::string whole = train("whole", {"--threads", "1"});
  EXPECT_TRUE(train("threads", {"--threads", "3"}) == whole);
  EXPECT_TRUE(train("recompute", {"--recompute"}) == whole);
  train("resumed", {"--steps", "3", "--checkpoint-every", "3"});
  ASSERT_EQ(run_program({"train", "--resume", "--out", folder.path_of("resumed"), "--steps", "6"}).exit_code,
            0);
  EXPECT_TRUE(folder.read("resumed/model.safetensors") == whole);
  for (const char* option : {"--attention-dropout", "--head-dropout", "--attention-penalty"})
    EXPECT_FALSE(train(option, {option, "0"}) == whole) << option;
}

}  // namespace
}  // namespace plainformer
