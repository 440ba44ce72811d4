#include "decoding/cached_decoder.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "decoding/beam_search.h"
#include "decoding/tiny_model.h"
#include "ops/ways.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kMaxLength = 24;

// Two layers with three heads.
ModelConfig config() {
  return tiny_model(1, 11, kMaxLength).config();
}

// Feeds random translations of random sources, as long as the model reads, and compares the logits of every
// prefix with those of the decoder that reads the whole prefix again.
void expect_the_plain_decoders_logits(const Transformer& model, double tolerance) {
  Random random(random_stream(7, 0, 0));
  for (const std::vector<int>& source : random_sources(1, 5)) {
    const EncodedSources encoded = encode_sources(model, {source});
    CachedDecoder decoder(model, encoded.memory);
    std::vector<int> prefix;
    int token = kStartId;
    while (std::ssize(prefix) < kMaxLength) {
      prefix.push_back(token);
      const Tensor logits = decoder.step(token);
      const Tensor expected = next_logits(model, encoded, {prefix}, std::vector<Index>{0});
      ASSERT_TRUE(near(logits, expected, tolerance)) << prefix.size() << " tokens";
      token = static_cast<int>(kUnknownId + random.below(8));
    }
  }
}

// In the plain way both do the same additions in the same order, so they agree in every bit. A tile of the
// fast way may hold other rows, which changes the rounding.
void expect_the_plain_decoders_logits(const ModelConfig& config) {
  const Transformer model(config, /*seed=*/1);
  expect_the_plain_decoders_logits(model, 1e-5);
  const WaysInScope plain(plain_ways("all", "test"));
  expect_the_plain_decoders_logits(model, 0);
}

TEST(CachedDecoder, PredictsWhatThePlainDecoderPredicts) {
  expect_the_plain_decoders_logits(config());
}

TEST(CachedDecoder, KnowsLearnedPositions) {
  ModelConfig learned = config();
  learned.positions = Positions::kLearned;
  expect_the_plain_decoders_logits(learned);
}

TEST(CachedDecoder, KnowsHeadsWithWidthsOfTheirOwn) {
  ModelConfig wide = config();
  wide.d_k = 3;
  wide.d_v = 7;
  expect_the_plain_decoders_logits(wide);
}

TEST(CachedDecoder, ReadsTheMemoryOfOneSentence) {
  const Transformer model = tiny_model(1);
  EXPECT_THROW(CachedDecoder(model, encode_sources(model, {{4}, {5}}).memory), std::logic_error);
}

}  // namespace
}  // namespace plainformer
