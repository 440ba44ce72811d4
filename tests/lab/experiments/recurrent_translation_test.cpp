#include "lab/experiments/recurrent_translation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "training/targets.h"
#include "training/training_loop.h"

namespace plainformer {
namespace {

constexpr int kFirstLetter = 4, kLetters = 6;

// All sequences of three to five letters out of six, backwards: so many steps learn it, and new ones come out right.
template <typename Translator>
void learns_to_reverse(Translator model, Index steps) {
  Random random(random_stream(1, 2, 3));
  const auto draw = [&](Index sentences) {
    std::vector<std::vector<int>> drawn(sentences);
    for (std::vector<int>& each : drawn) {
      each.resize(3 + random.below(3));
      for (int& letter : each) letter = kFirstLetter + static_cast<int>(random.below(kLetters));
    }
    return drawn;
  };
  const auto reversed = [](std::vector<std::vector<int>> sentences) {
    for (std::vector<int>& each : sentences) std::reverse(each.begin(), each.end());
    return sentences;
  };
  TrainingOptions options;
  options.learning_rate = {.d_model = 16, .warmup_steps = 50, .scale = 0.4};
  options.dropout = options.label_smoothing = 0;
  options.clip_norm = 1;
  options.steps = steps;
  const BatchSource source = {.begin_epoch = [](Index) { return Index{1000}; },
                              .batch =
                                  [&](Index) {
                                    const auto sentences = draw(16);
                                    return TranslationBatch::from(sentences, reversed(sentences));
                                  }};
  Adam adam(model.parameters(), {});
  TrainingProgress progress;
  train({model.parameters(), model.embedding, passes_of(model)}, adam, progress, options, source, {});

  const auto held_out = draw(50);
  const std::vector<Hypothesis> translations = greedy_search(model, held_out, {});
  const auto expected = reversed(held_out);
  Index right = 0;
  for (std::size_t i = 0; i < held_out.size(); ++i) right += translations[i].tokens == expected[i];
  EXPECT_GE(right, 48);

  // Training's passes give a translation the same probability, and company does not change it.
  const TranslationBatch seventh = TranslationBatch::from({held_out[7]}, {translations[7].tokens});
  typename Translator::Cache unused;
  const CrossEntropy sums =
      projected_cross_entropy_forward(model.forward(seventh.source, seventh.target_input, {}, unused),
                                      model.embedding, targets_of(seventh.target_output), /*smoothing=*/0);
  EXPECT_NEAR(sums.log_probability, translations[7].log_probability, 1e-4);
  EXPECT_EQ(greedy_search(model, {held_out[7]}, {})[0].tokens, translations[7].tokens);
  EXPECT_EQ(greedy_search(model, {held_out[7]}, {})[0].log_probability, translations[7].log_probability);
}

TEST(RecurrentTranslation, LearnsToReverseWithAttention) {
  learns_to_reverse(
      RecurrentTranslator({.vocab = kFirstLetter + kLetters, .d_model = 16, .d_state = 32, .d_attention = 16},
                          1),
      700);
}

TEST(RecurrentTranslation, LearnsToReverseWithoutAttention) {
  learns_to_reverse(ChainTranslator({.vocab = kFirstLetter + kLetters, .d_model = 16, .d_state = 48}, 1),
                    1100);
}

}  // namespace
}  // namespace plainformer
