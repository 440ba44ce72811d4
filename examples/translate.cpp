// Section 6.1, Machine Translation (docs/6.1-machine-translation.md)
//
// Translates standard input to standard output with a trained model, always one line for each line. It does
// the same as `plainformer translate --model DIR --beam 4`, as a program of your own.
//
//   cmake --workflow --preset toy    # trains build/toy/toy-model, if you have no model yet
//   cmake --build build/toy --target translate
//   echo "the small cat sleeps" | build/toy/examples/translate build/toy/toy-model
#include <plainformer/data/text.h>
#include <plainformer/model_folder/translator.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace plainformer;

// Translates a line: text to token ids, ids to ids by beam search, ids to text.
std::string translate(SourceReader& reader, Translator& translator, const std::string& line) {
  const SearchOptions options = {.beam = 4, .length_penalty = 0.6};  // the paper's
  const std::vector<int> source = reader.read(line).ids;             // cut to what the model can read
  return translator.best_texts({source}, options).front();           // an empty line stays empty
}

void translate_lines(const std::string& folder) {
  LoadedModel model = load_model(folder);
  SourceReader reader(model);
  Translator translator(model);  // prepares the weights once for all lines
  bool is_first = true;
  for (std::string line; std::getline(std::cin, line); is_first = false)
    std::cout << translate(reader, translator, sanitize_line(line, is_first)) << std::endl;
  if (!std::cout) throw std::runtime_error("standard output: cannot write (hint: is the disk full?)");
}

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::cerr << "usage: translate MODEL_FOLDER < in > out\n";
    return 2;
  }
  try {
    translate_lines(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << "translate: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
