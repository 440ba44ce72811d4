#include "decoding/decode_all.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "core/check.h"
#include "decoding/beam_search.h"
#include "decoding/cached_decoder.h"
#include "decoding/fast/incremental_decoder.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

std::vector<std::vector<Index>> batches_by_length(const std::vector<Index>& lengths, Index batch,
                                                  Index most_tokens) {
  CHECK(batch >= 1, "batches of ", batch);
  std::vector<Index> order(lengths.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return lengths[a] > lengths[b]; });

  std::vector<std::vector<Index>> batches;
  for (Index begin = 0, end = 0; begin < std::ssize(order); begin = end) {
    const Index fitting = std::max<Index>(1, most_tokens / std::max<Index>(1, lengths[order[begin]]));
    end = std::min(begin + std::min(batch, fitting), std::ssize(order));
    batches.emplace_back(order.begin() + begin, order.begin() + end);
  }
  return batches;
}

namespace {

// The translations of one batch: the fast way's, if the model is prepared for it.
std::vector<Hypotheses> search(const PreparedModel& prepared, const std::vector<std::vector<int>>& sources,
                               const SearchOptions& options) {
  const Transformer& model = prepared.model;
  if (prepared.decoder_weights) return cached_beam_search(model, *prepared.decoder_weights, sources, options);
  if (!options.is_greedy()) return beam_search(model, sources, options);
  std::vector<Hypotheses> translations;
  for (Hypothesis& translation : greedy_search(model, sources, options.limits))
    translations.push_back({std::move(translation)});
  return translations;
}

// The sentences of a batch: `most`, or so few that each thread has a batch, if there are sentences enough.
Index sentences_per_batch(Index sentences, Index most) {
  return sentences < threads() ? most : std::min<Index>(most, sentences / threads());
}

}  // namespace

PreparedModel::PreparedModel(const Transformer& transformer)
    : model(transformer),
      decoder_weights(ways.decoding == Way::kFast ? std::make_unique<const DecoderWeights>(transformer)
                                                  : nullptr) {}

PreparedModel::~PreparedModel() = default;

std::vector<Hypotheses> decode_all(const PreparedModel& prepared,
                                   const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                   const DecodingProgress& progress) {
  options.check("decoding: ");
  std::vector<Index> lengths;
  for (const std::vector<int>& source : sources) lengths.push_back(std::ssize(source));
  const auto batches = batches_by_length(lengths, sentences_per_batch(std::ssize(sources), options.batch));
  std::vector<Hypotheses> translations(sources.size());
  std::mutex finishing;
  Index done = 0;
  fast::for_each_task(std::ssize(batches), [&](Index b) {
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
