// "Change a number": one sentence through a model of which a reader changes words and weights, or which makes
// one step of training. All that the step page then shows is computed anew.
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "answers.h"
#include "bugs.h"
#include "core/input_error.h"
#include "core/thread_pool.h"
#include "model_folder/notes.h"
#include "ops/ways.h"
#include "parcel.h"
#include "show/steps/steps_page.h"
#include "show/trace/trace.h"
#include "training/presets.h"
#include "training/training_loop.h"

namespace plainformer {
namespace {

constexpr Index kExtraLength = 8;
constexpr char kWhere[] = "your change";
constexpr char kSourceNote[] = "--source: ",
               kTargetNote[] = "--target: ";  // what read_sentence writes, of one length

// The toy of a run that engine.cpp packed, without the weights of the run.
LoadedModel toy_of(const Parcel& parcel) {
  LoadedModel model;
  model.byte_pairs = BytePairEncoding::parse(parcel.text("codes"), "codes");
  model.vocabulary = Vocabulary::parse(parcel.text("vocabulary"), "vocabulary");
  ModelConfig config = preset_recipe("toy")->model;
  config.vocab = model.vocabulary.size();
  model.transformer = std::make_unique<Transformer>(config, /*seed=*/0);
  return model;
}

class LiveModel {
 public:
  // The model of docs/page-model and its clause.
  LiveModel()
      : name_("the page model"),
        source_(kPageClause),
        model_(page_model()),
        parameters_(model_.transformer->parameters()),
        adam_(parameters_, {}) {}

  // The toy in training, and the sentence that its reader typed.
  explicit LiveModel(const Parcel& parcel)
      : name_("the toy"),
        source_(parcel.text("source")),
        model_(toy_of(parcel)),
        parameters_(model_.transformer->parameters()),
        adam_(parameters_, {}) {
    unpack(parcel, parameters_, adam_, parcel.size("steps"));
  }

  // The changes of a request, and the trace after them:
  //   {"source": "...", "target": "..."}   the sentences; instead of an empty target, what the model writes
  //   {"tensor": "...", "offset": 3, "value": 0.5}   one weight
  //   {"train": 0.001}   one step on this pair, without dropout and label smoothing; the rate is that of the
  //                      first step, and step t divides it by sqrt(t)
  //   {"bugs": ["attention-no-scale"]}   those of bugs.json that are on; the others are off
  //   {"page": true}   answers with the whole page instead of its data
  std::string change(const JsonValue& request) {
    const WaysInScope plain(plain_ways("all", kWhere));
    notes_.clear();
    read_sentences(request);
    if (request.find("bugs")) switch_bugs(request);
    if (request.find("tensor")) set_weight(request);
    if (target_.empty()) target_ = own_translation();
    if (const JsonValue* rate = request.find("train")) train_with(learning_rate(*rate));
    const Trace trace = traced();
    if (request.find("page")) return to_json(JsonObject{{"page", steps_page(trace)}});
    JsonObject about = {{"target", target_}, {"writes", own_translation()}, {"steps", adam_.steps()}};
    about.emplace_back("notes", notes_);
    std::string json = to_json(about);
    json.pop_back();
    return json + ", \"data\": " + steps_data(trace) + "}";
  }

 private:
  void read_sentences(const JsonValue& request) {
    const JsonValue *source = request.find("source"), *target = request.find("target");
    if (source && source->string()) source_ = *source->string();
    if (target && target->string()) target_ = *target->string();
  }

  static void switch_bugs(const JsonValue& request) {
    const JsonArray* names = request.find("bugs")->array();
    for (const auto& [name, is_on] : bug::all) {
      *is_on = false;
      for (const JsonValue& wanted : names ? *names : JsonArray())
        if (wanted.string() && *wanted.string() == name) *is_on = true;
    }
  }

  void set_weight(const JsonValue& request) {
    const JsonValue *name = request.find("tensor"), *offset = request.find("offset"),
                    *value = request.find("value");
    for (const NamedParameter& each : parameters_) {
      if (!name->string() || each.name != *name->string()) continue;
      Tensor& tensor = each.parameter->value;
      const std::optional<Index> at = offset ? offset->size() : std::nullopt;
      const std::optional<double> number = value ? value->number() : std::nullopt;
      if (!at || *at >= tensor.size() || !number || !std::isfinite(static_cast<Real>(*number)))
        throw input_error(kWhere, "this is no number of " + each.name, "write one such as -0.25");
      tensor.mutable_data()[*at] = static_cast<Real>(*number);
      return;
    }
    throw input_error(kWhere, "it is computed, not learned", "change a parameter, or a word");
  }

  // What the model writes: greedily, and not much longer than the sentence, for an untrained one finds no
  // end.
  std::string own_translation() {
    SearchOptions options = kGreedy;
    options.limits.extra_length = kExtraLength;
    return translations_of(model_, {read(source_, Side::kSource)}, options).front().text();
  }

  // Without a note on it: traced() makes them.
  Sentence read(const std::string& text, Side side) {
    return read_sentence(
        model_, text, "", [](const std::string&) {}, side);
  }

  // Sets the gradients to what the last step of training left, if the bug is on by which the next pass adds
  // to it; else to zero.
  void begin_gradients() {
    zero_gradients(parameters_);
    if (!bug::gradients_not_zeroed || left_.empty()) return;
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].parameter->grad = left_[i];
  }

  Trace traced() {
    begin_gradients();
    JsonArray notes;
    const TraceRequest request = {
        .model = name_ + (adam_.steps() > 0 ? ", training step " + std::to_string(adam_.steps()) : ""),
        .source = source_,
        .target = target_,
        .values = 0};
    const auto add_note = [&](const std::string& note) {
      const bool is_of_source = note.starts_with(kSourceNote), is_of_target = note.starts_with(kTargetNote);
      const std::string text = is_of_source || is_of_target ? note.substr(std::size(kSourceNote) - 1) : note;
      notes.push_back((is_of_target ? "German: " : "English: ") + text);
    };
    Trace trace = trace_sentence(model_, request, add_note);
    notes_ = std::move(notes);
    return trace;
  }

  static double learning_rate(const JsonValue& value) {
    const std::optional<double> rate = value.number();
    if (!rate || !(*rate > 0 && *rate <= 1))
      throw input_error(kWhere, "this is no learning rate", "choose 0.001");
    return *rate;
  }

  // The loop of `plainformer train`, with a batch of this one pair.
  void train_with(double rate) {
    const TranslationBatch pair =
        TranslationBatch::from({read(source_, Side::kSource).ids}, {read(target_, Side::kTarget).ids});
    const Index d_model = model_.transformer->config().d_model;
    const TrainingOptions options = {
        .dropout = 0,
        .label_smoothing = 0,
        .learning_rate = {.d_model = d_model,
                          .warmup_steps = 1,
                          .scale = rate * std::sqrt(static_cast<double>(d_model))},
        .steps = adam_.steps() + 1,
        .validate_every = 0,
        .checkpoint_every = 0};
    const BatchSource batches = {.begin_epoch = [](Index) { return Index{1}; },
                                 .batch = [&](Index) { return pair; }};
    std::optional<StepReport> report;
    begin_gradients();
    train(
        *model_.transformer, adam_, progress_, options, batches,
        {.stop = [&] { return report.has_value(); }, .after_step = [&](const StepReport& r) { report = r; }});
    left_.clear();
    for (const NamedParameter& each : parameters_) left_.push_back(each.parameter->grad);
    if (report->skipped())
      throw input_error(kWhere, report->not_finite + " is not finite, so no step was made", "undo it");
  }

  std::string name_, source_, target_;
  LoadedModel model_;
  ParameterList parameters_;
  Adam adam_;
  TrainingProgress progress_;
  JsonArray notes_;
  std::vector<Tensor> left_;  // the gradients of the last step of training
};

std::unique_ptr<LiveModel> live;

}  // namespace
}  // namespace plainformer

// ---- what engine.js calls

using namespace plainformer;

extern "C" {

// The model of the parcel that engine.js wrote; without one, the page model.
const char* live_open() {
  return answer_to([] {
    set_threads(1);
    live = typed.empty() ? std::make_unique<LiveModel>() : std::make_unique<LiveModel>(open_parcel(typed));
    return JsonObject{};
  });
}

const char* live_change() {
  return answer_to([] { return live->change(parse_json(typed, kWhere)); });
}

}  // extern "C"
