#include "decoding/fast/incremental_decoder.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "decoding/beam_search.h"
#include "decoding/tiny_model.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

Tensor row_of(const Tensor& logits, Index row) {
  const Index vocab = logits.dim(2);
  const Real* from = logits.data() + row * vocab;
  return tensor({1, 1, vocab}, {from, from + vocab});
}

// Random forks, deaths and finished sentences: at every step the logits of the plain decoder.
void expect_the_plain_decoders_logits(const Transformer& model) {
  const auto sources = random_sources(1, 5);
  const DecoderWeights weights(model);
  IncrementalDecoder decoder(model, weights, sources);
  Random random(random_stream(7, 0, 0));

  std::vector<std::vector<int>> prefixes;  // of the live hypotheses
  std::vector<Index> sentences;
  std::vector<GrownHypothesis> hypotheses;
  for (Index sentence = 0; sentence < std::ssize(sources); ++sentence) {
    hypotheses.push_back({sentence, kNoParent, kStartId});
    prefixes.push_back({kStartId});
    sentences.push_back(sentence);
  }
  for (Index step = 0; step < 40; ++step) {
    const Tensor logits = decoder.step(hypotheses);
    for (Index row = 0; row < std::ssize(prefixes); ++row) {
      const Tensor expected =
          next_logits(model, encode_source(model, sources[sentences[row]]), prefixes[row]);
      ASSERT_TRUE(near(row_of(logits, row), expected, 1e-5)) << "step " << step;
    }

    std::vector<std::vector<int>> next_prefixes;
    std::vector<Index> next_sentences;
    hypotheses.clear();
    for (Index row = 0; row < std::ssize(prefixes); ++row) {
      const bool sentence_is_finished = sentences[row] == 2 && step >= 20;
      const bool is_first = row == 0 || sentences[row - 1] != sentences[row];
      const Index children = sentence_is_finished ? 0 : is_first + random.below(2);
      for (Index i = 0; i < children; ++i) {
        const int token = static_cast<int>(kUnknownId + random.below(8));
        hypotheses.push_back({sentences[row], row, token});
        next_prefixes.push_back(prefixes[row]);
        next_prefixes.back().push_back(token);
        next_sentences.push_back(sentences[row]);
      }
    }
    prefixes = next_prefixes;
    sentences = next_sentences;
  }
  EXPECT_GT(prefixes.size(), 4u);
}

TEST(IncrementalDecoder, PredictsWhatThePlainDecoderPredicts) {
  const ModelConfig config = tiny_model(1, 11, 64).config();
  ModelConfig learned = config, wide = config;
  learned.positions = Positions::kLearned;
  wide.d_k = 3;
  wide.d_v = 7;
  for (const ModelConfig& each : {config, learned, wide}) expect_the_plain_decoders_logits({each, 1});
}

}  // namespace
}  // namespace plainformer
