// The tensors of a trace are those of the model: forward they fit together as the layers' equations say, and
// backward they are the model's own gradients.
#include "show/trace/trace_passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ops/elementwise.h"
#include "ops/softmax.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

std::shared_ptr<const Words> words(Index count, const std::string& letter) {
  auto result = std::make_shared<Words>();
  for (Index i = 0; i < count; ++i) result->push_back(letter + std::to_string(i));
  return result;
}

struct Traced {
  explicit Traced(const ModelConfig& config, double smoothing = 0.1, Index values = 0)
      : model(config, /*seed=*/1), pair(TranslationBatch::from({{4, 5, 6, 4, 12}}, {{7, 8, 5}})) {
    randomize(model.parameters(), 1);
    const TracePass pass = {.pair = pair,
                            .words = {.source = words(6, "s"),
                                      .target_input = words(4, "i"),
                                      .target_output = words(4, "o"),
                                      .vocabulary = words(config.vocab, "v")},
                            .label_smoothing = smoothing};
    TraceRecorder recorder(values);
    const Tensor logits = trace_forward(model, pass, cache, recorder);
    trace_backward(model, pass, cache, logits, recorder);
    records = recorder.take();
  }

  const TraceRecord& record(const std::string& name) const {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const auto& r) { return r.name == name; });
    if (found == records.end()) throw std::out_of_range("no record " + name);
    return *found;
  }
  const Tensor& operator[](const std::string& name) const { return record(name).shown; }

  Transformer model;
  TranslationBatch pair;
  Transformer::Cache cache;
  std::vector<TraceRecord> records;
};

// The same elements to the bit; the batch of one sentence may be left out of one shape.
void expect_same(const Tensor& actual, const Tensor& expected, const std::string& name) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  ASSERT_GT(actual.size(), 0) << name;
  for (Index i = 0; i < actual.size(); ++i)
    ASSERT_EQ(actual.data()[i], expected.data()[i]) << name << ", element " << i;
}

Tensor sum_of(std::initializer_list<const Tensor*> tensors) {
  Tensor sum = Tensor::zeros((*tensors.begin())->shape());
  for (const Tensor* tensor : tensors) sum = add(sum, tensor->reshaped(sum.shape()));
  return sum;
}

TEST(TracePasses, TheGradientsAreThoseOfTheModelsOwnBackward) {
  const WaysInScope plain(plain_ways("all", "test"));
  for (const ModelConfig& config : {small_config(), small_config_with_learned_positions()}) {
    const Traced traced(config);
    Transformer model(config, 1);
    randomize(model.parameters(), 1);
    const double loss = backpropagate(model, traced.pair, DropoutState{});
    EXPECT_FLOAT_EQ(static_cast<float>(traced["loss"](0)), static_cast<float>(loss));
    ParameterList expected = model.parameters(), actual = const_cast<Transformer&>(traced.model).parameters();
    for (std::size_t i = 0; i < expected.size(); ++i)
      expect_same(actual[i].parameter->grad, expected[i].parameter->grad, expected[i].name);
    for (const NamedParameter& p : expected) {
      if (p.name == "position_embedding") continue;  // the target reaches it before the source
      expect_same(traced[p.name + ".grad"], p.parameter->grad, p.name);
    }
  }
}

TEST(TracePasses, TheRowsOfTheEmbeddingAreThoseOfTheTokensThatWereRead) {
  const Traced traced(small_config());
  const TraceRecord& rows = traced.record("embedding.grad_rows");
  const Tensor &all = traced.model.embedding.grad, &part = rows.shown;
  const std::vector<int> read = {1, 4, 5, 6, 7, 8, 2, 12};  // <s> and </s> among them, 4 and 5 only once
  std::set<int> ids(read.begin(), read.end());
  ASSERT_EQ(part.dim(0), std::ssize(ids));
  Index row = 0;
  for (const int id : ids) {
    EXPECT_EQ(rows.axes[0].label(row), "v" + std::to_string(id));
    for (Index j = 0; j < all.dim(1); ++j) EXPECT_EQ(part(row, j), all(id, j));
    ++row;
  }
}

TEST(TracePasses, ForwardTensorsFitTogetherToTheBit) {
  const Traced traced(small_config());
  expect_same(traced["source.input"], sum_of({&traced["source.scaled"], &traced["source.positions"]}), "PE");
  expect_same(traced["source.input"], traced.cache.encoder.layers[0].self_attention.query_input, "source");
  expect_same(traced["target.input"], traced.cache.decoder.layers[0].self_attention.query_input, "target");
  const auto expect_block = [&](const std::string& sublayer, const Tensor& x) {
    expect_same(traced[sublayer + "_norm.sum"], sum_of({&x, &traced[sublayer + ".output"]}), sublayer);
  };
  for (const std::string layer : {"encoder.0", "encoder.1", "decoder.0", "decoder.1"}) {
    const bool decoder = layer[0] == 'd';
    const std::size_t i = layer.back() - '0';
    expect_block(layer + ".self_attention", decoder
                                                ? traced.cache.decoder.layers[i].self_attention.query_input
                                                : traced.cache.encoder.layers[i].self_attention.query_input);
    const Tensor& y = traced[layer + ".self_attention_norm.output"];
    if (decoder) expect_block(layer + ".encoder_decoder_attention", y);
    expect_block(layer + ".feed_forward",
                 decoder ? traced[layer + ".encoder_decoder_attention_norm.output"] : y);
    expect_same(traced[layer + ".feed_forward.hidden"], relu_forward(traced[layer + ".feed_forward.inner"]),
                layer);
  }
  expect_same(traced["encoder.1.feed_forward_norm.output"],
              traced.cache.decoder.layers[0].encoder_decoder_attention.key_input, "memory");
  expect_same(traced["decoder.1.feed_forward_norm.output"], traced.cache.decoder_output, "decoder_output");
}

TEST(TracePasses, TheStepsOfEquation1GiveTheWeightsAndTheHeads) {
  const Traced traced(small_config());
  for (const std::string place :
       {"encoder.1.self_attention", "decoder.0.self_attention", "decoder.1.encoder_decoder_attention"}) {
    const Tensor &scores = traced[place + ".scores"], &mask = traced[place + ".mask"];
    std::vector<Index> visible;
    for (Index h = 0; h < scores.dim(0); ++h)
      for (Index i = 0; i < mask.dim(0); ++i)
        visible.push_back(static_cast<Index>(
            std::accumulate(mask.data() + i * mask.dim(1), mask.data() + (i + 1) * mask.dim(1), Real(0))));
    const Tensor weights = softmax_forward(scores, visible);
    expect_same(traced[place + ".weights"], weights, place);

    const Tensor &v = traced[place + ".v"], &head = traced[place + ".head"];
    for (Index h = 0; h < head.dim(0); ++h)
      for (Index i = 0; i < head.dim(1); ++i)
        for (Index p = 0; p < head.dim(2); ++p) {
          Real sum = 0;
          for (Index j = 0; j < v.dim(1); ++j) sum += weights(h, i, j) * v(h, j, p);
          EXPECT_EQ(head(h, i, p), sum) << place;
        }
  }
  EXPECT_TRUE(same_bits(traced["decoder.0.self_attention.mask"],
                        tensor({4, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1})));
}

TEST(TracePasses, TheStepsOfItsBackwardGiveTheGradientsOfQueryKeyAndValue) {
  const Traced traced(small_config());
  for (const std::string place : {"encoder.0.self_attention", "decoder.1.encoder_decoder_attention"}) {
    const Tensor &grad = traced[place + ".grad_products"], &q = traced[place + ".q"],
                 &k = traced[place + ".k"];
    const Tensor &weights = traced[place + ".weights"], &grad_head = traced[place + ".grad_head"];
    const Tensor &grad_q = traced[place + ".grad_q"], &grad_k = traced[place + ".grad_k"],
                 &grad_v = traced[place + ".grad_v"];
    for (Index h = 0; h < q.dim(0); ++h)
      for (Index p = 0; p < q.dim(2); ++p) {
        for (Index i = 0; i < q.dim(1); ++i) {
          Real sum = 0;
          for (Index j = 0; j < k.dim(1); ++j) sum += grad(h, i, j) * k(h, j, p);
          EXPECT_EQ(grad_q(h, i, p), sum) << place;
        }
        for (Index j = 0; j < k.dim(1); ++j) {
          Real key = 0, value = 0;
          for (Index i = 0; i < q.dim(1); ++i) {
            key += grad(h, i, j) * q(h, i, p);
            value += weights(h, i, j) * grad_head(h, i, p);
          }
          EXPECT_EQ(grad_k(h, j, p), key) << place;
          EXPECT_EQ(grad_v(h, j, p), value) << place;
        }
      }
  }
}

TEST(TracePasses, EachRecordHasAPlaceAndANameOfItsOwn) {
  const Traced traced(small_config());
  std::set<std::string> names;
  for (const TraceRecord& record : traced.records) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name;
    EXPECT_EQ(record.path.size(), 3u) << record.name;
    EXPECT_FALSE(record.section.empty() || record.equation.empty()) << record.name;
  }
}

TEST(TracePasses, EachParameterIsShownForwardWithItsWeightsAndBackwardWithItsGradient) {
  for (const ModelConfig& config : {small_config(), small_config_with_learned_positions()}) {
    const Traced traced(config);
    for (const NamedParameter& p : const_cast<Transformer&>(traced.model).parameters()) {
      expect_same(traced[p.name], p.parameter->value, p.name);
      EXPECT_EQ(traced.record(p.name).path.front(), "Forward") << p.name;
      const bool twice = p.name == "position_embedding";  // of source and of target
      EXPECT_EQ(traced.record((twice ? "target." : "") + p.name + ".grad").path.front(), "Backward");
    }
  }
}

// With head widths of its own (Table 3, row B) a projection is not square: heads * d_k is not d_model. (Axes of
// tokens have the length of their sentence.)
TEST(TracePasses, AxesOfOneNameHaveOneLength) {
  ModelConfig config = small_config();
  config.d_k = config.d_model / config.heads + 1;
  config.d_v = config.d_k + 1;
  std::map<std::string, std::set<Index>> lengths;
  const Traced traced(config);
  for (const TraceRecord& record : traced.records)
    for (const TraceAxis& axis : record.axes)
      if (!axis.of_sentence) lengths[axis.name].insert(axis.extent);
  EXPECT_EQ(lengths.at("heads * d_k"), std::set{config.heads * config.d_k});
  EXPECT_EQ(lengths.at("heads * d_v"), std::set{config.heads * config.d_v});
  for (const auto& [name, of_name] : lengths) EXPECT_EQ(of_name.size(), 1u) << name;
}

TEST(TracePasses, TheBestTokensAreTheMostProbable) {
  const Traced traced(small_config());
  const TraceRecord& best = traced.record("best");
  const Tensor& p = traced["probabilities"];
  for (Index row = 0; row < best.rows(); ++row) {
    std::vector<std::pair<Real, Index>> sorted;
    for (Index k = 0; k < p.dim(1); ++k) sorted.emplace_back(-p(row, k), k);
    std::sort(sorted.begin(), sorted.end());
    for (Index rank = 0; rank < 5; ++rank) {
      EXPECT_EQ(best.shown(row, rank), -sorted[rank].first);
      EXPECT_EQ(best.cell_words[row * 5 + rank], "v" + std::to_string(sorted[rank].second));
    }
  }
}

}  // namespace
}  // namespace plainformer
