#include "show/trace/trace_sentence.h"

#include <limits>
#include <sstream>

#include "core/check.h"
#include "core/special_symbols.h"
#include "show/html_page.h"
#include "show/trace/trace_passes.h"
#include "training/presets.h"

namespace plainformer {

namespace {

std::shared_ptr<const Words> with_symbol(Words pieces, int symbol) {
  pieces.insert(symbol == kStartId ? pieces.begin() : pieces.end(), kSpecialSpellings[symbol]);
  return std::make_shared<Words>(std::move(pieces));
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
  const Sentence target = request.target ? read_sentence(model, *request.target, "--target", warn)
                                         : translations_of(model, {source}).front();
  const TranslationBatch pair = TranslationBatch::from({source.ids}, {target.ids});
  const TracePass pass = {.pair = pair,
                          .words = {.source = with_symbol(source.pieces, kEndId),
                                    .target_input = with_symbol(target.pieces, kStartId),
                                    .target_output = with_symbol(target.pieces, kEndId),
                                    .vocabulary = all_words(model.vocabulary)},
                          .label_smoothing = request.label_smoothing};

  TraceRecorder recorder(request.values, request.limit);
  Transformer::Cache cache;
  const Tensor logits = trace_forward(transformer, pass, cache, recorder);
  trace_backward(transformer, pass, cache, logits, recorder);
  Trace trace = {.model = request.model,
                 .config = transformer.config(),
                 .source = *pass.words.source,
                 .target = *pass.words.target_output,
                 .source_text = source.text(),
                 .target_text = target.text(),
                 .target_is_given = request.target.has_value(),
                 .label_smoothing = request.label_smoothing,
                 .records = recorder.take()};
  trace.loss = find_record(trace, "loss")->statistics.max;
  return trace;
}

}  // namespace plainformer
