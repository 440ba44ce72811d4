// plainformer train: from text to a model folder.
#include <gtest/gtest.h>

#include "core/number_text.h"
#include "core/strings.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "platform/platform.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

class TrainCommand : public TrainingOnText {
 protected:
  ModelFolder trained(const std::vector<std::string>& more = {}) const {
    const ProgramResult result = train("model", more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "the model is in " + folder_.path_of("model") + "\n")) << result.err;
    return ModelFolder(folder_.path_of("model"));
  }
};

using TrainReport = TrainingOnText;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(TrainCommand, LeavesAModelFolder) {
  const ModelFolder model = trained({"--checkpoint-every", "2", "--keep", "2"});
  EXPECT_EQ(names_in(model.path),
            (std::vector<std::string>{"bpe.codes", "checkpoints", "log.jsonl", "model.safetensors",
                                      "run.json", "vocabulary.txt"}));
  EXPECT_EQ(names_in(model.checkpoints()),
            (std::vector<std::string>{"step_00000004.safetensors", "step_00000006.safetensors",
                                      "training_state.safetensors"}));
}

TEST_F(TrainCommand, DrawsItsBarBelowItsSummary) {
  PseudoTerminal terminal(80);
  if (terminal.path().empty()) GTEST_SKIP() << "no terminals here";
  const ProgramSetup setup = {.stderr_path = terminal.path(), .environment = {{"TERM", "xterm"}}};
  EXPECT_EQ(train("model", {}, setup).exit_code, 0);
  EXPECT_TRUE(contains(terminal.shown(), "\nmodel: ")) << terminal.shown();
}

TEST_F(TrainCommand, LogsEachStepAndEachValidation) {
  std::vector<Index> steps, validations;
  std::vector<double> losses;
  trained({"--validate-every", "4"});
  for (const JsonValue& entry : json_lines(folder_.read("model/log.jsonl"))) {
    if (entry.find("valid_loss")) {
      validations.push_back(entry.find("step")->size().value());
      EXPECT_GT(entry.find("valid_perplexity")->number().value(), 1);
      continue;
    }
    steps.push_back(entry.find("step")->size().value());
    losses.push_back(entry.find("loss")->number().value());
    for (const char* name : {"epoch", "log_probability", "learning_rate", "grad_norm", "source_tokens",
                             "target_tokens", "seconds"}) {
      EXPECT_TRUE(entry.find(name) && entry.find(name)->number()) << name;
    }
  }
  EXPECT_EQ(steps, (std::vector<Index>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(validations, (std::vector<Index>{4, 6}));
  for (double loss : losses) EXPECT_GT(loss, 0);
}

// It validates on its training text, which it learns by heart: so there are matches to count.
TEST_F(TrainCommand, LogsTheBleuThatTranslateAndBleuGive) {
  const ModelFolder model =
      trained({"--valid-source", folder_.path_of("train.en"), "--valid-target", folder_.path_of("train.de"),
               "--steps", "400", "--warmup", "100", "--learning-rate-scale", "0.5", "--d-model", "32",
               "--dropout", "0", "--validate-every", "0", "--valid-bleu", "8"});
  const double bleu = json_lines(folder_.read("model/log.jsonl")).back().find("valid_bleu")->number().value();
  const auto first_8_lines = [&](const std::string& name) {
    const std::string text = folder_.read(name);
    std::size_t end = 0;
    for (int i = 0; i < 8; ++i) end = text.find('\n', end) + 1;
    return text.substr(0, end);
  };
  const ProgramResult translated =
      run_program({"translate", "--model", model.path}, {.input = first_8_lines("train.en")});
  const ProgramResult scored =
      run_program({"bleu", "--reference", folder_.write("reference", first_8_lines("train.de"))},
                  {.input = translated.out});
  EXPECT_GT(bleu, 10);
  EXPECT_TRUE(contains(scored.out, "BLEU = " + fixed_text(bleu, 2) + " ")) << bleu << "\n" << scored.out;
}

TEST_F(TrainCommand, EndsWithItsTotals) {
  const auto totals = [](const ProgramResult& result) {
    static const Pattern line("\n([0-9]+ steps? in 0:[0-9]{2}, [0-9.]+k? tokens/s), peak memory [0-9]+ MB\n");
    const auto match = line.first_in(result.err);
    return match ? match->groups[1] : "";
  };
  const std::string first = totals(train("model", {"--steps", "5"}));
  EXPECT_TRUE(first.starts_with("5 steps in 0:0")) << first;
  EXPECT_EQ(totals(resume("model")), "") << "there was nothing to do";
}

TEST_F(TrainCommand, RefusesAFolderThatHoldsAModelUnlessToldToOverwriteIt) {
  const ModelFolder model = trained({"--checkpoint-every", "2"});
  const auto before = snapshot(model.path);
  EXPECT_TRUE(refused(train("model"), {model.path, "holds a model already", "--resume or --overwrite"}));
  EXPECT_EQ(snapshot(model.path), before);
  const ModelFolder imported(write_model(folder_, "imported"));
  EXPECT_EQ(train("imported").exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(imported.checkpoints()));

  const ProgramResult result = train("model", {"--overwrite", "--steps", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(names_in(model.checkpoints()), std::vector<std::string>{"training_state.safetensors"});
}

TEST_F(TrainCommand, AveragesTheStepCheckpointsAndTheLastWeights) {
  const ModelFolder model(folder_.path_of("model"));
  const ProgramResult result = run_program(joined(
      split_at(
          ' ',
          "train --hold-out 0 --d-model 16 --d-ff 24 --heads 2 --merges 50 --steps 7 --checkpoint-every 2 "
          "--keep 3"),
      {"--out", model.path, "--source", folder_.path_of("train.en"), "--target",
       folder_.path_of("train.de")}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "average of the last 3 checkpoints\n")) << result.err;

  const TensorFile average = read_tensor_file(model.weights()),
                   fourth = read_tensor_file(model.checkpoint(4)),
                   sixth = read_tensor_file(model.checkpoint(6)),
                   last = read_tensor_file(model.training_state());
  for (const NamedTensor& t : average.tensors) {
    for (Index i = 0; i < t.tensor.size(); ++i) {
      const double sum = double(fourth.at(t.name).data()[i]) + double(sixth.at(t.name).data()[i]) +
                         double(last.at(t.name).data()[i]);
      ASSERT_NEAR(double(t.tensor.data()[i]), sum / 3, 1e-6) << t.name << " " << i;
    }
  }
}

TEST_F(TrainCommand, OnTheBuiltInGrammarReportsHeldOutTranslations) {
  const ProgramResult result =
      run_program({"train", "--preset", "toy", "--toy-pairs", "300", "--steps", "6", "--d-model", "16",
                   "--d-ff", "24", "--heads", "2", "--threads", "1", "--max-length", "12", "--out",
                   folder_.path_of("model")});  // some sentences are longer and are cut
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Ten held-out sentences:\n"));
  EXPECT_TRUE(contains(result.out, "encoder-decoder attention"));
  EXPECT_TRUE(contains(result.out, "Held-out exact match: "));
  EXPECT_TRUE(contains(result.out, "BLEU = "));
  EXPECT_FALSE(contains(result.out, "step 6"));
  EXPECT_TRUE(contains(result.err, "step 6/6 100% loss "));
}

// ---- what it says before, during and after the training

// Hundreds of terabytes: no allocation may even be tried.
TEST_F(TrainReport, RefusesAModelThatDoesNotFitInMemory) {
  const ProgramResult huge =
      run_program({"train", "--preset", "nano", "--d-model", "65536", "--encoder-layers", "256",
                   "--decoder-layers", "256", "--max-length", "32", "--out", folder_.path_of("model")});
  EXPECT_TRUE(refused(huge, {"the model: its weights, their gradients and Adam's moments take at least ",
                             "GB", "(hint: choose a smaller --d-model or --d-ff"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("model")));
}

// Its last lines can be pasted.
TEST_F(TrainReport, SaysWhatToTypeNext) {
  const ProgramResult result = train("Ann's model");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string path = quoted_for_shell(folder_.path_of("Ann's model"));
  EXPECT_TRUE(contains(result.err, "translate --model " + path + "\n")) << result.err;
  const std::string last = "train --resume --out " + path + " --steps 12\n";
  EXPECT_TRUE(result.err.ends_with(last)) << result.err;
  const ProgramResult fewer = resume("Ann's model", {"--steps", "3"});
  EXPECT_TRUE(fewer.err.ends_with(last)) << fewer.err;

  const ProgramResult further = resume("Ann's model", {"--steps", "12", "--patience", "1", "--validate-every",
                                                       "1", "--learning-rate-scale", "1e-30"});
  ASSERT_EQ(further.exit_code, 0) << further.err;
  EXPECT_TRUE(contains(further.err, "out of patience")) << further.err;
  EXPECT_TRUE(further.err.ends_with(" --patience 2\n")) << further.err;
}

// The sentences and their references once, and their translations at each validation; no weight changes.
TEST_F(TrainReport, ShowsHeldOutSentencesAtEachValidation) {
  const std::vector<std::string> often = {"--validate-every", "2"};
  const ProgramResult shown = train("shown", often);
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.err, "\nheld-out sentences, and what each should become")) << shown.err;
  const Pattern first("step 2: validation [^\n]*\n  1 [= ] [^\n]*\n  2 [= ] [^\n]*\n  3 [= ] [^\n]*\n");
  EXPECT_EQ(first.all_in(shown.err).size(), 1u) << shown.err;
  const Pattern validation("step \\d: validation [^\n]*\n  1 [= ] [^\n]*\n");
  EXPECT_EQ(validation.all_in(shown.err).size(), 3u) << shown.err;

  const ProgramResult hidden = train("hidden", joined(often, {"--samples", "0"}));
  EXPECT_FALSE(contains(hidden.err, "held-out sentence")) << hidden.err;
  EXPECT_FALSE(contains(hidden.err, "\n  1 ")) << hidden.err;
  EXPECT_EQ(folder_.read("shown/model.safetensors"), folder_.read("hidden/model.safetensors"));
}

}  // namespace
}  // namespace plainformer
