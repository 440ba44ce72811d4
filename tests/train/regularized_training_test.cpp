// plainformer train --r-drop.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Trains with all the options, in several ways that must end with the same weights; and without one of them
// at a time, which must change them.
void expect_the_same_bits_however_it_is_trained(
    const std::vector<std::pair<std::string, std::string>>& options) {
  const TemporaryFolder folder;
  write_text(folder);
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--steps", "6", "--encoder-layers", "3"};
    for (const auto& [name, value] : options) arguments.insert(arguments.end(), {name, value});
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_program(train_arguments(folder, out, arguments)).exit_code, 0);
    return folder.read(out + "/model.safetensors");
  };
  const std::string whole = train("whole", {"--threads", "1"});
  EXPECT_TRUE(train("threads", {"--threads", "3"}) == whole);
  EXPECT_TRUE(train("recompute", {"--recompute"}) == whole);
  train("resumed", {"--steps", "3", "--checkpoint-every", "3"});
  ASSERT_EQ(run_program({"train", "--resume", "--out", folder.path_of("resumed"), "--steps", "6"}).exit_code,
            0);
  EXPECT_TRUE(folder.read("resumed/model.safetensors") == whole);
  for (const auto& [name, value] : options) EXPECT_FALSE(train(name, {name, "0"}) == whole) << name;
}

TEST(RegularizedTraining, HasTheSameBitsHoweverItIsTrained) {
  expect_the_same_bits_however_it_is_trained({{"--r-drop", "5"}});
}

// Without dropout, both passes of R-Drop are one.
TEST(RegularizedTraining, RefusesToCompareEqualPasses) {
  const TemporaryFolder folder;
  write_text(folder);
  EXPECT_TRUE(
      failed_with_one_line(run_program(train_arguments(folder, "out", {"--r-drop", "5", "--dropout", "0"})),
                           "train", {"--r-drop compares two passes that differ by their dropout"}, 2));
}

}  // namespace
}  // namespace plainformer
