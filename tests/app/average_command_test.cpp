// plainformer average: a model from the mean of the last checkpoints.
#include <gtest/gtest.h>

#include "core/strings.h"
#include "io/atomic_file.h"
#include "io/safetensors.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class AverageCommand : public testing::Test {
 protected:
  // Checkpoints of the steps 2, 4 and 6. Without a validation text, train keeps the average of all three.
  AverageCommand() {
    write_text(folder_);
    const ProgramResult result = run_program(joined(
        split_at(' ',
                 "train --hold-out 0 --d-model 16 --d-ff 24 --heads 2 --merges 50 --max-length 64 --steps 6 "
                 "--checkpoint-every 2 --keep 3 --threads 1"),
        {"--out", trained_.path, "--source", folder_.path_of("train.en"), "--target",
         folder_.path_of("train.de")}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  ProgramResult average(const std::vector<std::string>& more) const {
    return run_program(joined({"average", "--model", trained_.path}, more));
  }
  void expect_refused(const std::vector<std::string>& more, const std::vector<std::string>& parts,
                      int exit_code = 1) const {
    const auto before = snapshot(folder_.path());
    EXPECT_TRUE(refused(average(more), parts, exit_code));
    EXPECT_EQ(snapshot(folder_.path()), before);
  }

  const TemporaryFolder folder_;
  const ModelFolder trained_ = ModelFolder(folder_.path_of("trained"));
  const ModelFolder out_ = ModelFolder(folder_.path_of("out"));
};

TEST_F(AverageCommand, MakesAModelOfTheMeanOfTheLastCheckpoints) {
  const ProgramResult result = average({"--last", "2", "--out", out_.path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "average of 2 checkpoints, step_00000004 to step_00000006; the model is in " + out_.path + "\n");

  const TensorFile mean = read_tensor_file(out_.weights());
  const TensorFile one = read_tensor_file(trained_.checkpoint(4)),
                   other = read_tensor_file(trained_.checkpoint(6));
  EXPECT_EQ(mean.metadata, one.metadata);
  ASSERT_EQ(mean.tensors.size(), one.tensors.size());
  for (const auto& [name, tensor] : mean.tensors) {
    for (Index i = 0; i < tensor.size(); ++i) {
      const double expected = (double{one.at(name).data()[i]} + double{other.at(name).data()[i]}) / 2;
      ASSERT_EQ(static_cast<float>(tensor.data()[i]), static_cast<float>(expected)) << name;
    }
  }
}

TEST_F(AverageCommand, RefusesWhatItCannotMakeAndToReplaceAModel) {
  expect_refused({}, {"--out is required"}, 2);
  expect_refused({"--out", out_.path, "--last", "-1"}, {"--last: -1 is out of range"});
  expect_refused({"--out", out_.path, "--decimals", "10"}, {"--decimals: 10 is out of range"});
  expect_refused({"--last", "4", "--out", out_.path},
                 {trained_.checkpoints() + ": holds 3 step checkpoints, not 4"});
  expect_refused({"--out", trained_.path}, {trained_.path + ": already holds files of a model"});
  write_model(folder_, "out");
  std::filesystem::remove(out_.weights());
  expect_refused({"--out", out_.path}, {out_.path + ": already holds files of a model"});
  std::filesystem::remove_all(trained_.checkpoints());
  expect_refused({"--out", out_.path}, {trained_.checkpoints() + ": holds no step checkpoint"});
  std::filesystem::remove_all(trained_.path);
  expect_refused({"--out", out_.path}, {trained_.path + ": no such folder"});
}

TEST_F(AverageCommand, RefusesCheckpointsOfTwoModelsAndDamagedOnes) {
  const std::string good = folder_.read("trained/checkpoints/step_00000004.safetensors");
  const auto write = [&](const std::string& bytes) {
    folder_.write("trained/checkpoints/step_00000004.safetensors", bytes);
  };
  write_model(folder_, "other");
  write(folder_.read("other/model.safetensors"));
  expect_refused({"--out", out_.path},
                 {trained_.checkpoint(4) + ": belongs to another model than " + trained_.checkpoint(2)});
  write(good.substr(0, good.size() - 1));
  expect_refused({"--out", out_.path}, {trained_.checkpoint(4) + ": "});
  write(good);
  folder_.write("trained/bpe.codes", "#version: 0.2\n");
  expect_refused({"--out", out_.path},
                 {trained_.codes() + ": is not the file that the model was trained with"});
}

}  // namespace
}  // namespace plainformer
