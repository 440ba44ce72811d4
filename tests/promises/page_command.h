// The commands of a page, run as a reader runs them: "plainformer treebank generate --out bank && plainformer
// treebank sentences < bank/test.trees". A page's files are in their folder.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "support/program.h"

namespace plainformer {

// Splits a line into words at spaces that no quotes enclose.
inline std::vector<std::string> words_of_command(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = '\0';
  for (const char c : line + ' ') {
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      is_word = true;
    } else if (c == quote) {
      quote = '\0';
    } else if (c != ' ' || quote != '\0') {
      word += c;
      is_word = true;
    } else if (is_word) {
      words.push_back(word);
      word.clear();
      is_word = false;
    }
  }
  return words;
}

class PageCommands {
 public:
  explicit PageCommands(const TemporaryFolder& folder) : folder_(folder) {}

  // What the last one prints. Throws std::runtime_error if one fails.
  std::string output_of(const std::string& line) {
    std::string input;
    for (const std::string& word : words_of_command(line)) {
      if (word != "&&" && word != "|") {
        words_.push_back(word);
        continue;
      }
      const std::string output = run(input);
      input = word == "|" ? output : "";
    }
    return run(input);
  }

 private:
  // Runs the words so far.
  std::string run(const std::string& input) {
    if (words_.empty() || words_[0] != "plainformer") throw std::runtime_error("only plainformer is run");
    ProgramSetup setup = {.input = input, .folder = folder_.path()};
    std::vector<std::string> arguments;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const bool is_file = (words_[i] == "<" || words_[i] == ">") && i + 1 < words_.size();
      if (!is_file)
        arguments.push_back(words_[i]);
      else
        (words_[i] == "<" ? setup.stdin_path : setup.stdout_path) = folder_.path_of(words_[i + 1]);
      i += is_file ? 1 : 0;
    }
    words_.clear();
    const ProgramResult result = run_program(arguments, setup);
    if (result.exit_code != 0)
      throw std::runtime_error("exit code " + std::to_string(result.exit_code) + ": " + result.err);
    return result.out;
  }

  const TemporaryFolder& folder_;
  std::vector<std::string> words_;
};

}  // namespace plainformer
