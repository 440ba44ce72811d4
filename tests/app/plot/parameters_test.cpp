// Parameters and operations of a model, by part.
#include "app/plot/parameters.h"

#include <gtest/gtest.h>

#include "app/benchmark/benchmark_sections.h"
#include "app/plot/toy_text.h"
#include "transformer/transformer.h"

namespace plainformer {
namespace {

const ModelConfig kSmall = {
    .d_model = 6, .d_ff = 10, .heads = 2, .encoder_layers = 2, .decoder_layers = 3, .vocab = 11};

TEST(CountParameters, ByHand) {
  const ParameterCounts counts = count_parameters(kSmall);
  EXPECT_EQ(counts.embedding, 11 * 6);
  EXPECT_EQ(counts.attention, (2 + 2 * 3) * 4 * 6 * 6);
  EXPECT_EQ(counts.feed_forward, (2 + 3) * (2 * 6 * 10 + 10 + 6));
  EXPECT_EQ(counts.norms, (2 * 2 + 3 * 3) * 2 * 6);
}

TEST(CountParameters, AreAllOfTheModel) {
  Transformer model(kSmall, /*seed=*/1);
  Index elements = 0;
  for (const NamedParameter& each : model.parameters()) elements += each.parameter->value.size();
  EXPECT_EQ(count_parameters(kSmall).total(), elements);
}

// A training step has one forward pass and a backward pass of twice the work. A multiply-add is two operations.
TEST(CountProducts, AreThoseOfTheBenchmark) {
  for (TrainingShape shape : training_shapes()) {
    shape.batch = 1;
    shape.target_len = shape.source_len;
    const ProductCounts counts = count_products(shape.model_config(), shape.source_len);
    EXPECT_EQ(6 * static_cast<double>(counts.total()), training_operations(shape)) << shape.name;
  }
}

// The preset has 40,000 pairs. 5,000 have the same words.
TEST(SlowToyText, HasTheVocabularyOfThePreset) {
  EXPECT_EQ(toy_text(5000).vocab, toy_text(40000).vocab);
}

}  // namespace
}  // namespace plainformer
