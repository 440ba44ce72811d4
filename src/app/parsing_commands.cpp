// plainformer treebank, parse and f1: trees to learn from, trees of sentences, and how right they are (6.3).
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

#include "app/commands.h"
#include "app/source_lines.h"
#include "core/input_error.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "model_folder/model_folder.h"
#include "parsing/bracketing_score.h"
#include "parsing/linear_tree.h"
#include "parsing/treebank_grammar.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "train/settings.h"

namespace plainformer {

namespace {

// Calls read with the trees of standard input.
void read_trees(const std::function<void(TreeReader&)>& read) {
  TreeReader trees(std::cin, "standard input");
  try {
    read(trees);
  } catch (const std::runtime_error&) {
    check_input();  // if it could not be read, that is the reason
    throw;
  }
  check_input();
}

// Prints a tree for each sentence, and an empty line for an empty one. Tells how many outputs were not trees.
void parse_input(LoadedModel& model, const SearchOptions& options) {
  Index parsed_sentences = 0, repaired = 0;
  const auto print_tree = [&](SourceLines&, const SourceLine& sentence, const Hypotheses& outputs) {
    const std::vector<std::string_view> words = split_words(sentence.text);
    if (!words.empty()) {
      const ParsedSentence parsed =
          tree_of_line(model.decode(outputs.front().tokens), {words.begin(), words.end()});
      ++parsed_sentences;
      repaired += parsed.is_repaired ? 1 : 0;
      std::cout << to_string(parsed.tree);
    }
    std::cout << "\n";
  };
  translate_input(model, options, print_tree, {.prepare = as_words_of_a_tree});
  if (repaired > 0)
    std::cerr << "outputs that were not trees and were repaired: " << repaired << " of " << parsed_sentences
              << "\n";
}

}  // namespace

int treebank_generate_command(const Arguments& arguments) {
  std::string out;
  Index trees = 40000, held_out = 500, seed = 1;
  CommandLine line(
      "plainformer treebank generate --out DIR [options]",
      "Writes train.trees, valid.trees and test.trees of the built-in treebank, and deeper.trees, whose "
      "clauses are nested more deeply.");
  line.required("--out", "DIR", &out, "the folder to write into");
  line.option("--trees", "N", &trees, "trees in train.trees");
  line.option("--held-out", "N", &held_out, "trees in each of the other files");
  line.option("--seed", "N", &seed, "seed of the trees");
  if (!line.read(arguments)) return finish_output();
  require_between("--held-out", held_out, 1, kMaxTreebankTrees / 4);
  require_between("--trees", trees, 1, kMaxTreebankTrees - 3 * held_out);
  require_at_least("--seed", seed, 0);

  const std::pair<std::string, std::vector<Tree> Treebank::*> files[] = {
      {out + "/train.trees", &Treebank::train},
      {out + "/valid.trees", &Treebank::valid},
      {out + "/test.trees", &Treebank::test},
      {out + "/deeper.trees", &Treebank::deeper}};
  for (const auto& [path, trees_of] : files)
    if (std::filesystem::exists(to_path(path)))
      throw input_error(path, "exists already", "choose another --out, or remove the file");
  const Treebank treebank = generate_treebank(static_cast<std::uint64_t>(seed), trees, held_out);
  make_folder(out);
  for (const auto& [path, trees_of] : files) {
    std::string text;
    for (const Tree& tree : treebank.*trees_of) text += to_string(tree) + "\n";
    write_file_atomically(path, text);
  }
  return 0;
}

int treebank_sentences_command(const Arguments& arguments) {
  CommandLine line("plainformer treebank sentences < trees > sentences",
                   "Prints the words of each tree in one line, without traces.");
  if (!line.read(arguments)) return finish_output();
  read_trees([](TreeReader& trees) {
    for (Tree tree; trees.next(tree);)
      std::cout << sentence_of(without_traces_and_function_tags(tree)) << "\n";
  });
  return finish_output();
}

int parse_command(const Arguments& arguments) {
  std::string folder;
  // "We used a beam size of 21 and alpha = 0.3"
  SearchOptions search = {
      .beam = 21, .length_penalty = 0.3, .limits = {.extra_length = kLinearTreeExtraLength}};
  ComputeSettings compute;
  CommandLine line("plainformer parse --model DIR < sentences > trees",
                   "Parses standard input, whose words are separated by spaces: a sentence in, a tree out.");
  line.required("--model", "DIR", &folder, "the folder of a model that 'train --treebank' made");
  add_search_options(line, &search, 21);
  add_compute_options(line, &compute);
  if (!line.read(arguments)) return finish_output();
  finish_search(search);
  compute.use();

  LoadedModel model = load_model(folder);
  if (!model.parses)
    throw input_error(folder, "is a translator, not a parser",
                      "parse with a model that 'plainformer train --treebank' made");
  parse_input(model, search);
  return finish_output();
}

int f1_command(const Arguments& arguments) {
  std::string gold_path;
  CommandLine line("plainformer f1 --gold FILE < trees",
                   "Prints labeled bracketing F1 of the trees on standard input, by the rules of evalb.");
  line.required("--gold", "FILE", &gold_path,
                "the right trees of the same sentences, in the Penn Treebank's format");
  if (!line.read(arguments)) return finish_output();

  std::ifstream gold_file = open_text_file(gold_path, UINTMAX_MAX, /*may_be_pipe=*/true);
  TreeReader gold(gold_file, gold_path);
  read_trees([&](TreeReader& trees) { std::cout << to_string(corpus_bracketing(gold, trees)) << "\n"; });
  return finish_output();
}

}  // namespace plainformer
