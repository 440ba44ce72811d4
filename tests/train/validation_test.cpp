// Validation during training: its numbers, the translations that it shows, and that it changes nothing.
#include "train/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/terminal.h"
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
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += "the man ";
  const std::string target = folder_.read("valid.de");
  folder_.write("valid.en", longest + "\nthe man\n");
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

}  // namespace
}  // namespace plainformer
