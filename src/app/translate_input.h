// Translates standard input, for the commands that answer each line.
#pragma once

#include <functional>
#include <string>

#include "decoding/search_options.h"
#include "model_folder/model_folder.h"

namespace plainformer {

struct LineHandler {
  // Changes a line, which is UTF-8 (sanitize_line), before the model reads it.
  std::function<std::string(std::string)> prepare = [](std::string line) { return line; };
  // Prints the answer to a prepared line. An empty line has one translation, which is empty.
  std::function<void(const std::string& line, const Hypotheses& translations)> answer;
};

// Answers each line of standard input, in order. Works chunk by chunk, so that the first answers appear before
// a pipe ends or a person stops typing. Shows progress, and warns of lines that are too long for the model and of
// bytes that are no text.
void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler);

}  // namespace plainformer
