// The writers of a trace print the same numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "io/json.h"
#include "show/trace/trace.h"
#include "show/trace/trace_sentence.h"
#include "show/trace/trace_writers.h"

namespace plainformer {
namespace {

Trace untrained_trace(Index values = 8, const std::string& source = kDefaultSource,
                      const std::string& target = kDefaultTarget) {
  LoadedModel model = untrained_model(source, target);
  return trace_sentence(model,
                        {.model = "an untrained model",
                         .source = source,
                         .target = target,
                         .target_is_given = true,
                         .values = values},
                        [](const std::string& warning) { ADD_FAILURE() << warning; });
}

// The text from `begin` up to the next `end`, or to its end.
std::string text_between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  return text.substr(from, text.find(end, from + begin.size()) - from);
}

std::vector<std::string> fields_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// The five statistics, then the values: as the text has them.
std::vector<std::string> numbers_in_text(const std::string& text, const TraceRecord& record) {
  std::istringstream lines(text_between(text, "\n" + record.name + "  [", "\n\n").substr(1));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);  // the equation
  std::getline(lines, line);
  const std::vector<std::string> all = fields_of(line);
  std::vector<std::string> numbers = {all.at(1), all.at(3), all.at(5), all.at(7), all.at(9)};
  const std::size_t step = record.cell_words.empty() ? 1 : 2, columns = record.columns();
  bool is_header = true;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (line.starts_with("    ") && !is_header)
      for (std::size_t i = 0; i < columns; ++i)
        numbers.push_back(fields.at(fields.size() - step * columns + step * i + step - 1));
    is_header = !line.starts_with("    ");  // the first line of a matrix names its columns
  }
  return numbers;
}

void flatten(const JsonValue& value, std::vector<double>& numbers) {
  if (!value.array()) return numbers.push_back(*value.number());
  for (const JsonValue& each : *value.array()) flatten(each, numbers);
}

std::vector<std::string> numbers_in_json(const JsonValue& object, const TraceRecord& record) {
  std::vector<std::string> numbers;
  TensorStatistics all;
  const auto set = [&](const char* name, double& number) { number = *object.find(name)->number(); };
  set("min", all.min);
  set("mean", all.mean);
  set("max", all.max);
  set("deviation", all.deviation);
  set("norm", all.norm);
  for (const auto& [name, number] : write_statistics(all)) numbers.push_back(number);
  std::vector<double> values;
  flatten(*object.find("values"), values);
  for (const double value : values) numbers.push_back(NumberStyle::of(record.shown).write(value));
  return numbers;
}

TEST(TraceWriters, EveryNumberOfTheTextIsThatOfTheJson) {
  const Trace trace = untrained_trace();
  const std::string text = to_text(trace);
  const JsonValue json = parse_json(to_json(trace), "json");
  const JsonArray& objects = *json.find("records")->array();
  ASSERT_EQ(objects.size(), trace.records.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < trace.records.size(); ++i) {
    const TraceRecord& record = trace.records[i];
    const std::vector<std::string> expected = numbers_in_text(text, record);
    EXPECT_EQ(std::ssize(expected), 5 + record.shown.size()) << record.name;
    EXPECT_EQ(numbers_in_json(objects[i], record), expected) << record.name;
    count += expected.size();
  }
  EXPECT_GT(count, 8000u);
  EXPECT_NE(text.find(describe_loss(trace)), std::string::npos);
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
  const Trace trace = untrained_trace();
  const JsonValue json = parse_json(to_json(trace), "json");
  EXPECT_EQ(*json.find("source")->string(), kDefaultSource);
  EXPECT_EQ(*json.find("target")->string(), kDefaultTarget);
  EXPECT_EQ(json.find("model")->find("d_model")->size(), 8);
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

TEST(TraceWriters, ALongSentenceIsNotMuchLongerThanAShortOne) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "word" + std::to_string(i % 7) + " ";
  const Trace trace = untrained_trace(4, text, text);
  EXPECT_EQ(find_record(trace, "source.ids")->axes.front().extent, 301);
  EXPECT_LT(to_text(trace).size(), 500'000u);
  EXPECT_NE(to_text(trace).find("(the first 8 of 301 query_len, 8 of 301 key_len)"), std::string::npos);
}

}  // namespace
}  // namespace plainformer
