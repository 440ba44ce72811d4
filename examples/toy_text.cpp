// Going on with other text (docs/appendix-going-on.md)
//
// Prints the text of the preset toy with seed 1, a pair on each line: an English sentence, a tab, its German
// translation. `plainformer train --preset toy` makes this text in memory; here it becomes a file to count,
// to change and to mix.
//
//   cmake --build build/toy --target toy_text
//   build/toy/examples/toy_text test > test.tsv        # or train, or valid
#include <plainformer/data/toy/toy_grammar.h>

#include <iostream>
#include <string>

using namespace plainformer;

int main(int argument_count, char** arguments) {
  const std::string part = argument_count == 2 ? arguments[1] : "";
  if (part != "train" && part != "valid" && part != "test") {
    std::cerr << "usage: toy_text train|valid|test > pairs.tsv\n";
    return 2;
  }
  const ToyCorpus corpus = generate_toy_corpus(/*seed=*/1, /*train_pairs=*/40000, /*valid_pairs=*/500,
                                               /*test_pairs=*/500);
  const std::vector<ToyPair>& pairs = part == "train"   ? corpus.train
                                      : part == "valid" ? corpus.valid
                                                        : corpus.test;
  for (const ToyPair& pair : pairs) std::cout << pair.source << '\t' << pair.target << '\n';
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "toy_text: standard output: cannot write (hint: is the disk full?)\n";
    return 1;
  }
  return 0;
}
