#include "train/attention_frames.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/input_error.h"
#include "data/text.h"
#include "decoding/beam_search.h"
#include "decoding/given_translation.h"
#include "io/atomic_file.h"
#include "model_folder/translator.h"
#include "platform/platform.h"
#include "train/training_log.h"
#include "train/validation.h"
#include "training/training_loop.h"

namespace plainformer {

namespace {

// [head][query][key] in thousandths.    weights [heads, query_len, key_len]
JsonArray thousandths_of(const Tensor& weights) {
  const Real* weight = weights.data();
  JsonArray heads;
  for (Index head = 0; head < weights.dim(0); ++head) {
    JsonArray rows;
    for (Index query = 0; query < weights.dim(1); ++query) {
      JsonArray row;
      for (Index key = 0; key < weights.dim(2); ++key)
        row.emplace_back(static_cast<int>(std::lround(1000 * *weight++)));
      rows.emplace_back(std::move(row));
    }
    heads.emplace_back(std::move(rows));
  }
  return heads;
}

// The first line, and the frames up to this step; no frame if the file has another first line.
std::string frames_up_to(const std::string& path, Index steps, const std::string& first_line) {
  std::string line;
  std::ifstream stream = open_text_file(path);
  if (steps == 0 || !std::getline(stream, line) || line != first_line) return first_line + "\n";
  return first_line + "\n" + kept_json_lines(path, [&](const JsonValue& frame) {
           const JsonValue* step = frame.find("step");  // the first line has none
           return step && step->size() && *step->size() <= steps;
         });
}

}  // namespace

const ToyPair& pair_to_draw(const std::vector<ToyPair>& pairs) {
  constexpr std::size_t kMostBytes = 60;
  const ToyPair* best = &pairs.front();
  std::size_t longest = 0;
  for (const ToyPair& pair : pairs) {
    const bool has_clause = pair.target.find(" , dass ") != std::string::npos;
    if (!has_clause || pair.target.size() > kMostBytes || pair.target.size() <= longest) continue;
    best = &pair;
    longest = pair.target.size();
  }
  return *best;
}

ToyPair sentence_of_frames(const Settings& settings, const Corpora& text) {
  if (!settings.frame_source.empty())
    return {one_line(settings.frame_source), one_line(settings.frame_target)};
  if (!text.test.empty()) return pair_to_draw(text.test);
  const ParallelCorpus::LinePair& first =
      (text.valid.pairs().empty() ? text.train : text.valid).pairs().front();
  return {first.source, first.target};
}

AttentionFrames::AttentionFrames(const Settings& settings, const std::string& path, const Corpora& text,
                                 const EncodedCorpora& corpora, Index steps)
    : settings_(settings), encoding_(corpora), path_(path) {
  const bool exists = std::filesystem::exists(to_path(path));
  if (settings.frames == 0) {
    if (exists && !settings.resume) std::filesystem::remove(to_path(path));
    return;
  }
  const ToyPair pair = sentence_of_frames(settings, text);
  TextEncoding encoding = corpora;  // it remembers words that it has cut
  SourceReader reader(encoding, std::min(kMostFrameTokens, longest_source(settings.model)));
  const Sentence source = reader.read(pair.source), target = reader.read(pair.target, Side::kTarget);
  pair_ = {source.ids, target.ids};
  task_.sources = {source.ids};
  task_.limits = corpora.valid_task.limits;
  const std::string first_line = to_json(JsonObject{{"source_text", pair.source},
                                                    {"target_text", pair.target},
                                                    {"source", with_end(source.pieces)},
                                                    {"target", with_end(target.pieces)},
                                                    {"layer", settings.model.decoder_layers - 1},
                                                    {"heads", settings.model.heads}});
  write_file_atomically(
      path, settings.resume && exists ? frames_up_to(path, steps, first_line) : first_line + "\n");
}

void AttentionFrames::keep(const Transformer& model, Index step, std::optional<double> loss) const {
  if (settings_.frames == 0 || step % settings_.frames != 0) return;
  std::string line;
  try {
    line = to_json(frame_of(model, step, loss)) + "\n";
  } catch (const std::runtime_error&) {
    return;  // the model overflows, and the training will say so
  }
  std::error_code missing;
  const auto size = std::filesystem::file_size(to_path(path_), missing);
  if (std::ofstream(to_path(path_), std::ios::app | std::ios::binary) << line << std::flush) return;
  if (!missing) std::filesystem::resize_file(to_path(path_), size);  // half a line would spoil those after it
  throw input_error(path_, "cannot be written", "is the disk full?");
}

JsonObject AttentionFrames::frame_of(const Transformer& model, Index step, std::optional<double> loss) const {
  const CrossEntropy of_sentence = evaluate(model, batch_of({pair_}, {0}), /*label_smoothing=*/0);
  const AttentionWeights weights = capture_attention(model, pair_.source, pair_.target);
  return {{"step", step},
          {"loss", loss ? JsonValue(*loss) : JsonValue()},
          {"sentence_loss", of_sentence.loss / static_cast<double>(of_sentence.rows)},
          {"translation", translations_of(task_, model, encoding_).front()},
          {"attention", thousandths_of(weights.encoder_decoder.back())}};
}

}  // namespace plainformer
