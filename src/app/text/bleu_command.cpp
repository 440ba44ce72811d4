// plainformer bleu: BLEU of standard input against a reference.
#include <iostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "data/text.h"
#include "evaluation/bleu.h"

namespace plainformer {

int bleu_command(const Arguments& arguments) {
  std::string reference;
  bool tokenized = false, compound_split = false, lowercase = false;
  CommandLine line(
      "plainformer bleu --reference FILE < translations",
      "Prints corpus BLEU of standard input, as sacreBLEU computes it (13a, mixed case), and a signature.");
  line.option("--reference", "FILE", &reference, "the reference translations, line by line");
  line.option("--tokenized", "", &tokenized,
              "both texts are already tokenized: split at spaces, no smoothing (multi-bleu.perl)");
  line.option("--compound-split", "", &compound_split,
              "the same, with words cut at hyphens, as for the paper's figures");
  line.option("--lowercase", "", &lowercase, "ignore case");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--reference", reference);

  BleuOptions options = compound_split ? kCompoundSplitBleu : tokenized ? kMultiBleu : BleuOptions{};
  options.lowercase = lowercase;
  std::vector<std::string> hypotheses;
  for (std::string text; std::getline(std::cin, text);)
    hypotheses.push_back(sanitize_line(text, hypotheses.empty()));
  check_input();
  const BleuScore score = corpus_bleu(hypotheses, read_lines(reference), options);
  std::cout << to_string(score) << "\n" << bleu_signature(options, PLAINFORMER_VERSION) << "\n";
  return finish_output();
}

}  // namespace plainformer
