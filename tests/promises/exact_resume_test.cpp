// A run that was stopped and resumed comes to the same bits as one that was not.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Four batches an epoch and a checkpoint every four steps, so that 7 steps end within the second epoch and
// between checkpoints. Dropout is on.
const std::vector<std::string> kOptions = {"--dropout",          "0.3", "--batch-tokens",   "320",
                                           "--checkpoint-every", "4",   "--validate-every", "5"};

class ExactResume : public TrainingOnText {
 protected:
  ModelFolder train(const std::string& out, const std::vector<std::string>& more) {
    const ProgramResult result = TrainingOnText::train(out, with_usual(kOptions, more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ModelFolder(folder_.path_of(out));
  }
};

struct Stop {
  const char* what;
  std::vector<std::string> options, whole, first, resumed;  // of both runs; of the one; of the other's parts
  const char* told = "";                                    // by the resumed part
};

TEST_F(ExactResume, AfterAStopAmidAnEpoch) {
  const Stop stops[] = {
      {"usual", {}, {"--steps", "12"}, {"--steps", "7"}, {"--steps", "12"}},
      {"threads",
       {},
       {"--steps", "8", "--threads", "1"},
       {"--steps", "3", "--threads", "3"},
       {"--steps", "8", "--threads", "2"}},
      {"accumulated",
       {"--accumulate", "3", "--batch-tokens", "64"},
       {"--steps", "6"},
       {"--steps", "4"},
       {"--steps", "6"}},
      // The record of the run holds the precision, so the resumed run goes on with it.
      {"half",
       {"--precision", "bf16"},
       {"--steps", "12"},
       {"--steps", "7"},
       {"--steps", "12"},
       ", precision bf16\n"},
      {"translated",
       {},
       {"--steps", "12", "--valid-bleu", "0"},
       {"--steps", "7", "--valid-bleu", "5"},
       {"--steps", "12", "--valid-bleu", "10"}},
      // A checkpoint of step 0 would count in the average.
      {"begun", {"--checkpoint-every", "2", "--steps", "6"}, {}, {"--minutes", "1e-9"}, {"--minutes", "0"}},
  };
  for (const Stop& stop : stops) {
    SCOPED_TRACE(stop.what);
    const std::string whole = std::string("whole-") + stop.what, parts = std::string("parts-") + stop.what;
    train(whole, joined(stop.options, stop.whole));
    train(parts, joined(stop.options, stop.first));
    const ProgramResult result = resume(parts, stop.resumed);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, stop.told)) << result.err;
    EXPECT_FALSE(contains(result.err, "this run began with")) << result.err;
    EXPECT_TRUE(same_files(folder_, parts, whole));
  }
}

// Batches of another size or order are others, so those that were taken cannot be counted among them.
TEST_F(ExactResume, WithOtherBatchesBeginsTheEpochAgain) {
  const std::string line =
      "epoch 0 begins again: its batches had another --batch-tokens, --max-tokens or --seed\n";
  for (const std::string option : {"--batch-tokens", "--max-tokens", "--seed"}) {
    SCOPED_TRACE(option);
    const std::string parts = "parts" + option;
    train(parts, {"--steps", "2"});
    const ProgramResult result = resume(parts, {option, "160", "--steps", "3"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, line)) << result.err;
    EXPECT_FALSE(contains(resume(parts, {"--steps", "4"}).err, line)) << "it has these batches now";
  }
}

TEST_F(ExactResume, ThatCannotBeginLosesNothing) {
  const ModelFolder model = train("model", {"--steps", "7"});
  std::filesystem::remove(model.log());
  std::filesystem::create_directory(model.log());
  const auto before = snapshot(model.path);
  const ProgramResult result = resume("model", {"--steps", "9"});
  EXPECT_TRUE(refused(result, {model.log() + ": is a folder"}));
  EXPECT_TRUE(snapshot(model.path) == before);
}

// Fewer checkpoints are kept, so fewer are averaged.
TEST_F(ExactResume, WithASmallerAverage) {
  train("model", {"--checkpoint-every", "2", "--keep", "5", "--steps", "7"});
  const ProgramResult result = resume("model", {"--keep", "2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "average of the last 2 checkpoints")) << result.err;
}

// The checkpoints of an earlier spacing are too old to count.
TEST_F(ExactResume, WithAWiderAverage) {
  train("model", {"--checkpoint-every", "1", "--keep", "4", "--steps", "8"});
  const ProgramResult result = resume("model", {"--checkpoint-every", "5", "--steps", "12"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "average of the last 2 checkpoints")) << "10 and 12" << result.err;
}

// The shorter run ends with a model that is better than the best so far, at a step where the longer one does
// not validate; and the longer one gets worse from there. (The learning rate is too high.)
TEST_F(ExactResume, AfterAnEndThatReplacedTheBestModel) {
  const std::vector<std::string> worsening = {"--warmup", "8", "--learning-rate-scale", "24", "--steps"};
  train("whole", joined(worsening, {"12"}));
  ASSERT_TRUE(folder_.read("whole/model.safetensors") == folder_.read("whole/checkpoints/best.safetensors"));
  train("parts", joined(worsening, {"6"}));
  ASSERT_FALSE(folder_.read("parts/model.safetensors") == folder_.read("parts/checkpoints/best.safetensors"));
  EXPECT_EQ(resume("parts", {"--steps", "12"}).exit_code, 0);
  EXPECT_TRUE(same_files(folder_, "parts", "whole"));
}

TEST_F(ExactResume, OfAFinishedRunChangesNothing) {
  const ModelFolder model = train("model", {"--steps", "7"});
  const auto checkpoints = snapshot(model.checkpoints());
  const std::string weights = folder_.read("model/model.safetensors"), log = folder_.read("model/log.jsonl");
  EXPECT_EQ(resume("model").exit_code, 0);
  EXPECT_EQ(count_lines(folder_.read("model/log.jsonl")), count_lines(log)) << "its last validation is there";
  EXPECT_TRUE(snapshot(model.checkpoints()) == checkpoints);
  EXPECT_TRUE(folder_.read("model/model.safetensors") == weights);
}

// If the tests above passed for another reason than the state in the file, this one would fail.
TEST_F(ExactResume, ButNotWithAnotherSeedOrPrecision) {
  train("whole", {"--steps", "8"});
  for (const auto& [option, value] : {std::pair("--seed", "2"), std::pair("--precision", "bf16")}) {
    train(option, {"--steps", "3"});
    EXPECT_EQ(resume(option, {"--steps", "8", option, value}).exit_code, 0);
    EXPECT_NE(folder_.read(std::string(option) + "/checkpoints/training_state.safetensors"),
              folder_.read("whole/checkpoints/training_state.safetensors"))
        << option;
  }
}

TEST_F(ExactResume, IsRefusedWhereThereIsNothingToResume) {
  EXPECT_TRUE(refused(resume("nowhere"), {"nowhere/run.json: no such file"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("nowhere")));

  const ModelFolder model = train("model", {"--steps", "2"});
  std::filesystem::remove(model.training_state());
  EXPECT_TRUE(refused(resume("model"), {model.training_state() + ": no such file"}));
}

// The damaged file stays as it is. Once it is repaired, the run continues.
TEST_F(ExactResume, IsRefusedWithADamagedState) {
  const ModelFolder model = train("model", {"--steps", "2"});
  const std::string state = folder_.read("model/checkpoints/training_state.safetensors");
  std::string flipped = state;
  flipped[state.size() / 2] ^= 1;
  for (const std::string& bad : {std::string(), state.substr(0, state.size() - 1), state + "x", flipped,
                                 std::string("<html>404</html>"), folder_.read("model/model.safetensors")}) {
    folder_.write("model/checkpoints/training_state.safetensors", bad);
    const auto before = snapshot(model.path);
    EXPECT_TRUE(refused(resume("model", {"--steps", "3"}), {model.training_state() + ": "}));
    EXPECT_TRUE(snapshot(model.path) == before);
  }
  folder_.write("model/checkpoints/training_state.safetensors", state);
  EXPECT_EQ(resume("model", {"--steps", "3"}).exit_code, 0);
}

TEST_F(ExactResume, IsRefusedWithOtherData) {
  const ModelFolder model = train("model", {"--steps", "2"});
  const auto before = snapshot(model.path);
  for (const std::string name : {"train.en", "train.de", "valid.en", "valid.de"}) {
    const std::string text = folder_.read(name);
    folder_.write(name, "another word " + text);
    EXPECT_TRUE(refused(resume("model", {"--steps", "3"}),
                        {"run.json: the " + name.substr(0, 5) + " text is not the one"}));
    folder_.write(name, text);
  }
  EXPECT_EQ(snapshot(model.path), before);
  EXPECT_EQ(resume("model", {"--steps", "3"}).exit_code, 0);
}

// Two heads fit the same weights as four, but it would be another model.
TEST_F(ExactResume, IsRefusedWithAnotherModel) {
  const ModelFolder model = train("model", {"--steps", "2"});
  const auto state = folder_.read("model/checkpoints/training_state.safetensors");
  for (const char* option : {"--heads", "--d-model", "--d-ff", "--encoder-layers"}) {
    const ProgramResult result = resume("model", {"--steps", "3", option, "4"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(
        contains(result.err, "training_state.safetensors: was written by a model of another configuration"))
        << result.err;
  }
  EXPECT_EQ(folder_.read("model/checkpoints/training_state.safetensors"), state);
}

TEST_F(ExactResume, IsRefusedWithAnotherVocabularyOrOtherMerges) {
  const ModelFolder model = train("model", {"--steps", "2"});
  for (const std::string name : {"bpe.codes", "vocabulary.txt"}) {
    const std::string text = folder_.read("model/" + name);
    folder_.write("model/" + name, text.substr(0, text.rfind('\n', text.size() - 2) + 1));
    const ProgramResult result = resume("model", {"--steps", "3"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, name + ": is not the file that the model was trained with"))
        << result.err;
    folder_.write("model/" + name, text);
  }
}

}  // namespace
}  // namespace plainformer
