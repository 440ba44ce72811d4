// Two training runs never write into one folder.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class OneTrainingAFolder : public TrainingOnText {
 protected:
  // A training run that is under way when this returns, and runs until it is told to stop.
  std::unique_ptr<Program> start() {
    auto program = std::make_unique<Program>(
        train_arguments(folder_, "model", {"--steps", "10000000", "--validate-every", "0"}),
        ProgramSetup{.takes_ctrl_c = true});
    EXPECT_TRUE(wait_until([&] { return count_lines(folder_.read("model/log.jsonl")) > 0; }));
    return program;
  }
};

TEST_F(OneTrainingAFolder, TheSecondIsRefusedWhateverItAsksForAndTheFirstGoesOn) {
  const auto first = start();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--overwrite"}, {"--resume"}, {"--overwrite", "--preset", "toy"}})
    EXPECT_TRUE(refused(train("model", more),
                        {folder_.path_of("model") + ": another training run is writing into this folder"}));
  first->send(SIGINT);
  EXPECT_EQ(first->wait().exit_code, 128 + SIGINT);
  EXPECT_EQ(run_program({"inspect", "--model", folder_.path_of("model")}).exit_code, 0);
}

TEST_F(OneTrainingAFolder, OneThatWasKilledIsNotInTheWay) {
  const auto first = start();
  first->send(kKill);
  EXPECT_EQ(first->wait().exit_code, 128 + kKill);
  const ProgramResult second = train("model", {"--overwrite"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
}

}  // namespace
}  // namespace plainformer
