#include "app/inspect_batches.h"

#include <algorithm>
#include <iostream>

#include "command_line/command_line.h"
#include "command_line/command_support.h"
#include "core/input_error.h"
#include "decoding/encoded_sources.h"
#include "platform/platform.h"
#include "report/number_format.h"
#include "report/table.h"
#include "report/terminal.h"
#include "train/corpora.h"

namespace plainformer {

namespace {

// One side of a batch, or of many.
struct PositionCounts {
  Index all = 0, tokens = 0;

  void add(const TokenBatch& side) {
    all += side.batch * side.len;
    for (const Index length : side.lengths) tokens += length;
  }
  double padding() const { return static_cast<double>(all - tokens) / static_cast<double>(all); }
};

void add_cells(const TokenBatch& side, std::vector<TableCell>& row) {
  PositionCounts positions;
  positions.add(side);
  row.insert(row.end(), {"[" + std::to_string(side.batch) + ", " + std::to_string(side.len) + "]",
                         static_cast<double>(positions.tokens), positions.padding()});
}

Table empty_table() {
  using Kind = TableColumn::Kind;
  return {.columns = {{"batch", "batch", Kind::kNumber},
                      {"source", "source"},
                      {"source_tokens", "tokens", Kind::kNumber},
                      {"source_padding", "padding", Kind::kShare},
                      {"target", "target"},
                      {"target_tokens", "tokens", Kind::kNumber},
                      {"target_padding", "padding", Kind::kShare}},
          .rows = {}};
}

std::string percent(double share) {
  return format_fixed(100 * share, 1) + " %";
}

void print_tokens(const char* title, const TokenBatch& side, const Vocabulary& vocabulary) {
  std::cout << "\n" << title << "\n";
  for (Index element = 0; element < side.batch; ++element) {
    const auto row = side.ids.begin() + element * side.len;
    for (const std::string& token : vocabulary.decode(std::vector<int>(row, row + side.len)))
      std::cout << " " << token;
    std::cout << "\n";
  }
}

void print_batch(const TranslationBatch& batch, Index number, const Vocabulary& vocabulary) {
  std::cout << "\nBatch " << number << "\n";
  print_tokens("source: the input of the encoder", batch.source, vocabulary);
  print_tokens("target_input: the input of the decoder", batch.target_input, vocabulary);
  print_tokens("target_output: the tokens to predict", batch.target_output, vocabulary);
}

}  // namespace

void BatchInspection::check() const {
  if (source.empty() != target.empty()) throw UsageError("--source and --target belong together");
  if (source.empty() && *this != BatchInspection()) {
    throw UsageError("options about batches need a text: --source and --target");
  }
  require_at_least("--batch-tokens", batch_tokens, 1);
  require_at_least("--max-tokens", max_tokens, 1);
  require_at_least("--seed", seed, 0);
  require_at_least("--epoch", epoch, 0);
  require_at_least("--batches", batches, 0);
  require_at_least("--batch", batch, 0);
}

void print_batches(LoadedModel& model, const BatchInspection& inspection) {
  ParallelCorpus::Report report;
  const Index longest = longest_source(model.transformer->config());
  const std::vector<SentencePair> pairs =
      ParallelCorpus::load(inspection.source, inspection.target, model.words)
          .encode(model.byte_pairs, model.vocabulary, std::min(inspection.max_tokens, longest), report);
  const auto batches =
      make_batches(pairs, inspection.batch_tokens, static_cast<std::uint64_t>(inspection.seed),
                   static_cast<std::uint64_t>(inspection.epoch));
  require_between("--batch", inspection.batch, 0, std::ssize(batches));

  Table table = empty_table();
  PositionCounts source, target;
  for (Index i = 0; i < std::ssize(batches); ++i) {
    const TranslationBatch batch = batch_of(pairs, batches[i]);
    source.add(batch.source);
    target.add(batch.target_output);
    if (i >= inspection.batches) continue;
    auto& row = table.rows.emplace_back(std::vector<TableCell>{static_cast<double>(i + 1)});
    add_cells(batch.source, row);
    add_cells(batch.target_output, row);
  }
  std::cout << render_table(table, /*with_bars=*/is_terminal(1)) << "\n"
            << count_of(std::ssize(pairs), "pair") << " in "
            << count_of(std::ssize(batches), "batch", "batches") << " of at most " << inspection.batch_tokens
            << " source and " << inspection.batch_tokens << " target positions (epoch " << inspection.epoch
            << ", seed " << inspection.seed << ")\npadding: " << percent(source.padding()) << " of "
            << source.all << " source positions, " << percent(target.padding()) << " of " << target.all
            << " target positions\n";
  if (inspection.batch > 0)
    print_batch(batch_of(pairs, batches[inspection.batch - 1]), inspection.batch, model.vocabulary);
}

}  // namespace plainformer
