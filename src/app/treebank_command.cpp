// plainformer treebank: trees to learn from, and the sentences of trees.
#include <filesystem>
#include <iostream>

#include "app/commands.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/output.h"
#include "model_folder/model_folder.h"
#include "parsing/tree.h"
#include "parsing/treebank_grammar.h"
#include "platform/platform.h"
#include "report/command_line.h"

namespace plainformer {

namespace {

void write_trees(const std::string& path, const std::vector<Tree>& trees) {
  std::string text;
  for (const Tree& tree : trees) text += to_string(tree) + "\n";
  write_file_atomically(path, text);
}

int generate(const Arguments& arguments) {
  std::string out;
  bool overwrite = false;
  Index trees = 40000, held_out = 500, seed = 1;
  CommandLine line(
      "plainformer treebank generate --out DIR [options]",
      "Writes train.trees, valid.trees and test.trees of the built-in treebank, and deeper.trees, whose "
      "clauses are nested more deeply.");
  line.required("--out", "DIR", &out, "the folder to write into");
  line.option("--trees", "N", &trees, "trees in train.trees");
  line.option("--held-out", "N", &held_out, "trees in each of the other files");
  line.option("--seed", "N", &seed, "seed of the trees");
  line.option("--overwrite", "", &overwrite, "replace the files of these names in the folder");
  if (!line.read(arguments)) return finish_output();
  require_between("--held-out", held_out, 1, kMaxTreebankTrees / 4);
  require_between("--trees", trees, 1, kMaxTreebankTrees - 3 * held_out);
  require_at_least("--seed", seed, 0);

  const std::string train = out + "/train.trees", valid = out + "/valid.trees", test = out + "/test.trees",
                    deeper = out + "/deeper.trees";
  for (const std::string& file : {train, valid, test, deeper}) {
    if (!overwrite && std::filesystem::exists(to_path(file)))
      throw input_error(file, "exists already",
                        "choose another --out, or replace the files with --overwrite");
  }
  const Treebank treebank = generate_treebank(static_cast<std::uint64_t>(seed), trees, held_out);
  make_folder(out);
  write_trees(train, treebank.train);
  write_trees(valid, treebank.valid);
  write_trees(test, treebank.test);
  write_trees(deeper, treebank.deeper);
  return 0;
}

int sentences(const Arguments& arguments) {
  CommandLine line("plainformer treebank sentences < trees > sentences",
                   "Prints the words of each tree in one line, without traces.");
  if (!line.read(arguments)) return finish_output();
  TreeReader reader(std::cin, "standard input");
  try {
    for (Tree tree; reader.next(tree);)
      std::cout << sentence_of(without_traces_and_function_tags(tree)) << "\n";
  } catch (const std::runtime_error&) {
    check_input();  // if it could not be read, that is the reason
    throw;
  }
  check_input();
  return finish_output();
}

}  // namespace

int treebank_command(const Arguments& arguments) {
  const char* const help =
      "Trees in the Penn Treebank's format, for 'plainformer train --treebank' (6.3).\n\n"
      "Usage: plainformer treebank generate --out DIR [--trees N] [--held-out N] [--seed N] [--overwrite]\n"
      "       plainformer treebank sentences < trees > sentences\n";
  run_one_of({"generate", generate, ""}, {"sentences", sentences, ""}, help, arguments);
  return finish_output();
}

}  // namespace plainformer
