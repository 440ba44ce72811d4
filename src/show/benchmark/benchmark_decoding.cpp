// plainformer benchmark: translating a text.
#include "core/thread_pool.h"
#include "decoding/decode_all.h"
#include "show/benchmark/benchmark_sections.h"

namespace plainformer {

namespace {

constexpr Index kBatch = 32;
constexpr Index kShortest = 5, kLongest = 21;  // source tokens

// Random tokens in sentences of kShortest to kLongest of them. As the weights are random too, nearly no
// translation ends by itself: each is as long as its source.
std::vector<std::vector<int>> random_text(Index sentences, Index vocab) {
  Random random(random_stream(/*seed=*/1, 0, 0));
  std::vector<std::vector<int>> text(sentences);
  for (auto& sentence : text)
    sentence = random_sentence(random, kShortest + random.below(kLongest - kShortest + 1), vocab);
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
  const Index tokens = tokens_of(decode_all(prepared, text, options));
  for (const int count : context.thread_counts()) {
    context.announce("decoding " + shape.name + ", beam " + std::to_string(beam) + ", " +
                     std::to_string(count) + " of the threads");
    set_threads(count);
    const Measurement time = measure(context.seconds, [&] { decode_all(prepared, text, options); });
    const double sentences = static_cast<double>(text.size());
    section.table.rows.push_back({shape.name, double(beam), double(count), sentences / time.median,
                                  sentences / time.slowest, sentences / time.fastest,
                                  static_cast<double>(tokens) / time.median});
  }
}

}  // namespace

BenchmarkSection benchmark_decoding(const BenchmarkContext& context, const std::vector<TrainingShape>& shapes,
                                    Index sentences) {
  BenchmarkSection section = {
      .title = "Decoding",
      .note = "a text of " + std::to_string(sentences) +
              " sentences of 5 to 21 random tokens, translations as long, batches of 32",
      .table = {.columns = {{"model"},
                            {"beam", ColumnKind::kNumber},
                            {"threads", ColumnKind::kNumber},
                            {"sentences/s", ColumnKind::kNumber},
                            {"worst", ColumnKind::kNumber},
                            {"best", ColumnKind::kNumber},
                            {"tokens/s", ColumnKind::kNumber}},
                .rows = {}}};
  for (const TrainingShape& shape : shapes)
    for (const Index beam : {Index{4}, Index{1}})
      add_throughput(context, shape, beam, random_text(sentences, shape.vocab), section);
  return section;
}

}  // namespace plainformer
