#include "show/trace/trace_writers.h"

#include "core/number_text.h"
#include "io/json.h"
#include "model_folder/weights.h"

namespace plainformer {

namespace {

JsonArray array_of(const Words& words) {
  return JsonArray(words.begin(), words.end());
}

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
    if (axis.words)
      object.emplace_back("tokens", array_of(Words(axis.words->begin(), axis.words->begin() + shown)));
    axes.push_back(std::move(object));
  }
  const TensorStatistics& all = record.statistics;
  JsonObject object = {{"name", record.name},        {"path", array_of(record.path)},
                       {"section", record.section},  {"equation", record.equation},
                       {"axes", std::move(axes)},    {"min", all.min},
                       {"mean", all.mean},           {"max", all.max},
                       {"deviation", all.deviation}, {"norm", all.norm},
                       {"values", values_of(record)}};
  if (!record.cell_words.empty()) object.emplace_back("value_tokens", array_of(record.cell_words));
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
  text += member("source_tokens", array_of(trace.source));
  text += member("target", trace.target_text);
  text += member("target_tokens", array_of(trace.target));
  text += member("target_is_given", trace.target_is_given);
  text += member("label_smoothing", trace.label_smoothing);
  text += member("loss", trace.loss);
  text += "\"records\": [\n";
  for (const TraceRecord& record : trace.records)
    text += to_json(object_of(record)) + (&record == &trace.records.back() ? "\n" : ",\n");
  return text + "]}\n";
}

}  // namespace plainformer
