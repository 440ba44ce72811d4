#include "show/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/check.h"
#include "core/input_error.h"
#include "core/special_symbols.h"
#include "show/html_page.h"
#include "show/trace/trace_passes.h"
#include "training/presets.h"

namespace plainformer {

namespace {

// The first `kept` indices of each axis, of `all`: one to three axes.
Tensor excerpt(const Tensor& tensor, std::vector<Index> all, std::vector<Index> kept) {
  Tensor part{Shape(kept)};
  for (std::vector<Index>* extents : {&all, &kept}) extents->insert(extents->begin(), 3 - extents->size(), 1);
  Real* to = part.mutable_data();
  for (Index matrix = 0; matrix < kept[0]; ++matrix)
    for (Index row = 0; row < kept[1]; ++row)
      to = std::copy_n(tensor.data() + (matrix * all[1] + row) * all[2], kept[2], to);
  return part;
}

}  // namespace

std::string TraceAxis::label(Index index) const {
  return words ? (*words)[index] : std::to_string(index);
}

std::string TraceRecord::shape() const {
  std::string text;
  for (const TraceAxis& axis : axes)
    text += (text.empty() ? "[" : ", ") + axis.name + "=" + std::to_string(axis.extent);
  return text + "]";
}

std::string TraceRecord::left_out() const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Index extent = shown.dim(static_cast<int>(i));
    if (extent == axes[i].extent) continue;
    text += (text.empty() ? "the first " : ", ") + std::to_string(extent) + " of " +
            std::to_string(axes[i].extent) + " " + axes[i].name;
  }
  return text;
}

void keep_only(Trace& trace, const std::vector<std::string>& names) {
  const auto has_name = [](const TraceRecord& record, const std::string& name) {
    return record.name == name || record.name.starts_with(name + ".");
  };
  for (const std::string& name : names) {
    const auto& records = trace.records;
    if (std::any_of(records.begin(), records.end(), [&](const auto& each) { return has_name(each, name); }))
      continue;
    throw input_error("--only", "no tensor is called \"" + name + "\"",
                      "without --only the trace shows the names of all");
  }
  std::erase_if(trace.records, [&](const TraceRecord& record) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return has_name(record, name); });
  });
}

const TraceRecord& find_record(const Trace& trace, const std::string& name) {
  const auto found = std::find_if(trace.records.begin(), trace.records.end(),
                                  [&](const TraceRecord& record) { return record.name == name; });
  CHECK(found != trace.records.end(), "no record ", name);
  return *found;
}

TensorStatistics statistics_of(const Tensor& tensor) {
  const Real *begin = tensor.data(), *end = begin + tensor.size();
  const auto count = static_cast<double>(tensor.size());
  TensorStatistics result = {.min = INFINITY, .max = -INFINITY};
  double sum = 0, squares = 0, deviations = 0;
  for (const Real* x = begin; x != end; ++x) {
    const auto value = static_cast<double>(*x);
    if (std::isnan(value) || value < result.min) result.min = value;  // a NaN stays: nothing is less than it
    if (std::isnan(value) || value > result.max) result.max = value;
    sum += value;
    squares += value * value;
  }
  result.mean = sum / count;
  for (const Real* x = begin; x != end; ++x) {
    const double distance = static_cast<double>(*x) - result.mean;
    deviations += distance * distance;
  }
  result.deviation = std::sqrt(deviations / count);
  result.norm = std::sqrt(squares);
  return result;
}

TraceRecord& TraceRecorder::add(const Text& text, const Tensor& tensor, std::vector<TraceAxis> axes) {
  CHECK(!axes.empty() && axes.size() <= 3, axes.size(), " axes of ", text.name);
  std::vector<Index> all, kept;
  Index elements = 1, shown = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i].extent = tensor.dim(static_cast<int>(i) - static_cast<int>(axes.size()));
    all.push_back(axes[i].extent);
    const Index most = std::min(values_, all.back()) * (axes[i].of_sentence ? 2 : 1);
    kept.push_back(values_ == 0 ? all.back() : std::min(most, all.back()));
    elements *= all.back();
    shown *= kept.back();
  }
  CHECK(elements == tensor.size(), text.name, " has the shape ", tensor.shape().to_string());
  shown_values_ += shown;
  if (shown_values_ > kMostTraceValues)
    throw input_error(
        "the trace", "has more than " + std::to_string(kMostTraceValues) + " values to show",
        "choose a shorter sentence or a smaller model, or without --steps a smaller number for --values");
  records_.push_back({.path = path_,
                      .name = text.name,
                      .section = text.section,
                      .equation = text.equation,
                      .axes = std::move(axes),
                      .statistics = statistics_of(tensor),
                      .shown = excerpt(tensor, all, kept)});
  return records_.back();
}

// ---- a sentence

namespace {

// The positions of a sentence, with <s> before it or </s> after it.
TraceAxis positions(const char* name, Words pieces, int symbol) {
  pieces.insert(symbol == kStartId ? pieces.begin() : pieces.end(), kSpecialSpellings[symbol]);
  return {.name = name, .words = std::make_shared<Words>(std::move(pieces)), .of_sentence = true};
}

std::shared_ptr<const Words> all_words(const Vocabulary& vocabulary) {
  auto words = std::make_shared<Words>();
  for (int id = 0; id < vocabulary.size(); ++id) words->push_back(vocabulary.token(id));
  return words;
}

}  // namespace

LoadedModel page_model() {
  LoadedModel model;
  model.byte_pairs = BytePairEncoding::parse(embedded_file("../docs/page-model/bpe.codes"), "bpe.codes");
  model.vocabulary = Vocabulary::parse(embedded_file("../docs/page-model/vocabulary.txt"), "vocabulary.txt");
  ModelConfig config = preset_recipe("page")->model;
  config.vocab = model.vocabulary.size();
  model.transformer = std::make_unique<Transformer>(config, /*seed=*/0);
  std::istringstream weights(embedded_file("show/steps/page_weights.txt"));
  weights.ignore(std::numeric_limits<std::streamsize>::max(), '\n');  // what the file says of itself
  for (const NamedParameter& each : model.transformer->parameters()) {
    std::string name;
    weights >> name;
    CHECK(name == each.name, "the weights of ", name, " where ", each.name, " was expected");
    Tensor& value = each.parameter->value;
    for (Index i = 0; i < value.size(); ++i) {
      int hundredths = 0;
      weights >> hundredths;
      value.mutable_data()[i] = static_cast<Real>(hundredths) / Real{100};
    }
    CHECK(weights, "too few weights for ", name);
  }
  return model;
}

Trace trace_sentence(LoadedModel& model, const TraceRequest& request, const Warn& warn) {
  Transformer& transformer = *model.transformer;
  const Sentence source = read_sentence(model, request.source, "--source", warn);
  const Sentence target = request.target
                              ? read_sentence(model, *request.target, "--target", warn, Side::kTarget)
                              : translations_of(model, {source}).front();
  const TranslationBatch pair = TranslationBatch::from({source.ids}, {target.ids});
  const TracePass pass = {.pair = pair,
                          .source = positions("source_len", source.pieces, kEndId),
                          .target_input = positions("target_len", target.pieces, kStartId),
                          .target_output = positions("target_len", target.pieces, kEndId),
                          .vocabulary = {.name = "vocab", .words = all_words(model.vocabulary)},
                          .label_smoothing = request.label_smoothing};

  TraceRecorder recorder(request.values);
  Transformer::Cache cache;
  const Tensor decoder_output = trace_forward(transformer, pass, cache, recorder);
  trace_backward(transformer, pass, cache, decoder_output, recorder);
  Trace trace = {.model = request.model,
                 .config = transformer.config(),
                 .source = *pass.source.words,
                 .target = *pass.target_output.words,
                 .source_text = source.text(),
                 .target_text = target.text(),
                 .target_is_given = request.target.has_value(),
                 .label_smoothing = request.label_smoothing,
                 .records = recorder.take()};
  trace.loss = find_record(trace, "loss").statistics.max;
  return trace;
}

}  // namespace plainformer
