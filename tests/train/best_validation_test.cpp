// The validation whose weights a run keeps: of the lowest loss, or of the highest BLEU.
#include <gtest/gtest.h>

#include <utility>

#include "core/strings.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// So little text that the validation loss is lowest long before the translations are best.
const std::vector<std::string> kLearnsByHeart = split_at(
    ' ',
    "--d-model 32 --d-ff 64 --dropout 0 --batch-tokens 512 --warmup 40 --learning-rate-scale 3 --steps 240 "
    "--validate-every 20 --checkpoint-every 20 --keep 100 --valid-bleu 10 --samples 0");

class BestValidation : public testing::Test {
 protected:
  BestValidation() { write_text(folder_); }

  ProgramResult train(const std::string& out, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), kLearnsByHeart.begin(), kLearnsByHeart.end());
    return run_program(train_arguments(folder_, out, with_last_values(more)));
  }
  ProgramResult resume(const std::string& out, std::vector<std::string> more) const {
    more.insert(more.begin(), {"train", "--resume", "--out", folder_.path_of(out)});
    return run_program(more);
  }

  // Steps and values of the validations in the log, without that of the average.
  struct Entry {
    Index step;
    double loss, bleu;
  };
  std::vector<Entry> validations(const std::string& out) const {
    std::vector<Entry> all;
    std::ifstream file(ModelFolder(folder_.path_of(out)).log());
    for (std::string line; std::getline(file, line);) {
      const JsonValue entry = parse_json(line, out);
      if (!entry.find("valid_loss") || entry.find("averaged")) continue;
      all.push_back({*entry.find("step")->size(), *entry.find("valid_loss")->number(),
                     *entry.find("valid_bleu")->number()});
    }
    return all;
  }
  // The step that is best by BLEU, and the one that is best by the loss.
  std::pair<Index, Index> best_steps(const std::string& out) const {
    const std::vector<Entry> all = validations(out);
    const auto by_bleu = std::max_element(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
      return a.bleu != b.bleu ? a.bleu < b.bleu : a.loss > b.loss;
    });
    const auto by_loss = std::min_element(all.begin(), all.end(),
                                          [](const Entry& a, const Entry& b) { return a.loss < b.loss; });
    return {by_bleu->step, by_loss->step};
  }
  void expect_weights_of_step(const std::string& out, Index step) const {
    const ModelFolder model(folder_.path_of(out));
    const TensorFile kept = read_tensor_file(model.weights()),
                     then = read_tensor_file(model.checkpoint(step));
    for (const NamedTensor& t : then.tensors)
      ASSERT_EQ(kept.at(t.name).to_string(), t.tensor.to_string()) << t.name << " of step " << step;
  }

  const TemporaryFolder folder_;
};

TEST_F(BestValidation, IsThatOfTheHighestBleuIfAskedFor) {
  const ProgramResult result = train("bleu", {"--best-by", "bleu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto [by_bleu, by_loss] = best_steps("bleu");
  ASSERT_NE(by_bleu, by_loss);
  ASSERT_TRUE(contains(result.err, "not kept, because step " + std::to_string(by_bleu) + " is better"))
      << result.err;
  expect_weights_of_step("bleu", by_bleu);

  ASSERT_EQ(train("loss").exit_code, 0);
  EXPECT_EQ(best_steps("loss"), std::pair(by_bleu, by_loss));
  EXPECT_TRUE(folder_.read("loss/model.safetensors") != folder_.read("bleu/model.safetensors"));
}

TEST_F(BestValidation, IsTheSameInARunThatWasResumed) {
  ASSERT_EQ(train("whole", {"--best-by", "bleu"}).exit_code, 0);
  ASSERT_EQ(train("parts", {"--best-by", "bleu", "--steps", "130"}).exit_code, 0);
  const ProgramResult result = resume("parts", {"--steps", "240"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* file : {"/model.safetensors", "/checkpoints/training_state.safetensors"})
    EXPECT_TRUE(folder_.read(std::string("parts") + file) == folder_.read(std::string("whole") + file))
        << file;
}

TEST_F(BestValidation, EndsThePatience) {
  const ProgramResult result = train("model", {"--best-by", "bleu", "--patience", "3", "--steps", "2000"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Index best = best_steps("model").first, last = validations("model").back().step;
  EXPECT_EQ(last, best + 60);
  EXPECT_TRUE(contains(result.err, "out of patience after step " + std::to_string(last) +
                                       ": no validation since step " + std::to_string(best) +
                                       " had a higher BLEU\n"))
      << result.err;
}

// The checkpoint does not say how well the weights translate that were the best by their loss.
TEST_F(BestValidation, CanBeAnotherForTheRestOfARun) {
  ASSERT_EQ(train("model", {"--steps", "120"}).exit_code, 0);
  const ProgramResult result = resume("model", {"--steps", "160", "--best-by", "bleu"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::size_t step = result.err.find("step 140: ");
  ASSERT_NE(step, std::string::npos) << result.err;
  const std::string line = result.err.substr(step, result.err.find('\n', step) - step);
  EXPECT_TRUE(line.ends_with("(best so far)")) << line;
}

TEST_F(BestValidation, NeedsTranslationsToCompare) {
  for (const auto& [options, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--best-by", "bleu", "--valid-bleu", "0"}, "--best-by bleu compares translations"},
           {{"--best-by", "chrf"}, "--best-by takes loss or bleu, not \"chrf\""}})
    EXPECT_TRUE(failed_with_one_line(train("model", options), "train", {message}, 2));
}

}  // namespace
}  // namespace plainformer
