#include "train/parser_check.h"

#include <algorithm>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "train/run_record.h"

namespace plainformer {

namespace {

bool spells_phrases(const Vocabulary& vocabulary) {
  for (int id = kSpecialSymbols; id < vocabulary.size(); ++id) {
    const std::string& token = vocabulary.token(id);
    const bool opens = token.size() > 1 && token[0] == '(' && token[1] >= 'A' && token[1] <= 'Z';
    if (opens && vocabulary.id(")" + token.substr(1)) != kUnknownId) return true;
  }
  return false;
}

}  // namespace

bool is_parser(const ModelFolder& folder, const Vocabulary& vocabulary) {
  if (!holds_run_record(folder)) return spells_phrases(vocabulary);
  const Arguments run = read_run_arguments(folder);
  return std::any_of(run.begin(), run.end(),
                     [](const std::string& argument) { return argument.starts_with("--treebank"); });
}

void require_translator(const ModelFolder& folder, const Vocabulary& vocabulary) {
  if (is_parser(folder, vocabulary))
    throw input_error(folder.path, "is a parser and does not translate", "use 'plainformer parse'");
}

void require_parser(const ModelFolder& folder, const Vocabulary& vocabulary) {
  if (!is_parser(folder, vocabulary) && !spells_phrases(vocabulary))
    throw input_error(folder.path, "translates and is no parser",
                      "parse with a model that 'plainformer train --treebank' made");
}

}  // namespace plainformer
