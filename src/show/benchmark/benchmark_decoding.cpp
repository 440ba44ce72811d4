// plainformer benchmark: translating a text, and where its time goes.
#include <algorithm>
#include <cmath>

#include "core/multiply_adds.h"
#include "core/random.h"
#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "decoding/beam.h"
#include "decoding/beam_search.h"
#include "decoding/decode_all.h"
#include "decoding/fast/incremental_decoder.h"
#include "show/benchmark/benchmark_measure.h"
#include "show/benchmark/benchmark_sections.h"

namespace plainformer {

namespace {

constexpr Index kBatch = 32;
constexpr Index kShortest = 5, kLongest = 21;  // source tokens
using ColumnKind = TableColumn::Kind;

// Random tokens in sentences of kShortest to kLongest of them. As the weights are random too, nearly no translation
// ends by itself: each is as long as its source.
std::vector<std::vector<int>> random_text(Index sentences, Index vocab) {
  Random random(random_stream(/*seed=*/1, 0, 0));
  std::vector<std::vector<int>> text(sentences);
  for (auto& sentence : text) {
    sentence.resize(kShortest + random.below(kLongest - kShortest + 1));
    for (int& id : sentence) id = static_cast<int>(kUnknownId + 1 + random.below(vocab - kUnknownId - 1));
  }
  return text;
}

ModelConfig config_of(const TrainingShape& shape) {
  ModelConfig config = shape.model_config();
  config.max_length = kLongest + 1;
  return config;
}

SearchOptions search_with(Index beam, Index batch) {
  SearchOptions options = beam == 1 ? kGreedy : SearchOptions{.beam = beam};
  options.limits.extra_length = 0;
  options.batch = batch;
  return options;
}

Index tokens_of(const std::vector<Hypotheses>& translations) {
  Index tokens = 0;
  for (const Hypotheses& hypotheses : translations) tokens += std::ssize(hypotheses.front().tokens);
  return tokens;
}

// One call translates the whole text.
void add_throughput(const BenchmarkContext& context, const TrainingShape& shape, Index beam,
                    const std::vector<std::vector<int>>& text, BenchmarkSection& section) {
  const Transformer model(config_of(shape), /*seed=*/1);
  PreparedModel prepared(model);
  const SearchOptions options = search_with(beam, kBatch);
  const std::int64_t made_before = multiply_adds();
  const Index tokens = tokens_of(decode_all(prepared, text, options));
  const double operations = 2.0 * static_cast<double>(multiply_adds() - made_before);
  for (const int count : context.thread_counts()) {
    context.announce("decoding " + shape.name + ", beam " + std::to_string(beam) + ", " +
                     std::to_string(count) + " of the threads");
    const Measurement time = context.measure_beside_peak(count, [&] { decode_all(prepared, text, options); });
    const double sentences = static_cast<double>(text.size());
    section.table.rows.push_back({shape.name, double(beam), double(count), sentences / time.median,
                                  sentences / time.slowest, sentences / time.fastest,
                                  static_cast<double>(tokens) / time.median, operations / sentences / 1e9,
                                  operations / time.median / time.limit});
  }
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

// Seconds of each sentence, translated by one call.
std::vector<double> latencies(PreparedModel& prepared, const std::vector<std::vector<int>>& text,
                              const SearchOptions& options) {
  std::vector<double> seconds;
  for (const std::vector<int>& sentence : text)
    seconds.push_back(measure_once([&] { decode_all(prepared, {sentence}, options); }));
  return seconds;
}

// Different numbers from -1 to 1.
Tensor waves(const Shape& shape) {
  Tensor tensor(shape);
  Real* data = tensor.mutable_data();
  for (Index i = 0; i < tensor.size(); ++i) data[i] = static_cast<Real>(std::sin(i));
  return tensor;
}

// All products of one decoding step with weights of the decoder.
void multiply_by_all(const DecoderWeights& weights, const Tensor& x, const Tensor& hidden) {
  for (const DecoderWeights::Layer& layer : weights.layers) {
    for (const PreparedMatrix* w : {&layer.self_w_q, &layer.self_w_k, &layer.self_w_v, &layer.self_w_o,
                                    &layer.source_w_q, &layer.source_w_o, &layer.w_1})
      prepared_linear_forward(x, *w);
    prepared_linear_forward(hidden, layer.w_2);
  }
  prepared_linear_forward(x, weights.vocabulary);
}

}  // namespace

BenchmarkSection benchmark_decoding(const BenchmarkContext& context, const std::vector<TrainingShape>& shapes,
                                    Index sentences) {
  BenchmarkSection section = {
      .key = "decoding",
      .title = "Decoding",
      .note = "a text of " + std::to_string(sentences) +
              " sentences of 5 to 21 random tokens, translations as long, batches of 32; the share\n"
              "counts the multiply-adds that were made",
      .table = {.columns = {{"name", "model"},
                            {"beam", "beam", ColumnKind::kNumber},
                            {"threads", "threads", ColumnKind::kNumber},
                            {"sentences_per_second", "sentences/s", ColumnKind::kNumber},
                            {"sentences_per_second_worst", "worst", ColumnKind::kNumber},
                            {"sentences_per_second_best", "best", ColumnKind::kNumber},
                            {"tokens_per_second", "tokens/s", ColumnKind::kNumber},
                            {"sentence_gigaflop", "GFLOP/sentence", ColumnKind::kNumber, 3},
                            {"share_of_peak", "of peak", ColumnKind::kShare}},
                .rows = {}}};
  for (const TrainingShape& shape : shapes)
    for (const Index beam : {Index{4}, Index{1}})
      add_throughput(context, shape, beam, random_text(sentences, shape.vocab), section);
  return section;
}

BenchmarkSection benchmark_latency(const BenchmarkContext& context, const std::vector<TrainingShape>& shapes,
                                   Index sentences) {
  BenchmarkSection section = {
      .key = "latency",
      .title = "Decoding one sentence at a time",
      .note =
          "the same text, one thread; milliseconds from the tokens of a source to those of its translation",
      .table = {.columns = {{"name", "model"},
                            {"beam", "beam", ColumnKind::kNumber},
                            {"median_milliseconds", "median ms", ColumnKind::kNumber, 2},
                            {"99th_milliseconds", "99 % below", ColumnKind::kNumber, 2}},
                .rows = {}}};
  set_threads(1);
  for (const TrainingShape& shape : shapes) {
    const Transformer model(config_of(shape), /*seed=*/1);
    PreparedModel prepared(model);
    const auto text = random_text(sentences, shape.vocab);
    for (const Index beam : {Index{4}, Index{1}}) {
      context.announce("latency " + shape.name + ", beam " + std::to_string(beam));
      latencies(prepared, {text.front()}, search_with(beam, 1));  // prepares the weights
      const std::vector<double> seconds = latencies(prepared, text, search_with(beam, 1));
      section.table.rows.push_back(
          {shape.name, double(beam), 1e3 * percentile(seconds, 0.5), 1e3 * percentile(seconds, 0.99)});
    }
  }
  set_threads(context.threads);
  return section;
}

BenchmarkSection benchmark_decoding_parts(const BenchmarkContext& context,
                                          const std::vector<TrainingShape>& shapes) {
  constexpr Index kLength = 13, kBeam = 4, kRows = kBatch * kBeam;
  BenchmarkSection section = {
      .key = "decoding_parts",
      .title = "Where the time of decoding goes",
      .note =
          "32 sentences of 13 tokens, beam 4, one thread. Products and choice are measured alone, for 128 "
          "rows\n"
          "in each of the 13 steps; the rest is attention to kept keys, norms and the beams' bookkeeping",
      .table = {.columns = {{"name", "model"},
                            {"search_milliseconds", "search ms", ColumnKind::kNumber, 1},
                            {"encoder_share", "encoder", ColumnKind::kShare},
                            {"products_share", "products", ColumnKind::kShare},
                            {"choice_share", "choice of 4", ColumnKind::kShare},
                            {"rest_share", "rest", ColumnKind::kShare}},
                .rows = {}}};
  set_threads(1);
  for (const TrainingShape& shape : shapes) {
    context.announce("parts of decoding " + shape.name);
    const Transformer model(config_of(shape), /*seed=*/1);
    PreparedModel prepared(model);
    auto text = random_text(kBatch, shape.vocab);
    for (auto& sentence : text) sentence.resize(kLength, static_cast<int>(kUnknownId + 1));
    const DecoderWeights& weights = prepared.decoder_weights();
    const Tensor x = waves({kRows, 1, shape.d_model}), hidden = waves({kRows, 1, shape.d_ff});
    const Tensor logits = prepared_linear_forward(x, weights.vocabulary);
    const auto seconds_of = [&](const std::function<void()>& work) {
      return measure(context.seconds, work).median;
    };
    const double search = seconds_of([&] { decode_all(prepared, text, search_with(kBeam, kBatch)); });
    const double encoder = seconds_of([&] { encode_sources(model, text); }) / search;
    const double products = kLength * seconds_of([&] { multiply_by_all(weights, x, hidden); }) / search;
    const double choice = kLength * seconds_of([&] { next_tokens(logits, kBeam); }) / search;
    section.table.rows.push_back(
        {shape.name, 1e3 * search, encoder, products, choice, 1 - encoder - products - choice});
  }
  set_threads(context.threads);
  return section;
}

}  // namespace plainformer
