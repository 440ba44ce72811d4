// The writers of a trace print the same numbers.
#include <gtest/gtest.h>

#include "io/json.h"
#include "show/trace/trace.h"
#include "show/trace/trace_writers.h"

namespace plainformer {
namespace {

void flatten(const JsonValue& value, std::vector<double>& numbers) {
  if (!value.array()) return numbers.push_back(*value.number());
  for (const JsonValue& each : *value.array()) flatten(each, numbers);
}

TEST(TraceWriters, ARecordAsText) {
  TraceRecorder recorder(/*values=*/2);
  const auto words = std::make_shared<Words>(Words{"a", "Bücher", "</s>"});
  TraceRecord& record = recorder.add({"encoder.0.scores", "3.2.1 (1)", "scores = Q K^T / sqrt(d_k)"},
                                     Tensor::from({1, 1, 3, 3}, {0.5f, 0, -1.5f, 2, 3, 4, 5, 6, 7}),
                                     {{.name = "heads"},
                                      {.name = "query_len", .words = words, .of_sentence = true},
                                      {.name = "key_len", .words = words}});
  EXPECT_EQ(to_text(record),
            "\n"
            "encoder.0.scores  [heads=1, query_len=3, key_len=3]  section 3.2.1 (1)\n"
            "  scores = Q K^T / sqrt(d_k)\n"
            "  min -1.500  mean 2.889  max 7  deviation 2.716  norm 11.90\n"
            "  head 0\n"
            "                a  Bücher\n"
            "    a       0.500       0\n"
            "    Bücher  2.000   3.000\n"
            "    </s>    5.000   6.000\n"
            "  (the first 2 of 3 key_len)\n");
}

TEST(TraceWriters, TheJsonHasAllDigitsAndTheTokens) {
  LoadedModel model = page_model();
  const Trace trace =
      trace_sentence(model, {.model = "the page model", .source = kPageClause, .target = "dass ein Buch"},
                     [](const std::string& warning) { ADD_FAILURE() << warning; });
  const JsonValue json = parse_json(to_json(trace), "json");
  EXPECT_EQ(*json.find("source")->string(), kPageClause);
  EXPECT_EQ(*json.find("target")->string(), "dass ein Buch");
  EXPECT_EQ(json.find("model")->find("d_model")->size(), 6);
  EXPECT_EQ(json.find("source_tokens")->array()->size(), 7u);
  EXPECT_EQ(*json.find("loss")->number(), trace.loss);
  const JsonArray& objects = *json.find("records")->array();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const TraceRecord& record = trace.records[i];
    EXPECT_EQ(*objects[i].find("name")->string(), record.name);
    std::vector<double> values;
    flatten(*objects[i].find("values"), values);
    for (std::size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(static_cast<Real>(values[j]), record.shown.data()[j]) << record.name;
    const JsonArray& axes = *objects[i].find("axes")->array();
    ASSERT_EQ(axes.size(), record.axes.size());
    const JsonValue* tokens = axes.front().find("tokens");
    ASSERT_EQ(tokens != nullptr, record.axes.front().words != nullptr) << record.name;
    if (!tokens) continue;
    EXPECT_EQ(*tokens->array()->front().string(), record.axes.front().label(0));
  }
}

}  // namespace
}  // namespace plainformer
