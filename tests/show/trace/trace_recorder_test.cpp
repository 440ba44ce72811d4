#include "show/trace/trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "show/trace/trace_writers.h"
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
  EXPECT_EQ(statistics_of(Tensor()).norm, 0);
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
    return write_statistics({.min = min, .mean = value, .max = max})[1];
  };
  EXPECT_EQ(mean(-1.5, -3e-9, 1).first, "mean");
  EXPECT_EQ(mean(-1.5, -3e-9, 1).second, "0.000");
  EXPECT_EQ(mean(0, 0.5714, 1).second, "0.571");
  EXPECT_EQ(mean(2, 9.2857, 15).second, "9.29");
  EXPECT_EQ(mean(-INFINITY, NAN, 1).second, "nan");
}

}  // namespace
}  // namespace plainformer
