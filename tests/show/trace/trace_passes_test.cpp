// The gradients of a trace are the model's own, to the bit. That each cell, and so each weight, is what the
// equations say is in steps/step_rules_test.cpp.
#include "show/trace/trace_passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ops/ways.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

TraceAxis axis_of(const char* name, Index count, const std::string& letter) {
  auto words = std::make_shared<Words>();
  for (Index i = 0; i < count; ++i) words->push_back(letter + std::to_string(i));
  return {.name = name, .words = words, .of_sentence = name != std::string("vocab")};
}

struct Traced {
  explicit Traced(const ModelConfig& config, double smoothing = 0.1, Index values = 0)
      : model(config, /*seed=*/1), pair(TranslationBatch::from({{4, 5, 6, 4, 12}}, {{7, 8, 5}})) {
    randomize(model.parameters(), 1);
    const TracePass pass = {.pair = pair,
                            .source = axis_of("source_len", 6, "s"),
                            .target_input = axis_of("target_len", 4, "i"),
                            .target_output = axis_of("target_len", 4, "o"),
                            .vocabulary = axis_of("vocab", config.vocab, "v"),
                            .label_smoothing = smoothing};
    TraceRecorder recorder(values);
    const Tensor decoder_output = trace_forward(model, pass, cache, recorder);
    trace_backward(model, pass, cache, decoder_output, recorder);
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

TEST(TracePasses, EachRecordHasAPlaceAndANameOfItsOwn) {
  const Traced traced(small_config());
  std::set<std::string> names;
  for (const TraceRecord& record : traced.records) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name;
    EXPECT_EQ(record.path.size(), 3u) << record.name;
    EXPECT_FALSE(record.section.empty() || record.equation.empty()) << record.name;
  }
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
