#include "show/trace/trace_writers.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "io/json.h"
#include "model_folder/weights.h"
#include "report/numbers.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr double kLargestFixed = 1e7, kSmallestFixed = 1e-5;
constexpr int kWidestTextLabel = 16;

std::string label_of(const TraceAxis& axis, Index index) {
  return truncate_to_width(printable(axis.label(index)), kWidestTextLabel);
}

std::string matrix_text(const TraceRecord& record, Index matrix, const NumberStyle& style) {
  Table table = {.columns = {{""}}};
  for (Index column = 0; column < record.columns(); ++column)
    table.columns.push_back({label_of(record.column_axis(), column), ColumnKind::kNumber});
  for (Index row = 0; row < record.rows(); ++row) {
    table.rows.push_back({"    " + (record.row_axis() ? label_of(*record.row_axis(), row) : "")});
    for (Index column = 0; column < record.columns(); ++column) {
      std::string cell = style.write(record.value(matrix, row, column));
      if (!record.cell_words.empty()) {
        const std::string& word = record.cell_words[row * record.columns() + column];
        cell = truncate_to_width(printable(word), kWidestTextLabel) + " " + cell;
      }
      table.rows.back().push_back(std::move(cell));
    }
  }
  return render_table(table, /*with_bars=*/false);
}

std::string write_number(double value) {
  return NumberStyle::of(value).write(value);
}

std::string heading(const std::vector<std::string>& path) {
  std::string text = "\n#";
  for (const std::string& part : path) text += (&part == &path.front() ? " " : " / ") + part;
  return text + "\n";
}

}  // namespace

NumberStyle::NumberStyle(double largest, bool integers) {
  if (largest == 0) return;
  scientific_ = largest >= kLargestFixed || largest < kSmallestFixed;
  const int magnitude = static_cast<int>(std::floor(std::log10(largest)));  // 0 for 1 to 10
  if (!integers || scientific_) decimals_ = std::clamp(magnitude >= 0 ? 3 - magnitude : 2 - magnitude, 0, 8);
}

NumberStyle NumberStyle::of(const Tensor& values) {
  double largest = 0;
  bool integers = true;
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values.data()[i]);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    integers = integers && value == std::floor(value);
  }
  return NumberStyle(largest, integers);
}

NumberStyle NumberStyle::of(double value) {
  return NumberStyle(std::isfinite(value) ? std::abs(value) : 0, value == std::floor(value));
}

NumberStyle NumberStyle::up_to(double largest) {
  return NumberStyle(std::isfinite(largest) ? largest : 0, /*integers=*/false);
}

std::string NumberStyle::write(double value) const {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return fixed_text(value, 0);
  if (scientific_) return scientific_text(value, 2);
  const std::string text = fixed_text(value, decimals_);
  const bool rounds_to_zero = text.find_first_not_of("-0.") == std::string::npos;
  return rounds_to_zero && text.front() == '-' ? text.substr(1) : text;
}

std::string describe_model(const Trace& trace) {
  return trace.model + ": " + describe_sizes(trace.config);
}

std::string describe_target(const Trace& trace) {
  return trace.target_is_given ? "given" : "the model's own greedy translation";
}

std::string describe_loss(const Trace& trace) {
  return write_number(trace.loss) + " nats over " + std::to_string(trace.target.size()) +
         " tokens, label smoothing " + write_number(trace.label_smoothing);
}

std::string to_text(const TraceRecord& record) {
  std::string text = "\n" + record.name + "  " + record.shape() + "  section " + record.section + "\n  " +
                     record.equation + "\n";
  // The mean has no more decimals than the largest value needs: the mean of a gradient is often zero apart
  // from rounding, which differs between machines.
  const auto& [min, mean, max, deviation, norm] = record.statistics;
  const NumberStyle of_mean = NumberStyle::up_to(std::max(std::abs(min), std::abs(max)));
  text += "  min " + write_number(min) + "  mean " + of_mean.write(mean) + "  max " + write_number(max) +
          "  deviation " + write_number(deviation) + "  norm " + write_number(norm) + "\n";
  const NumberStyle style = NumberStyle::of(record.shown);
  for (Index matrix = 0; matrix < record.matrices(); ++matrix) {
    if (record.axes.size() == 3) text += "  head " + std::to_string(matrix) + "\n";
    text += matrix_text(record, matrix, style);
  }
  if (!record.left_out().empty()) text += "  (" + record.left_out() + ")\n";
  return text;
}

std::string records_to_text(const Trace& trace) {
  std::string text;
  for (const TraceRecord& record : trace.records) text += to_text(record);
  return text.substr(std::min<std::size_t>(text.size(), 1));  // the line break before the first
}

std::string to_text(const Trace& trace) {
  std::string text = "One sentence through the model, forward and backward.\nmodel   " +
                     printable(describe_model(trace)) + "\nsource  " + printable(trace.source_text) +
                     "\ntarget  " + printable(trace.target_text) + "  (" + describe_target(trace) +
                     ")\nloss    " + describe_loss(trace) + "\nnames   " + kNamesInEquations + "\n";
  const std::vector<std::string>* path = nullptr;
  for (const TraceRecord& record : trace.records) {
    if (!path || *path != record.path) text += heading(record.path);
    path = &record.path;
    text += to_text(record);
  }
  return text;
}

// ---- JSON

namespace {

// The fewest digits that read back as the same float.
JsonValue number(Real value) {
  return *parse_number<double>(shortest_text(value));
}

JsonArray row_of(const TraceRecord& record, Index matrix, Index row) {
  const Real* begin = record.shown.data() + (matrix * record.rows() + row) * record.columns();
  JsonArray values;
  for (const Real* value = begin; value != begin + record.columns(); ++value)
    values.push_back(number(*value));
  return values;
}

// Nested as deep as the tensor has axes.
JsonArray values_of(const TraceRecord& record) {
  if (record.axes.size() == 1) return row_of(record, 0, 0);
  JsonArray matrices;
  for (Index matrix = 0; matrix < record.matrices(); ++matrix) {
    JsonArray rows;
    for (Index row = 0; row < record.rows(); ++row) rows.push_back(row_of(record, matrix, row));
    matrices.push_back(std::move(rows));
  }
  return record.axes.size() == 3 ? matrices : *matrices.front().array();
}

JsonObject object_of(const TraceRecord& record) {
  JsonArray axes;
  for (std::size_t i = 0; i < record.axes.size(); ++i) {
    const TraceAxis& axis = record.axes[i];
    const Index shown = record.shown.dim(static_cast<int>(i));
    JsonObject object = {{"name", axis.name}, {"extent", axis.extent}, {"shown", shown}};
    if (axis.words) object.emplace_back("tokens", Words(axis.words->begin(), axis.words->begin() + shown));
    axes.push_back(std::move(object));
  }
  const TensorStatistics& all = record.statistics;
  JsonObject object = {{"name", record.name},        {"path", record.path},
                       {"section", record.section},  {"equation", record.equation},
                       {"axes", std::move(axes)},    {"min", all.min},
                       {"mean", all.mean},           {"max", all.max},
                       {"deviation", all.deviation}, {"norm", all.norm},
                       {"values", values_of(record)}};
  if (!record.cell_words.empty()) object.emplace_back("value_tokens", record.cell_words);
  return object;
}

JsonObject config_of(const Trace& trace) {
  const ModelConfig& config = trace.config;
  return {{"name", trace.model},
          {"d_model", config.d_model},
          {"d_ff", config.d_ff},
          {"heads", config.heads},
          {"encoder_layers", config.encoder_layers},
          {"decoder_layers", config.decoder_layers},
          {"vocab", config.vocab},
          {"max_length", config.max_length},
          {"positional_encoding", name_of(config.positions)}};
}

}  // namespace

std::string to_json(const Trace& trace) {
  const auto member = [](const char* name, const JsonValue& value) {
    return "\"" + std::string(name) + "\": " + to_json(value) + ",\n";
  };
  std::string text = "{";
  text += member("model", config_of(trace));
  text += member("source", trace.source_text);
  text += member("source_tokens", trace.source);
  text += member("target", trace.target_text);
  text += member("target_tokens", trace.target);
  text += member("target_is_given", trace.target_is_given);
  text += member("label_smoothing", trace.label_smoothing);
  text += member("loss", trace.loss);
  text += "\"records\": [\n";
  for (const TraceRecord& record : trace.records)
    text += to_json(object_of(record)) + (&record == &trace.records.back() ? "\n" : ",\n");
  return text + "]}\n";
}

}  // namespace plainformer
