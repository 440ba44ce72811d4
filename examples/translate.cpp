// Section 6.1, Machine Translation (docs/6.1-machine-translation.md)
//
// Translates standard input to standard output with a trained model, always one line for each line. It does
// the same as `plainformer translate --model DIR --beam 4`, as a program of your own.
//
//   cmake --workflow --preset toy    # trains build/toy/toy-model, if you have no model yet
//   cmake --build build/toy --target translate
//   echo "the small cat sleeps" | build/toy/examples/translate build/toy/toy-model
#include <plainformer/data/text.h>
#include <plainformer/decoding/decode_all.h>
#include <plainformer/decoding/encoded_sources.h>
#include <plainformer/model_folder/model_folder.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace plainformer;

// Text to token ids; ids to ids by beam search; ids to text.
std::string translate(LoadedModel& model, PreparedModel& prepared, const std::string& line) {
  std::vector<int> source = model.encode(line);
  if (source.empty()) return "";  // an empty line stays empty
  const auto longest = static_cast<std::size_t>(longest_source(model.transformer->config()));
  source.resize(std::min(source.size(), longest));  // the model cannot read longer sentences

  const SearchOptions options = {.beam = 4, .length_penalty = Real(0.6)};  // the paper's
  const Hypotheses translations = decode_all(prepared, {source}, options).front();
  return model.decode(translations.front().tokens);
}

void translate_lines(const std::string& folder) {
  LoadedModel model = load_model(ModelFolder(folder));
  PreparedModel prepared(*model.transformer);  // once for all lines
  bool is_first = true;
  for (std::string line; std::getline(std::cin, line); is_first = false)
    std::cout << translate(model, prepared, sanitize_line(line, is_first)) << std::endl;
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
