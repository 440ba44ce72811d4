#include "lab/table_3/variation_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/input_error.h"
#include "data/text.h"
#include "evaluation/bleu.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "platform/platform.h"
#include "runs/train_model.h"
#include "runs/validation.h"

namespace plainformer {

namespace {

constexpr Index kMaxResultBytes = 1 << 16;
constexpr const char* kDamagedHint = "remove the folder; the run is then trained again";

std::string result_file(const std::string& folder) {
  return folder + "/result.json";
}

// The time of all sessions of a run until now. Each begins to count from 0 again.
double seconds_in_log(const std::string& path) {
  if (!std::filesystem::exists(to_path(path))) return 0;
  double total = 0, last = 0;
  std::ifstream log = open_text_file(path);
  for (std::string line; std::getline(log, line);) {
    if (log.eof()) break;  // without a line's end: it was cut off
    try {
      const JsonValue entry = parse_json(line, path);
      const JsonValue* seconds = entry.find("seconds");
      if (!seconds || !seconds->number()) continue;
      if (*seconds->number() < last) total += last;
      last = *seconds->number();
    } catch (const std::runtime_error&) {
      break;  // a resumed run leaves out the rest, too
    }
  }
  return total + last;
}

double number_of_weights(Transformer& model) {
  double count = 0;
  for (const NamedParameter& p : model.parameters()) count += static_cast<double>(p.parameter->value.size());
  return count;
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file_atomically(path, text);
}

// Keeps the translations and their references in the folder, for `plainformer bleu --baseline`.
VariationResult measure(const TrainSettings& settings, const FinishedRun& trained) {
  const ModelFolder folder(settings.out);
  LoadedModel model = load_model(folder);
  const ParallelCorpus& valid = trained.corpora.valid;
  const TranslationTask task =
      translation_task(settings, valid, std::ssize(valid.pairs()), model.byte_pairs, model.vocabulary);
  const double perplexity = measure_validation(*model.transformer, trained.encoded, settings).perplexity;
  if (!std::isfinite(perplexity))
    throw input_error(settings.out, "the training diverged: its perplexity is not finite",
                      "choose a smaller --learning-rate-scale");
  const std::vector<std::string> translations =
      translations_of(task, *model.transformer, model.vocabulary, SearchOptions());
  write_lines(settings.out + "/translations.txt", translations);
  write_lines(settings.out + "/references.txt", task.references);
  return {.perplexity = perplexity,
          .bleu = corpus_bleu(translations, task.references).score,
          .parameters = number_of_weights(*model.transformer)};
}

JsonValue parse_result(const std::string& path) {
  const std::string text = read_file(path, kMaxResultBytes);
  try {
    return parse_json(text, path);
  } catch (const std::runtime_error&) {
    throw input_error(path, "is damaged", kDamagedHint);
  }
}

double number_at(const JsonValue& result, const std::string& name, const std::string& path) {
  const JsonValue* value = result.find(name);
  if (value && value->number() && *value->number() >= 0) return *value->number();
  throw input_error(path, "has no \"" + name + "\" from 0 on", kDamagedHint);
}

}  // namespace

std::optional<VariationResult> read_variation_result(const std::string& folder) {
  const std::string path = result_file(folder);
  if (!std::filesystem::exists(to_path(path))) return std::nullopt;
  const JsonValue result = parse_result(path);
  return VariationResult{.perplexity = number_at(result, "perplexity", path),
                         .bleu = number_at(result, "bleu", path),
                         .parameters = number_at(result, "parameters", path),
                         .seconds = number_at(result, "seconds", path)};
}

void write_variation_result(const std::string& folder, const VariationResult& result) {
  write_file_atomically(result_file(folder), to_json(JsonObject{{"perplexity", result.perplexity},
                                                                {"bleu", result.bleu},
                                                                {"parameters", result.parameters},
                                                                {"seconds", result.seconds}}) +
                                                 "\n");
}

int run_variation(TrainSettings settings) {
  const ModelFolder folder(settings.out);
  settings.resume = std::filesystem::exists(to_path(folder.training_state()));
  settings.overwrite =
      !settings.resume;  // a run that was stopped at its beginning left nothing to go on with
  settings.samples = 0;
  const double seconds_before = settings.resume ? seconds_in_log(folder.log()) : 0;
  const auto start = std::chrono::steady_clock::now();
  FinishedRun trained = train_model(settings);
  if (trained.signal != 0) return trained.signal;

  trained.encoded.valid_bleu = {};  // all of the validation text is translated in `measure`
  VariationResult result = measure(settings, trained);
  result.seconds =
      seconds_before + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_variation_result(settings.out, result);
  std::filesystem::remove_all(to_path(folder.checkpoints()));
  return 0;
}

}  // namespace plainformer
