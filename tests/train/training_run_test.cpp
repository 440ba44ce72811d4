// A run whose weights went wrong in memory, and runs in folders that are not as they should be.
#include "train/training_run.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

using ATrainingRun = TrainingOnText;

State state_of(const Settings& settings, const EncodedCorpora& corpora) {
  ModelConfig config = settings.model;
  config.vocab = corpora.vocabulary.size();
  return State(config, settings.training);
}

TEST_F(ATrainingRun, WritesNothingThatIsNotFinite) {
  Arguments arguments = train_arguments(folder_, "model");
  ASSERT_EQ(run_program(arguments).exit_code, 0);
  const ModelFolder model(folder_.path_of("model"));
  const auto before = snapshot(model.checkpoints());

  arguments.erase(arguments.begin());  // the command
  Settings settings = parse_settings(arguments);
  settings.resume = true;  // the run has nothing left to do but write its files
  const Corpora text = load_corpora(settings);
  const EncodedCorpora corpora = encode_corpora(settings, model, text);
  State state = state_of(settings, corpora);
  Checkpoints(settings, model, corpora).restore(state);
  TrainingRun run(settings, model, text, corpora, state);
  state.model.decoder.layers[0].feed_forward.w_2.value.mutable_data()[3] =
      std::numeric_limits<Real>::infinity();
  const std::string message = error_of([&] { run.run(); });
  EXPECT_TRUE(contains(message, "decoder.0.feed_forward.w_2 is not finite, and was not written (hint: "))
      << message;
  EXPECT_TRUE(snapshot(model.checkpoints()) == before);
}

// The weights of position 40 are spoiled, which one sentence of the text reaches. So one step of each epoch
// is skipped, and the others are made. The run comes to its end, where it cannot write these weights.
TEST_F(ATrainingRun, GoesOnWhereStepsAreSkippedNowAndThen) {
  folder_.write("train.en", folder_.read("train.en") + repeated("the ", 45) + "\n");
  folder_.write("train.de", folder_.read("train.de") + "das\n");
  Arguments arguments = train_arguments(
      folder_, "model",
      {"--positions", "learned", "--validate-every", "0", "--checkpoint-every", "1000", "--steps", "250"});
  arguments.erase(arguments.begin());  // the command
  const Settings settings = parse_settings(arguments);
  const ModelFolder model(folder_.path_of("model"));
  make_folder(model.checkpoints());
  const Corpora text = load_corpora(settings);
  const EncodedCorpora corpora = encode_corpora(settings, model, text);
  State state = state_of(settings, corpora);
  TrainingRun run(settings, model, text, corpora, state);
  state.model.positions.table.value.mutable_data()[40 * 16] = std::numeric_limits<Real>::infinity();

  const std::string message = error_of([&] { run.run(); });
  EXPECT_TRUE(contains(message, "position_embedding is not finite, and was not written")) << message;
  const std::string log = folder_.read("model/log.jsonl");
  EXPECT_TRUE(contains(log, "{\"step\": 250, \"epoch\": 1")) << "not 10 epochs";
  EXPECT_GT(Pattern("\"skipped\"").all_in(log).size(), 10u);
}

TEST_F(ATrainingRun, OfAModelOfAsManyLayersAsThereMayBeCanBeResumed) {
  const std::string most = std::to_string(ModelConfig::kMaxLayers);
  const ProgramResult first = train("model", {"--encoder-layers", most, "--decoder-layers", most, "--d-model",
                                              "2", "--d-ff", "2", "--heads", "1", "--steps", "1"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const ProgramResult result = resume("model", {"--steps", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// Codes as `bpe learn --out model/bpe.codes` leaves them.
TEST_F(ATrainingRun, RefusesAFolderThatHoldsTheFilesOfAnotherProgram) {
  std::filesystem::create_directory(folder_.path_of("model"));
  for (const std::string file : {"model/run.json", "model/log.jsonl", "model/bpe.codes"}) {
    folder_.write(file, "mine\n");
    EXPECT_TRUE(refused(train("model"), {file + ": exists already (hint: ", "--overwrite"}));
    EXPECT_EQ(folder_.read(file), "mine\n");
    std::filesystem::remove(folder_.path_of(file));
  }
  folder_.write("model/bpe.codes", "#version: 0.2\n");
  EXPECT_EQ(train("model", {"--overwrite"}).exit_code, 0);
}

TEST_F(ATrainingRun, RefusesToWriteOverItsText) {
  ASSERT_EQ(train("model").exit_code, 0);
  const std::string text = folder_.path_of("model/vocabulary.txt"),
                    before = folder_.read("model/vocabulary.txt");
  EXPECT_TRUE(refused(train("model", {"--overwrite", "--source", text, "--target", text}),
                      {"model/vocabulary.txt: would replace " + text + ", which is read"}));
  EXPECT_EQ(folder_.read("model/vocabulary.txt"), before);
}

// Its end would copy them first, and fail each time.
TEST_F(ATrainingRun, GoesOnWithoutTheBestWeightsIfTheyAreMissing) {
  const ModelFolder model(folder_.path_of("model"));
  ASSERT_EQ(train("model", {"--validate-every", "2", "--checkpoint-every", "2"}).exit_code, 0);
  std::filesystem::remove(model.weights());
  std::filesystem::remove(model.best());
  const ProgramResult result = resume("model");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "model.safetensors is missing")) << result.err;
  EXPECT_TRUE(std::filesystem::exists(model.weights()));
}

// An epoch has three batches, so step 10 is within one.
TEST_F(ATrainingRun, GoesOnWithTheFreshCopiesOfItsEpoch) {
  std::string pairs;
  for (int i = 10; i < 90; ++i) pairs += "part " + std::to_string(i) + "\tTeil " + std::to_string(i) + "\n";
  const std::vector<std::string> usual = {
      "train", "--preset",           "nano", "--pairs", folder_.write("pairs.tsv", pairs), "--batch-tokens",
      "100",   "--checkpoint-every", "10"};
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    EXPECT_EQ(run_program(joined(joined(usual, more), {"--out", folder_.path_of(out)})).exit_code, 0);
    return folder_.read(out + "/model.safetensors");
  };
  const std::string whole = train("whole", {"--fresh-copies", "yes", "--steps", "20"});
  train("resumed", {"--fresh-copies", "yes", "--steps", "10"});
  ASSERT_EQ(resume("resumed", {"--steps", "20"}).exit_code, 0);
  EXPECT_TRUE(folder_.read("resumed/model.safetensors") == whole);
  EXPECT_FALSE(train("without", {"--steps", "20"}) == whole);
}

// Trained in several ways, a run with R-Drop ends with the same weights. Without it, it does not.
TEST_F(ATrainingRun, WithRDropHasTheSameBitsHoweverItIsTrained) {
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    const std::vector<std::string> usual = {"--steps", "6", "--encoder-layers", "3", "--r-drop", "5"};
    EXPECT_EQ(run_program(train_arguments(folder_, out, with_usual(usual, more))).exit_code, 0);
    return folder_.read(out + "/model.safetensors");
  };
  const std::string whole = train("whole", {"--threads", "1"});
  EXPECT_TRUE(train("threads", {"--threads", "3"}) == whole);
  EXPECT_TRUE(train("recompute", {"--recompute"}) == whole);
  train("resumed", {"--steps", "3", "--checkpoint-every", "3"});
  ASSERT_EQ(resume("resumed", {"--steps", "6"}).exit_code, 0);
  EXPECT_TRUE(folder_.read("resumed/model.safetensors") == whole);
  EXPECT_FALSE(train("without", {"--r-drop", "0"}) == whole);
}

}  // namespace
}  // namespace plainformer
