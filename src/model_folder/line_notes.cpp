#include "model_folder/line_notes.h"

#include <utility>

#include "report/number_format.h"

namespace plainformer {

namespace {

// What such lines have, in the order of NoteKind.
constexpr std::array<const char*, kNoteKinds> kDescriptions = {"white space alone",
                                                               "more tokens than the model reads",
                                                               "words that end in @@",
                                                               "characters that the model never saw",
                                                               "words of which the model lacks a piece",
                                                               "a translation that repeats itself",
                                                               "<unk> in the translation"};

}  // namespace

LineNotes::LineNotes(Warn print, std::string name, Index most)
    : print_(std::move(print)), name_(std::move(name)), most_(most) {}

void LineNotes::add(Index line, const Note& note) {
  Count& count = counts_[static_cast<std::size_t>(note.kind)];
  ++count.notes;
  count.last_line = line;
  if (count.notes <= most_) print_(name_ + ":" + std::to_string(line) + ": " + note.text);
}

void LineNotes::finish() {
  for (std::size_t kind = 0; kind < counts_.size(); ++kind) {
    const Count count = std::exchange(counts_[kind], {});
    if (count.notes > most_)
      print_(name_ + ": " + count_of(count.notes - most_, "more line") + " with " + kDescriptions[kind] +
             ", the last is line " + std::to_string(count.last_line));
  }
}

}  // namespace plainformer
