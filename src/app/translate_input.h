// Translates standard input, for the commands that answer each line.
#pragma once

#include <functional>
#include <string>

#include "app/source_lines.h"

namespace plainformer {

struct LineHandler {
  PrepareLine prepare = [](std::string line) { return line; };
  // Prints the answer to a prepared line. An empty line has one translation, which is empty.
  std::function<void(const std::string& line, const Hypotheses& translations)> answer;
  // Tells of translations that have <unk> or repeat themselves (SourceLines::check_translations).
  bool checks_translations = false;
};

// Answers each line of standard input, in order. Works chunk by chunk, so that the first answers appear before
// a pipe ends or a person stops typing. Shows progress, and tells of bytes that are no text and, with LineNotes, of
// lines that are white space alone, lines that are too long, and what the model does not know.
void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler);

}  // namespace plainformer
