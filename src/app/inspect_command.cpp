// plainformer inspect: the contents of a model folder, the kernels of this machine, the nearest neighbors of
// words in the embedding (3.4), and a batch of a text (5.1).
#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "app/commands.h"
#include "core/input_error.h"
#include "core/special_symbols.h"
#include "core/strings.h"
#include "core/thread_pool.h"
#include "data/parallel_corpus.h"
#include "decoding/beam_search.h"
#include "io/atomic_file.h"
#include "kernels/kernels.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"
#include "report/command_line.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "train/settings.h"

namespace plainformer {

namespace {

// ---- the model

void print_model(const LoadedModel& model) {
  const auto print_row = [](const std::string& name, const std::string& value) {
    std::cout << "  " << pad_right(name, 24) << value << "\n";
  };
  std::cout << "Configuration\n";
  for (const auto& [key, value] : metadata_of(model.transformer->config())) print_row(key, value);
  print_row("words", model.words.marks ? "marks" : "spaces");
  print_row("merges", std::to_string(model.byte_pairs.merges()));

  Table parameters = {.columns = {{"Parameter"}, {"shape"}, {"numbers", ColumnKind::kNumber}}};
  double total = 0;
  for (const NamedParameter& p : model.transformer->parameters()) {
    const Tensor& value = p.parameter->value;
    parameters.rows.push_back({p.name, value.shape().to_string(), static_cast<double>(value.size())});
    total += static_cast<double>(value.size());
  }
  parameters.rows.push_back({"total", "", total});
  std::cout << "\n" << render_table(parameters, /*with_bars=*/false) << "\nThis machine\n";
  print_row("kernels in use", kernels().name);
  print_row("kernels supported", join(", ", supported_kernels()));
  print_row("threads", std::to_string(threads()));
}

// ---- the neighbors of words

constexpr std::size_t kNearest = 3;  // neighbors of a word

double dot(const Tensor& embedding, int a, int b) {
  double sum = 0;
  for (Index j = 0; j < embedding.dim(1); ++j) sum += double{embedding(a, j)} * double{embedding(b, j)};
  return sum;
}

// The tokens by the cosine of their rows of the embedding with that of `id`, the largest first; of equal ones
// the lower id first. Leaves out `id` itself and the special symbols.
std::vector<std::pair<double, int>> nearest_tokens(const Tensor& embedding, int id) {
  std::vector<std::pair<double, int>> tokens;
  for (int other = kSpecialSymbols; other < embedding.dim(0); ++other) {
    const double lengths = std::sqrt(dot(embedding, id, id) * dot(embedding, other, other));
    if (other != id) tokens.emplace_back(lengths > 0 ? dot(embedding, id, other) / lengths : 0, other);
  }
  std::stable_sort(tokens.begin(), tokens.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  tokens.resize(std::min(tokens.size(), kNearest));
  return tokens;
}

// A line for each word: its nearest tokens and their cosines.
void print_nearest(const LoadedModel& model, const std::vector<std::string>& words) {
  Table table = {.columns = {{"word"}}};
  for (std::size_t rank = 1; rank <= kNearest; ++rank) {
    table.columns.push_back({std::to_string(rank)});
    table.columns.push_back({"cosine", ColumnKind::kNumber, 2});
  }
  for (const std::string& word : words) {
    const int id = model.vocabulary.id(word);
    if (id == kUnknownId && word != model.vocabulary.token(kUnknownId))
      throw input_error("--nearest", "\"" + word + "\" is no token of the model",
                        "vocabulary.txt in its folder lists them");
    std::vector<TableCell> row = {word};
    for (const auto& [cosine, token] : nearest_tokens(model.transformer->embedding.value, id)) {
      row.emplace_back(model.vocabulary.token(token));
      row.emplace_back(cosine);
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  std::cout << render_table(table, /*with_bars=*/false);
}

// ---- a batch of a text

struct BatchInspection {
  CorpusFiles text;
  Index batch_tokens = Recipe().batch_tokens;
  Index batch = 1;  // the one whose tokens are shown, from 1
};

void print_tokens(const char* title, const TokenBatch& side, const Vocabulary& vocabulary) {
  std::cout << "\n" << title << "\n";
  for (Index element = 0; element < side.batch; ++element) {
    const auto row = side.ids.begin() + element * side.len;
    for (const std::string& token : vocabulary.decode(std::vector<int>(row, row + side.len)))
      std::cout << " " << token;
    std::cout << "\n";
  }
}

// Makes the batches of the first epoch with the model's byte pairs and vocabulary, and prints one.
void print_batch(LoadedModel& model, const BatchInspection& inspection) {
  PairCount too_long;
  const Index longest = longest_source(model.transformer->config());
  const std::vector<SentencePair> pairs =
      ParallelCorpus::load(inspection.text, model.words)
          .encode(model.byte_pairs, model.vocabulary, std::min(Recipe().max_tokens, longest), too_long);
  const auto batches = make_batches(pairs, inspection.batch_tokens, /*seed=*/1, /*epoch=*/0);
  require_between("--batch", inspection.batch, 1, std::ssize(batches));
  const TranslationBatch batch = batch_of(pairs, batches[inspection.batch - 1]);
  std::cout << "Batch " << inspection.batch << " of " << batches.size() << " (epoch 0, seed 1)\n";
  print_tokens("source: the input of the encoder", batch.source, model.vocabulary);
  print_tokens("target_input: the input of the decoder", batch.target_input, model.vocabulary);
  print_tokens("target_output: the tokens to predict", batch.target_output, model.vocabulary);
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  std::string folder, nearest;
  BatchInspection batches;
  CommandLine line(
      "plainformer inspect --model DIR [--nearest WORDS]\n       plainformer inspect --model DIR --pairs "
      "FILE [options]",
      "Lists a model's configuration, its parameters by name and shape, and the kernels in use; or the "
      "nearest neighbors of words in its embedding (3.4); or a batch of a text (5.1), token by token.");
  line.required("--model", "DIR", &folder, "the model folder");
  line.option("--nearest", "WORDS", &nearest,
              "the tokens nearest to these in the embedding, by cosine; commas between them");
  line.section("Batches");
  add_pair_options(line, batches.text);
  line.option("--batch-tokens", "N", &batches.batch_tokens,
              "source positions, and target positions, in a batch");
  line.option("--batch", "N", &batches.batch, "the batch, counted from 1");
  if (!line.read(arguments)) return finish_output();
  check_sides(batches.text, "--source", "--target");
  if (!nearest.empty() && !batches.text.empty())
    throw UsageError("--nearest and a text exclude each other: leave out one of them");
  require_at_least("--batch-tokens", batches.batch_tokens, 1);

  LoadedModel model = load_model(folder);
  if (!nearest.empty())
    print_nearest(model, split_at(',', nearest));
  else if (batches.text.empty())
    print_model(model);
  else
    print_batch(model, batches);
  return finish_output();
}

}  // namespace plainformer
