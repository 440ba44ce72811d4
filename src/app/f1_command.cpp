// plainformer f1: labeled bracketing F1 of standard input against a treebank.
#include <iostream>

#include "app/commands.h"
#include "io/output.h"
#include "parsing/bracketing_score.h"
#include "report/command_line.h"

namespace plainformer {

int f1_command(const Arguments& arguments) {
  std::string gold_path;
  CommandLine line("plainformer f1 --gold FILE < trees",
                   "Prints labeled bracketing F1 of the trees on standard input, by the rules of evalb.");
  line.required("--gold", "FILE", &gold_path,
                "the right trees of the same sentences, in the Penn Treebank's format");
  if (!line.read(arguments)) return finish_output();

  std::ifstream gold_file = open_text_file(gold_path);
  TreeReader gold(gold_file, gold_path), test(std::cin, "standard input");
  BracketingCounts counts;
  try {
    counts = corpus_bracketing(gold, test);
  } catch (const std::runtime_error&) {
    check_input();  // if it could not be read, that is the reason
    throw;
  }
  std::cout << to_string(counts) << "\n";
  return finish_output();
}

}  // namespace plainformer
