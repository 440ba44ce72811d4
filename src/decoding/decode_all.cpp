#include "decoding/decode_all.h"

#include <mutex>
#include <string>

#include "core/input_error.h"
#include "decoding/beam_search.h"
#include "decoding/encoded_sources.h"
#include "decoding/fast/cached_beam_search.h"
#include "decoding/greedy_search.h"
#include "decoding/length_batches.h"
#include "ops/fast/for_each_task.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

// The translations of one batch, found in the way that ways.decoding chooses.
std::vector<Hypotheses> search(PreparedModel& prepared, const std::vector<std::vector<int>>& sources,
                               const SearchOptions& options) {
  const Transformer& model = prepared.model();
  if (ways.decoding == Way::kFast)
    return cached_beam_search(model, prepared.decoder_weights(), sources, options);
  if (!options.is_greedy()) return beam_search(model, sources, options);
  std::vector<Hypotheses> translations;
  for (Hypothesis& translation : greedy_search(model, sources, options.limits))
    translations.push_back({std::move(translation)});
  return translations;
}

}  // namespace

PreparedModel::PreparedModel(const Transformer& model) : model_(model) {}

PreparedModel::~PreparedModel() = default;

const DecoderWeights& PreparedModel::decoder_weights() {
  if (!decoder_weights_) decoder_weights_ = std::make_unique<const DecoderWeights>(model_);
  return *decoder_weights_;
}

std::vector<Hypotheses> decode_all(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                   const SearchOptions& options, const DecodingProgress& progress) {
  PreparedModel prepared(model);
  return decode_all(prepared, sources, options, progress);
}

std::vector<Hypotheses> decode_all(PreparedModel& prepared, const std::vector<std::vector<int>>& sources,
                                   const SearchOptions& options, const DecodingProgress& progress) {
  options.check("decoding: ");
  const Index longest = longest_source(prepared.model().config());
  std::vector<Index> lengths;
  for (const auto& source : sources) {
    lengths.push_back(std::ssize(source));
    if (lengths.back() <= longest) continue;
    throw input_error("sentence " + std::to_string(lengths.size()),
                      std::to_string(lengths.back()) + " tokens",
                      "the model reads at most " + std::to_string(longest) + "; split the sentence");
  }

  if (ways.decoding == Way::kFast) prepared.decoder_weights();  // before several threads ask for them
  const auto batches = batches_by_length(lengths, options.batch);
  std::vector<Hypotheses> translations(sources.size());
  std::mutex finishing;
  Index done = 0;
  for_each_task(batches.size(), [&](std::size_t b) {
    std::vector<std::vector<int>> batch;
    for (const Index i : batches[b]) batch.push_back(sources[i]);
    std::vector<Hypotheses> found = search(prepared, batch, options);

    const std::lock_guard<std::mutex> lock(finishing);
    for (std::size_t i = 0; i < found.size(); ++i) translations[batches[b][i]] = std::move(found[i]);
    done += std::ssize(found);
    if (progress) progress(done, std::ssize(sources));
  });
  return translations;
}

}  // namespace plainformer
