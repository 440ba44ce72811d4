// Standard input as sentences for a model, and the answers to them, for the commands that answer each line.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/text.h"
#include "decoding/beam.h"
#include "model_folder/notes.h"
#include "report/command_line.h"

namespace plainformer {

// Lines of a file or a pipe, read in chunks. A chunk waits for its first line only and takes the others that
// are ready. So a person who types is answered line by line, and a file is read in large chunks.
class InputLines {
 public:
  // file: a descriptor that is open for reading; name: for errors, "standard input"
  InputLines(int file, std::string name) : file_(file), name_(std::move(name)) {}
  // Reads lines that are in memory.
  InputLines(const std::vector<std::string>& lines, std::string name);

  const std::string& name() const { return name_; }

  // The next lines, 1 to `most` of them, without their '\n'; none at the end. A last line needs no '\n'. A
  // line is cut at kMostSentenceBytes, so that a file without any '\n' needs little memory, too.
  // std::runtime_error if the file cannot be read.
  std::vector<std::string> next(Index most);

  // True if line i of the last next() was cut.
  bool was_cut(std::size_t i) const { return was_cut_[i]; }

  // The number of lines still to come if the file is a regular one of at most 64 MiB, which it reads to its
  // end; else 0 for unknown.
  Index count_ahead();

 private:
  void read_more();
  // The line of the buffer that begins and ends there, cut if it is too long.
  std::string take(std::size_t begin, std::size_t end);

  int file_;
  std::string name_;
  std::string buffer_;  // read, but not yet returned
  std::vector<bool> was_cut_;
  bool ended_ = false;
};

// Makes the lines of standard input, one after the other, as sanitize_line does. Warns of the first line that
// needs it for more than its end, in the words that refuse such a file.
class InputSanitizer {
 public:
  explicit InputSanitizer(Warn warn) : warn_(std::move(warn)) {}

  std::string operator()(const std::string& line);

 private:
  Warn warn_;
  Index lines_ = 0;
  bool has_warned_ = false;
};

// Adds --beam, --length-penalty, --extra-length and --batch.    paper_beam: the paper's beam for this task
void add_search_options(CommandLine& line, SearchOptions* options, int paper_beam);

// Throws std::runtime_error, which names the option and its range. Makes a beam of 1 greedy search, which
// compares no lengths.
void finish_search(SearchOptions& options);

struct SourceLine {
  Index number = 0;  // the first is 1
  std::string text;  // prepared
  Sentence sentence;
  bool is_end = true;  // false for a sentence of a line that has another one behind it
};

// Where the lines come from, and what is done to them before the model reads them.
struct SourceSettings {
  InputLines input = {0, kStandardInputName};
  std::function<std::string(const std::string&)> prepare = {};  // takes UTF-8 (sanitize_line)
  bool split = false;  // each sentence of a line is translated by itself
};

// Reads lines for a model, usually those of standard input. Keeps references.
class SourceLines {
 public:
  // tell: prints a line on standard error: about bytes that are not text, and of LineNotes
  SourceLines(LoadedModel& model, Warn tell, Index most_notes, SourceSettings settings);

  // The next lines, as InputLines gives them, or their sentences (sentences_of). Tells the notes on each.
  std::vector<SourceLine> next(Index most);

  // See InputLines::count_ahead.
  Index count_ahead() { return settings_.input.count_ahead(); }

  // Tells the notes on the translations of a line.
  void check_translations(const SourceLine& line, const Hypotheses& translations);

  // Call it after the last line.
  void finish() { line_notes_.finish(); }

 private:
  SourceSettings settings_;
  SourceReader reader_;
  SentenceNotes notes_;
  InputSanitizer sanitize_;
  LineNotes line_notes_;
  Index number_ = 0;
};

// Prints the answer to a line. An empty line has one translation, which is empty.
using AnswerLine = std::function<void(SourceLines&, const SourceLine&, const Hypotheses& translations)>;

// Answers each line, in order. Works chunk by chunk, so that the first answers appear before a pipe ends or a
// person stops typing. Shows progress, and tells of bytes that are not text and the notes on lines.
void translate_input(LoadedModel& model, const SearchOptions& options, const AnswerLine& answer,
                     SourceSettings settings = {});

}  // namespace plainformer
