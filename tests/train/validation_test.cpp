// Validation during training: its numbers, the translations that it shows, and that it changes nothing.
#include "train/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/strings.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "report/terminal.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

constexpr Index kBatchTokens = 64;

// An untrained model, and the validation text of the built-in grammar.
class ValidationOfAModel : public testing::Test {
 protected:
  ValidationOfAModel() {
    write_text(folder_);
    std::vector<std::string> arguments = train_arguments(folder_, "model", {"--valid-bleu", "7"});
    arguments.erase(arguments.begin());  // the command
    settings_ = parse_settings(arguments);
    corpora_ = encode_corpora(settings_, ModelFolder(settings_.out), load_corpora(settings_));
    settings_.model.vocab = corpora_.vocabulary.size();
    model_ = std::make_unique<Transformer>(settings_.model, /*seed=*/1);
    settings_.batch_tokens = kBatchTokens;
  }

  Validation validated() const { return measure_validation(*model_, corpora_, settings_); }

  const TemporaryFolder folder_;
  Settings settings_;
  EncodedCorpora corpora_;
  std::unique_ptr<Transformer> model_;
};

TEST_F(ValidationOfAModel, TranslatesTheFirstPairsAsTheyWereWritten) {
  ASSERT_EQ(corpora_.valid_task.sources.size(), 7u);
  ASSERT_EQ(corpora_.valid.size(), 10u);
  std::string lines;
  for (const std::string& reference : corpora_.valid_task.references) lines += reference + "\n";
  EXPECT_TRUE(folder_.read("valid.de").starts_with(lines)) << lines;
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(corpora_.valid_task.sources[i], corpora_.valid[i].source);
}

TEST_F(ValidationOfAModel, CutsASourceThatIsTooLongToRead) {
  const std::string target = folder_.read("valid.de");
  folder_.write("valid.en", repeated("the man ", 100) + "\nthe man\n");
  folder_.write("valid.de", target.substr(0, target.find('\n', target.find('\n') + 1) + 1));
  corpora_ = encode_corpora(settings_, ModelFolder(settings_.out), load_corpora(settings_));
  ASSERT_EQ(corpora_.valid.size(), 1u);
  ASSERT_EQ(corpora_.valid_task.sources.size(), 2u);
  EXPECT_EQ(std::ssize(corpora_.valid_task.sources[0]), settings_.model.max_length - 1);
  EXPECT_TRUE(validated().bleu);
}

// All logits are equal: each token costs the logarithm of the vocabulary's size, and the greedy choice is
// </s>.
TEST_F(ValidationOfAModel, OfAModelThatKnowsNothing) {
  model_->embedding.value = Tensor::zeros(model_->embedding.value.shape());
  const Validation validation = validated();
  const double vocab = static_cast<double>(corpora_.vocabulary.size());
  EXPECT_NEAR(validation.loss, std::log(vocab), 1e-5);
  EXPECT_NEAR(validation.perplexity, vocab, 1e-3);
  EXPECT_EQ(validation.bleu, 0);
}

TEST_F(ValidationOfAModel, HasAPerplexityWithoutSmoothing) {
  const double perplexity = validated().perplexity;
  settings_.training.label_smoothing = 0;
  EXPECT_EQ(validated().perplexity, perplexity);
  EXPECT_NEAR(std::exp(validated().loss), perplexity, 1e-3);
}

TEST_F(ValidationOfAModel, HasNoBleuWhereNoneIsAskedFor) {
  settings_.valid_bleu = 0;
  EXPECT_EQ(validated().bleu, std::nullopt);
  EXPECT_EQ(validated().translations.size(), 7u) << "which are shown all the same";
  corpora_.valid_task = {};
  EXPECT_EQ(validated().translations.size(), 0u);
}

TEST_F(ValidationOfAModel, OfOutputThatIsNotFiniteEndsNothing) {
  model_->embedding.value.mutable_data()[0] = std::numeric_limits<Real>::quiet_NaN();
  const Validation validation = validated();
  EXPECT_EQ(validation.loss, std::numeric_limits<double>::infinity());
  EXPECT_EQ(validation.perplexity, std::numeric_limits<double>::infinity());
  EXPECT_EQ(validation.bleu, std::nullopt);
  EXPECT_TRUE(validation.translations.empty());
}

TEST(Validation, AsALineOfText) {
  EXPECT_EQ(to_string(Validation{.loss = 2.87123, .perplexity = 8.91249, .bleu = std::nullopt}),
            "validation loss 2.871, perplexity 8.912");
  EXPECT_EQ(to_string(Validation{.loss = 2.87123, .perplexity = 8.91249, .bleu = 31.16}),
            "validation loss 2.871, perplexity 8.912, BLEU 31.2");
}

TEST_F(ValidationOfAModel, ShowsSentencesBesideTheReferenceThatTheyEqual) {
  TranslationTask& task = corpora_.valid_task;
  EXPECT_EQ(describe_references(task, 2), "\n  1 " + task.texts[0] + "\n    " + task.references[0] +
                                              "\n  2 " + task.texts[1] + "\n    " + task.references[1]);
  EXPECT_EQ(describe_references(task, 0), "");
  const std::vector<std::string> translations = validated().translations;
  const auto cut = [&](std::size_t i) {
    const int width = std::max(40, 2 * display_width(task.references[i]));
    EXPECT_GT(display_width(translations[i]), width) << "an untrained model's repetition";
    return truncate_to_width(translations[i], width);
  };
  EXPECT_EQ(describe_translations(task, translations, 2), "\n  1   " + cut(0) + "\n  2   " + cut(1));
  task.references[1] = translations[1];
  EXPECT_EQ(describe_translations(task, translations, 2), "\n  1   " + cut(0) + "\n  2 = " + translations[1]);
  EXPECT_EQ(describe_translations(task, {}, 2), "") << "a model that is not finite";
}

// ---- the validation whose weights a run keeps: of the lowest loss, or of the highest BLEU

// So little text that the validation loss is lowest long before the translations are best.
const std::vector<std::string> kLearnsByHeart = split_at(
    ' ',
    "--d-model 32 --d-ff 64 --dropout 0 --batch-tokens 512 --warmup 40 --learning-rate-scale 3 --steps 240 "
    "--validate-every 20 --checkpoint-every 20 --keep 100 --valid-bleu 10 --samples 0");

class BestValidation : public TrainingOnText {
 protected:
  ProgramResult train(const std::string& out, const std::vector<std::string>& more = {}) const {
    return TrainingOnText::train(out, with_usual(kLearnsByHeart, more));
  }

  // Steps and values of the validations in the log, without that of the average.
  struct Entry {
    Index step;
    double loss, bleu;
  };
  std::vector<Entry> validations(const std::string& out) const {
    std::vector<Entry> all;
    for (const JsonValue& entry : json_lines(folder_.read(out + "/log.jsonl"))) {
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
    const bool average_is_kept = std::filesystem::exists(model.best());
    const TensorFile kept = read_tensor_file(average_is_kept ? model.best() : model.weights()),
                     then = read_tensor_file(model.checkpoint(step));
    for (const NamedTensor& t : then.tensors)
      ASSERT_EQ(kept.at(t.name).to_string(), t.tensor.to_string()) << t.name << " of step " << step;
  }
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
  ASSERT_LT(by_loss, validations("loss").back().step);
  expect_weights_of_step("loss", by_loss);
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

TEST_F(BestValidation, IsKeptWhereARunWithAnotherIsStoppedAtOnce) {
  ASSERT_EQ(train("model", {"--steps", "20"}).exit_code, 0);
  const std::string weights = folder_.read("model/model.safetensors");
  Program program({"train", "--resume", "--out", folder_.path_of("model"), "--steps", "10000000",
                   "--validate-every", "10000000", "--best-by", "bleu"},
                  {.takes_ctrl_c = true});
  ASSERT_TRUE(wait_until([&] { return contains(folder_.read("model/log.jsonl"), "{\"step\": 30,"); }));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGINT);
  EXPECT_TRUE(folder_.read("model/model.safetensors") == weights);
}

// The checkpoint does not say how good its best weights are by another measure.
TEST_F(BestValidation, CanBeAnotherForTheRestOfARun) {
  struct Case {
    std::vector<std::string> before, after;
    bool is_another;
  };
  const Case cases[] = {{{}, {"--best-by", "bleu"}, true},
                        {{"--best-by", "bleu"}, {"--best-by", "loss"}, true},
                        {{"--label-smoothing", "0"}, {"--label-smoothing", "0.5"}, true},
                        {{"--best-by", "bleu"}, {"--valid-bleu", "2"}, true},
                        {{}, {"--valid-bleu", "2"}, false},
                        {{"--best-by", "bleu"}, {"--label-smoothing", "0.5"}, false}};
  int i = 0;
  for (const auto& [before, after, is_another] : cases) {
    const std::string model = "model" + std::to_string(++i);
    ASSERT_EQ(train(model, joined({"--steps", "120"}, before)).exit_code, 0);
    const ProgramResult result = resume(model, joined({"--steps", "140"}, after));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(contains(result.err, "the next validation is the best so far"), is_another) << i;
    const Pattern best("step 140: [^\n]*\\(best so far\\)\n");
    EXPECT_TRUE(!is_another || best.all_in(result.err).size() == 1) << i << result.err;
  }
}

}  // namespace
}  // namespace plainformer
