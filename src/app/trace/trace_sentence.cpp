#include "app/trace/trace_sentence.h"

#include "app/trace/trace_passes.h"
#include "app/train/train_settings.h"
#include "data/text.h"
#include "decoding/decode_all.h"
#include "decoding/encoded_sources.h"

namespace plainformer {

namespace {

constexpr Index kSeed = 1;

// The ids of a line, cut to what the model can read beside one special symbol.
std::vector<int> encode(LoadedModel& model, const std::string& line, const std::string& option,
                        const std::function<void(std::string)>& warn) {
  std::vector<int> ids = model.encode(sanitize_line(line, /*is_first=*/true));
  const Index longest = longest_source(model.transformer->config());
  if (std::ssize(ids) > longest) {
    warn(option + ": " + std::to_string(ids.size()) + " tokens, cut to " + std::to_string(longest) +
         " (hint: split long lines into sentences)");
    ids.resize(longest);
  }
  return ids;
}

// As for `plainformer translate`, the translation of an empty line is empty.
std::vector<int> greedy_translation(const Transformer& model, const std::vector<int>& source,
                                    Index extra_length) {
  if (source.empty()) return {};
  SearchOptions options = kGreedy;
  options.limits.extra_length = extra_length;
  return decode_all(model, {source}, options).front().front().tokens;
}

std::shared_ptr<const Words> words_of(const LoadedModel& model, const TokenBatch& tokens) {
  return std::make_shared<Words>(model.vocabulary.decode(tokens.ids));
}

std::shared_ptr<const Words> all_words(const Vocabulary& vocabulary) {
  auto words = std::make_shared<Words>();
  for (int id = 0; id < vocabulary.size(); ++id) words->push_back(vocabulary.token(id));
  return words;
}

}  // namespace

LoadedModel untrained_model(const std::string& source, const std::string& target) {
  // Counted twice, each word becomes one piece.
  WordCounts words;
  for (const std::string& line : {source, target, std::string(kDefaultSource), std::string(kDefaultTarget)})
    for (int i = 0; i < 2; ++i) count_words(sanitize_line(line, true), words);
  LoadedModel model;
  model.byte_pairs = BytePairEncoding::learn(words, preset_settings("nano").merges);
  Vocabulary::TokenCounts tokens;
  for (const std::string& line : {source, target, std::string(kDefaultSource), std::string(kDefaultTarget)})
    for (const std::string& piece : model.byte_pairs.apply(sanitize_line(line, true))) ++tokens[piece];
  model.vocabulary = Vocabulary::from_counts(tokens);

  ModelConfig config = preset_settings("nano").model;
  config.vocab = model.vocabulary.size();
  config.max_length = ModelConfig().max_length;
  model.transformer = std::make_unique<Transformer>(config, kSeed);
  return model;
}

Trace trace_sentence(LoadedModel& model, const TraceRequest& request,
                     const std::function<void(std::string)>& warn) {
  Transformer& transformer = *model.transformer;
  const std::vector<int> source = encode(model, request.source, "--source", warn);
  const std::vector<int> target = request.target_is_given
                                      ? encode(model, request.target, "--target", warn)
                                      : greedy_translation(transformer, source, request.extra_length);
  const TranslationBatch pair = TranslationBatch::from({source}, {target});
  const TracePass pass = {.pair = pair,
                          .words = {.source = words_of(model, pair.source),
                                    .target_input = words_of(model, pair.target_input),
                                    .target_output = words_of(model, pair.target_output),
                                    .vocabulary = all_words(model.vocabulary)},
                          .label_smoothing = request.label_smoothing};

  TraceRecorder recorder(request.values);
  Transformer::Cache cache;
  const Tensor logits = trace_forward(transformer, pass, cache, recorder);
  trace_backward(transformer, pass, cache, logits, recorder);
  Trace trace = {.model = request.model,
                 .config = transformer.config(),
                 .source = *pass.words.source,
                 .target = *pass.words.target_output,
                 .source_text = model.decode(source),
                 .target_text = model.decode(target),
                 .target_is_given = request.target_is_given,
                 .label_smoothing = request.label_smoothing,
                 .records = recorder.take()};
  trace.loss = find_record(trace, "loss")->statistics.max;
  return trace;
}

}  // namespace plainformer
