// The batches of a training run, with words cut another way or hidden.
#include "runs/training_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// A training run on the built-in grammar's text.
struct Training {
  explicit Training(const std::vector<std::string>& options = {}) {
    write_text(folder);
    std::vector<std::string> arguments = train_arguments(folder, "model", options);
    arguments.erase(arguments.begin());  // the command
    settings = parse_train_settings(arguments);
    text = load_corpora(settings);
    corpora = encode_corpora(settings, ModelFolder(settings.out), text);
  }

  std::vector<TranslationBatch> epoch(Index number) const {
    TrainingBatches batches(settings, text, corpora);
    const BatchSource source = batches.source();
    std::vector<TranslationBatch> all;
    const Index count = source.begin_epoch(number);
    for (Index i = 0; i < count; ++i) all.push_back(source.batch(i));
    return all;
  }

  // The sentences that the model reads, joined again from their pieces.
  std::multiset<std::string> sources(const std::vector<TranslationBatch>& batches) const {
    std::multiset<std::string> sentences;
    for (const TranslationBatch& batch : batches) {
      for (Index i = 0; i < batch.source.batch; ++i) {
        const auto first = batch.source.ids.begin() + i * batch.source.len;
        const std::vector<int> without_end(first, first + batch.source.lengths[i] - 1);
        sentences.insert(BytePairEncoding::join(corpora.vocabulary.decode(without_end)));
      }
    }
    return sentences;
  }

  TemporaryFolder folder;
  TrainSettings settings;
  Corpora text;
  EncodedCorpora corpora;
};

Index source_tokens(const std::vector<TranslationBatch>& batches) {
  Index count = 0;
  for (const TranslationBatch& batch : batches) count += batch.source_tokens();
  return count;
}

Index hidden_tokens(const std::vector<TranslationBatch>& batches) {
  Index count = 0;
  for (const TranslationBatch& batch : batches)
    count += std::count(batch.source.ids.begin(), batch.source.ids.end(), kUnknownId);
  return count;
}

TEST(TrainingBatches, HoldTheTextOnceInEachEpochInAnotherOrder) {
  const Training training;
  const auto first = training.epoch(0), second = training.epoch(1);
  EXPECT_EQ(training.sources(first).size(), 80u);
  EXPECT_EQ(training.sources(first), training.sources(second));
  EXPECT_NE(first[0].source.ids, second[0].source.ids);
  EXPECT_EQ(first[0].source.ids, training.epoch(0)[0].source.ids);
}

TEST(TrainingBatches, AreCutAnotherWayInEachEpochWithBpeDropout) {
  const Training sound, training({"--bpe-dropout", "0.3"});
  const auto first = training.epoch(0), second = training.epoch(1);
  EXPECT_EQ(training.sources(first), sound.sources(sound.epoch(0)));
  EXPECT_EQ(training.sources(second), training.sources(first));
  EXPECT_GT(source_tokens(first), source_tokens(sound.epoch(0)));
  EXPECT_NE(source_tokens(second), source_tokens(first));
  EXPECT_EQ(source_tokens(training.epoch(0)), source_tokens(first));
}

TEST(TrainingBatches, HideOtherWordsInEachEpochWithWordDropout) {
  const Training sound, training({"--word-dropout", "0.3"});
  const auto first = training.epoch(0), second = training.epoch(1);
  EXPECT_EQ(hidden_tokens(sound.epoch(0)), 0);
  EXPECT_GT(hidden_tokens(first), 0);
  EXPECT_NE(hidden_tokens(second), hidden_tokens(first));
  EXPECT_EQ(hidden_tokens(training.epoch(0)), hidden_tokens(first));
}

}  // namespace
}  // namespace plainformer
