// The lines of standard input as sentences for a model, with notes on what it does not know of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/input_lines.h"
#include "decoding/search_options.h"
#include "model_folder/line_notes.h"

namespace plainformer {

// Changes a line, which is UTF-8 (sanitize_line), before the model reads it.
using PrepareLine = std::function<std::string(std::string)>;

struct SourceLine {
  Index number = 0;  // the first is 1
  std::string text;  // prepared
  Sentence sentence;
};

// Reads standard input for a model. Keeps references.
class SourceLines {
 public:
  // tell: prints a line on standard error: about bytes that are no text, and LineNotes
  SourceLines(LoadedModel& model, Warn tell, Index most_notes = LineNotes::kFew);

  // The next lines, as InputLines gives them.
  std::vector<SourceLine> next(Index most, const PrepareLine& prepare);

  // As that of InputLines.
  Index count_ahead() const { return input_.count_ahead(); }

  // Tells if one of the translations of a line has <unk>, or if the best repeats itself (runaway_repetition).
  void check_translations(const SourceLine& line, const Hypotheses& translations);

  // Call it after the last line.
  void finish() { notes_.finish(); }

 private:
  void note(const SourceLine& line, bool was_cut);

  const LoadedModel& model_;
  SourceReader reader_;
  SourceNotes source_notes_;
  InputLines input_;
  InputSanitizer sanitize_;
  LineNotes notes_;
  Index number_ = 0;
};

}  // namespace plainformer
