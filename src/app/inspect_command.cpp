// plainformer inspect: the contents of a model folder, the kernels of this machine, and the batches of a text.
#include <iomanip>
#include <iostream>

#include "app/commands.h"
#include "app/inspect_batches.h"
#include "app/inspect_nearest.h"
#include "command_line/command_support.h"
#include "core/split.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "model_folder/metadata.h"
#include "model_folder/model_folder.h"

namespace plainformer {

namespace {

constexpr Index kNearest = 3;  // neighbors of a word

void print_row(const std::string& name, const std::string& value) {
  std::cout << "  " << std::left << std::setw(24) << name << value << "\n";
}

void print_parameters(Transformer& model) {
  std::size_t width = 0;
  for (const NamedParameter& p : model.parameters()) width = std::max(width, p.name.size());
  Index total = 0;
  std::cout << "\nParameters\n";
  for (const NamedParameter& p : model.parameters()) {
    const Tensor& value = p.parameter->value;
    total += value.size();
    std::cout << "  " << std::left << std::setw(static_cast<int>(width)) << p.name << "  " << std::setw(14)
              << value.shape().to_string() << std::right << std::setw(12) << value.size() << "\n";
  }
  std::cout << "  " << std::left << std::setw(static_cast<int>(width) + 16) << "total" << std::right
            << std::setw(12) << total << "\n";
}

void print_model(const LoadedModel& model) {
  std::cout << "Configuration\n";
  for (const auto& [key, value] : metadata_of(model.transformer->config())) print_row(key, value);
  print_row("words", words_name(model.words));
  print_row("case", case_name(model.words));
  print_row("unknown pieces", unknown_pieces_name(model.words));
  print_row("merges", std::to_string(model.byte_pairs.merges()));
  print_parameters(*model.transformer);

  std::cout << "\nThis machine\n";
  print_row("kernels in use", kernels().name);
  print_row("kernels supported", join(", ", supported_kernels()));
  print_row("threads", std::to_string(threads()));
}

// Names the command that accounts for a training step, for those who look for it here.
void point_to_cost(const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name == "--cost" || name == "--preset")
      throw UsageError("there is no " + name + "; 'plainformer cost' accounts for a training step");
  }
}

CommandLine bind(std::string& folder, std::string& nearest, BatchInspection& batches) {
  CommandLine line(
      "plainformer inspect --model DIR [--nearest WORDS]\n       plainformer inspect --model DIR --source "
      "FILE "
      "--target FILE [options]",
      "Lists a model's configuration, its parameters by name and shape, and the kernels in use; or the "
      "nearest neighbors of words in its embedding (3.4); or the batches that a text is cut into (5.1), and "
      "how "
      "much of them is padding.");
  line.option("--model", "DIR", &folder, "the model folder");
  line.option("--nearest", "WORDS", &nearest,
              "the tokens nearest to these in the embedding, by cosine; commas between them");
  line.section("Batches");
  line.option("--source", "FILE", &batches.source, "text to translate from, one sentence per line");
  line.option("--target", "FILE", &batches.target, "its translation, line by line");
  line.option("--batch-tokens", "N", &batches.batch_tokens,
              "source positions, and target positions, in a batch");
  line.option("--max-tokens", "N", &batches.max_tokens, "leave longer sentences out");
  line.option("--seed", "N", &batches.seed, "seed of the order");
  line.option("--epoch", "N", &batches.epoch, "the pass over the text, from 0");
  line.option("--batches", "N", &batches.batches, "number of batches to list");
  line.option("--batch", "N", &batches.batch, "show the tokens of batch N, counted from 1; 0: none");
  return line;
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  std::string folder, nearest;
  BatchInspection batches;
  CommandLine line = bind(folder, nearest, batches);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  point_to_cost(arguments);
  expect_no_more(line.parse(arguments));
  require_option("--model", folder);
  batches.check();
  if (!nearest.empty() && !batches.source.empty())
    throw UsageError("--nearest lists words, --source batches: leave one out");

  LoadedModel model = load_model(ModelFolder(folder));
  if (!nearest.empty())
    std::cout << nearest_text(model, split_at(',', nearest), kNearest);
  else if (batches.source.empty())
    print_model(model);
  else
    print_batches(model, batches);
  return finish_output();
}

}  // namespace plainformer
