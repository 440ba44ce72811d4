// plainformer parse: one sentence in, one tree out (6.3).
#include <iostream>

#include "app/commands.h"
#include "app/translate_input.h"
#include "core/input_error.h"
#include "data/text.h"
#include "io/output.h"
#include "parsing/linear_tree.h"
#include "report/command_line.h"
#include "train/compute_settings.h"

namespace plainformer {

namespace {

struct ParseSettings {
  std::string model;
  // "We used a beam size of 21 and alpha = 0.3"
  SearchSettings search = {.beam = 21, .extra_length = kLinearTreeExtraLength, .length_penalty = 0.3};
  ComputeSettings compute;
};

CommandLine bind(ParseSettings& s) {
  CommandLine line("plainformer parse --model DIR < sentences > trees",
                   "Parses standard input, whose words are separated by spaces: a sentence in, a tree out.");
  line.required("--model", "DIR", &s.model, "the folder of a model that 'train --treebank' made");
  add_search_options(line, &s.search, 21);
  add_compute_options(line, &s.compute);
  return line;
}

// Prints a tree for each sentence, and an empty line for an empty one. Tells how many outputs were not trees.
void parse_input(LoadedModel& model, const SearchOptions& options) {
  Index sentences = 0, repaired = 0;
  const auto print_tree = [&](const std::string& sentence, const Hypotheses& outputs) {
    const std::vector<std::string_view> words = split_words(sentence);
    if (!words.empty()) {
      const ParsedSentence parsed =
          tree_of_line(model.decode(outputs.front().tokens), {words.begin(), words.end()});
      ++sentences;
      repaired += parsed.is_repaired ? 1 : 0;
      std::cout << to_string(parsed.tree);
    }
    std::cout << "\n";
  };
  translate_input(model, options, {.answer = print_tree, .prepare = as_words_of_a_tree});
  if (repaired > 0)
    std::cerr << "outputs that were not trees and were repaired: " << repaired << " of " << sentences << "\n";
}

}  // namespace

int parse_command(const Arguments& arguments) {
  ParseSettings settings;
  CommandLine line = bind(settings);
  if (!line.read(arguments)) return finish_output();
  const SearchOptions options = settings.search.options();
  settings.compute.use();

  LoadedModel model = load_model(settings.model);
  if (!model.parses)
    throw input_error(settings.model, "is a translator, not a parser",
                      "parse with a model that 'plainformer train --treebank' made");
  parse_input(model, options);
  return finish_output();
}

}  // namespace plainformer
