// Standard input as sentences for a model, and the answers to them, for the commands that answer each line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/input_lines.h"
#include "decoding/search_options.h"
#include "model_folder/notes.h"
#include "report/command_line.h"

namespace plainformer {

// The options of decoding that several commands share.
struct SearchSettings {
  Index beam = 1, n_best = 1, batch = 32, extra_length = 50;
  double length_penalty = 0.6;

  // Throws std::runtime_error, which names the option and its range.
  SearchOptions options() const;
};

// Adds --beam, --length-penalty, --extra-length and --batch.    paper_beam: the paper's beam for this task
void add_search_options(CommandLine& line, SearchSettings* settings, int paper_beam);

// Changes a line, which is UTF-8 (sanitize_line), before the model reads it.
using PrepareLine = std::function<std::string(const std::string&)>;

struct SourceLine {
  Index number = 0;  // the first is 1
  std::string text;  // prepared
  Sentence sentence;
};

// Reads standard input for a model. Keeps references.
class SourceLines {
 public:
  // tell: prints a line on standard error: about bytes that are not text, and of LineNotes
  SourceLines(LoadedModel& model, Warn tell, Index most_notes = LineNotes::kFew, PrepareLine prepare = {});

  // The next lines, as InputLines gives them. Tells the notes on each.
  std::vector<SourceLine> next(Index most);

  // See InputLines::count_ahead.
  Index count_ahead() const { return input_.count_ahead(); }

  // Tells the notes on the translations of a line.
  void check_translations(const SourceLine& line, const Hypotheses& translations);

  // Call it after the last line.
  void finish() { line_notes_.finish(); }

 private:
  PrepareLine prepare_;
  SourceReader reader_;
  SentenceNotes notes_;
  InputLines input_;
  InputSanitizer sanitize_;
  LineNotes line_notes_;
  Index number_ = 0;
};

struct LineHandler {
  // Prints the answer to a prepared line. An empty line has one translation, which is empty.
  std::function<void(const std::string& line, const Hypotheses& translations)> answer;
  PrepareLine prepare = {};
  bool checks_translations = false;  // tells the notes on them
};

// Answers each line of standard input, in order. Works chunk by chunk, so that the first answers appear
// before a pipe ends or a person stops typing. Shows progress, and tells of bytes that are not text and the
// notes on lines.
void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler);

}  // namespace plainformer
