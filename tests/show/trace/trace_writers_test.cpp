// The records of a trace, and the text and the JSON that are written from them.
#include "show/trace/trace_writers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/json.h"
#include "show/trace/trace.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(TraceRecorder, StatisticsAreOverAllElements) {
  const TensorStatistics all = statistics_of(Tensor::from({2, 2}, {-3, 1, 1, 5}));
  EXPECT_EQ(all.min, -3);
  EXPECT_EQ(all.mean, 1);
  EXPECT_EQ(all.max, 5);
  EXPECT_EQ(all.deviation, std::sqrt(8.0));
  EXPECT_EQ(all.norm, 6);
}

TEST(TraceRecorder, NotANumberIsNotPassedOver) {
  for (const Tensor& x :
       {Tensor::from({2}, {NAN, 1}), Tensor::from({2}, {1, NAN}), Tensor::from({1}, {NAN})}) {
    const TensorStatistics all = statistics_of(x);
    for (const double number : {all.min, all.mean, all.max, all.deviation, all.norm})
      EXPECT_TRUE(std::isnan(number)) << number;
  }
}

TEST(TraceRecorder, ShowsTheFirstIndicesOfEachAxisAndSaysSo) {
  Tensor x({1, 2, 3, 5});
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = static_cast<Real>(i);
  TraceRecorder recorder(/*values=*/1);
  recorder.enter({"Forward", "here"});
  recorder.add({"a.b", "3.1", "b = a"}, x,
               {{.name = "heads"}, {.name = "len", .of_sentence = true}, {.name = "d"}});
  const std::vector<TraceRecord> records = recorder.take();
  const TraceRecord& record = records.front();
  EXPECT_EQ(record.path, (std::vector<std::string>{"Forward", "here"}));
  EXPECT_EQ(record.shape(), "[heads=2, len=3, d=5]");
  EXPECT_EQ(record.shown.shape(), (Shape{1, 2, 1}));
  EXPECT_EQ(record.value(0, 1, 0), 5);
  EXPECT_EQ(record.left_out(), "the first 1 of 2 heads, 2 of 3 len, 1 of 5 d");
  EXPECT_EQ(record.statistics.max, 29);
}

TEST(TraceRecorder, ZeroShowsAll) {
  TraceRecorder recorder(0);
  recorder.add({"a", "", ""}, Tensor::zeros({40, 50}), {{.name = "rows"}, {.name = "columns"}});
  recorder.add({"b", "", ""}, Tensor::zeros({7}), {{.name = "columns"}});
  const std::vector<TraceRecord> records = recorder.take();
  EXPECT_EQ(records[0].shown.shape(), (Shape{40, 50}));
  EXPECT_EQ(records[0].left_out(), "");
  EXPECT_EQ(records[1].rows(), 1);
  EXPECT_EQ(records[1].columns(), 7);
}

TEST(TraceRecorder, RefusesTooManyValues) {
  TraceRecorder recorder(0);
  recorder.add({"a", "", ""}, Tensor::zeros({kMostTraceValues}), {{.name = "columns"}});
  const std::string message = thrown_message<std::runtime_error>([&] {
    recorder.add({"b", "", ""}, Tensor::zeros({1}), {{.name = "columns"}});
  });
  EXPECT_TRUE(contains(message, "the trace: has more than 3000000 values to show (hint: ")) << message;
}

TEST(TraceRecorder, AShapeThatDoesNotFitItsAxesIsAnError) {
  TraceRecorder recorder(0);
  const std::string message = thrown_message<std::logic_error>([&] {
    recorder.add({"a", "", ""}, Tensor::zeros({2, 3, 5}), {{.name = "rows"}, {.name = "columns"}});
  });
  EXPECT_NE(message.find("a has the shape [2, 3, 5]"), std::string::npos) << message;
}

// The values of one tensor, as they are written together.
std::string written(std::initializer_list<Real> values) {
  const Tensor tensor = Tensor::from({std::ssize(values)}, values);
  const NumberStyle style = NumberStyle::of(tensor);
  std::string text;
  for (const Real value : values) text += (text.empty() ? "" : " ") + style.write(static_cast<double>(value));
  return text;
}

TEST(TraceNumber, TheLargestValueSetsTheDecimalsOfAll) {
  EXPECT_EQ(written({0.5f, -0.25f, 0.0001f}), "0.500 -0.250 0.000");
  EXPECT_EQ(written({1.5f, -2.25f}), "1.500 -2.250");
  EXPECT_EQ(written({150.5f, -2.25f}), "150.5 -2.2");
  EXPECT_EQ(written({0.0125f, 0.25e-4f}), "0.0125 0.0000");
  EXPECT_EQ(written({0.0000125f}), "0.0000125");
  EXPECT_EQ(written({1.25e-7f, 0}), "1.25e-07 0");
  EXPECT_EQ(written({1e9f, 1}), "1.00e+09 1.00e+00");
  EXPECT_EQ(written({1, 0, 285}), "1 0 285");
  EXPECT_EQ(written({0.5f, 0, -0.0f, -0.0001f}), "0.500 0 0 0.000") << "an exact zero is shorter";
  EXPECT_EQ(written({NAN, INFINITY, -INFINITY, 0.5f}), "nan inf -inf 0.500");
}

TEST(TraceNumber, TheMeanHasTheDecimalsOfTheLargestValue) {
  const auto mean = [](double min, double value, double max) {
    TraceRecorder recorder(/*values=*/0);
    TraceRecord& record = recorder.add({"a", "", ""}, Tensor::zeros({1}), {{.name = "columns"}});
    record.statistics = {.min = min, .mean = value, .max = max};
    const std::string text = to_text(record);
    const auto begin = text.find("  mean ") + 7;
    return text.substr(begin, text.find(' ', begin) - begin);
  };
  EXPECT_EQ(mean(-1.5, -3e-9, 1), "0.000");
  EXPECT_EQ(mean(0, 0.5714, 1), "0.571");
  EXPECT_EQ(mean(2, 9.2857, 15), "9.29");
  EXPECT_EQ(mean(-INFINITY, NAN, 1), "nan");
}

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
