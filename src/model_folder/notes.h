// Notes for people: what a model does not know of a sentence or leaves out, and what is odd in its
// translation.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_folder/translator.h"

namespace plainformer {

struct Note {
  const char* kind;  // what the lines with such a note have: "characters that the model never saw"
  std::string text;  // "the model never saw 猫 and reads <unk> instead"; safe to print
};

// Makes the notes on sentences of one model, at most one of each kind. Keeps a reference.
class SentenceNotes {
 public:
  explicit SentenceNotes(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Tells that the sentence was cut; words that are read in another case, or end like pieces; characters that
  // no token of the vocabulary has; and words of known characters for which the vocabulary lacks a piece. A
  // list names each item once, five at most.
  std::vector<Note> on_source(const Sentence& sentence);

  // Tells that a translation has <unk>, and what is odd in the best one: it is empty or much shorter than its
  // source, has fewer sentences, lacks a number, code or address or has another, or repeats itself
  // (runaway_repetition).
  std::vector<Note> on_translations(const Sentence& source, const Hypotheses& translations) const;

  // The characters of a text that no token of the vocabulary has, in the order of the text. One that cannot
  // be seen, or would control the terminal, is written "U+200B".
  //   text   valid UTF-8
  std::vector<std::string> unseen_characters(std::string_view text);

 private:
  bool knows(char32_t character);

  const Vocabulary& vocabulary_;
  std::set<char32_t> characters_;  // the characters of the vocabulary; empty until the first unknown piece
};

// The note on a line that has white space and nothing else.
Note white_space_note();

// Names in a note: a word in quotes, safe to print, in at most `width` columns; the first five of a list.
std::string quoted(const std::string& word, int width = 24);
std::string first_of(std::vector<std::string> names, const std::string& separator);

// The sentences of a line: each ends at . ! or ? before a blank, but not at the stop of "21. Juni",
// "Dr. Weber" or "No. 7". An empty line has one, which is empty.
std::vector<std::string> sentences_of(const std::string& line);

struct Repetition {
  std::string text;
  Index times = 1;  // in a row
};

// A translation runs away if it has the same 1 to 4 words, or pieces, at least 4 times in a row, and its
// source repeats nothing as often: "very very very very good" may say "sehr" four times, too.
std::optional<Repetition> runaway_repetition(const std::vector<std::string>& translation,  // pieces
                                             const std::vector<std::string>& source);

using Warn = std::function<void(const std::string&)>;

// Prints the notes on the lines of a text: the first lines of each kind at once, and the numbers of the
// others at the end.
class LineNotes {
 public:
  static constexpr Index kFew = 3, kNamed = 200, kAll = std::numeric_limits<Index>::max() - kNamed;

  // print: prints a line on standard error
  // name: the text's, "standard input" or "test.en"
  // most: of each kind, this many lines are printed one by one
  LineNotes(Warn print, std::string name, Index most = kFew);

  // Prints "test.en:17: ..." for each note whose kind few lines had so far. Lines come in their order.
  void add(Index line, const std::vector<Note>& notes);

  // Tells for each kind which other lines had it: kNamed of them, and the last.
  void finish();

 private:
  struct Count {
    Index notes = 0, last_line = 0;
    std::string others;  // "17, 18"
  };

  Warn print_;
  std::string name_;
  Index most_;
  std::map<std::string, Count> counts_;  // the counts of each kind
};

// Text as `plainformer translate` treats it: bytes that are not UTF-8 are replaced, ends of lines are spaces,
// and a sentence that is too long for the model is cut. Warns of each note on the sentence.
//   where   "--source" or "test.en:17"
Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn, Side side = Side::kSource);

}  // namespace plainformer
