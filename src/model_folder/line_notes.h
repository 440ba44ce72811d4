// What a command tells about the lines of a text: the first lines of each kind at once, the others as a number at the
// end.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "model_folder/sentences.h"
#include "model_folder/source_notes.h"

namespace plainformer {

class LineNotes {
 public:
  static constexpr Index kFew = 3, kAll = std::numeric_limits<Index>::max();

  // print: prints a line on standard error
  // name: the text's, "standard input" or "test.en"
  // most: the lines of each kind that are told one by one
  LineNotes(Warn print, std::string name, Index most = kFew);

  // Tells "test.en:17: ..." if few lines had a note of this kind so far. Lines come in their order.
  void add(Index line, const Note& note);

  // Tells for each kind how many lines more had it, and which was the last.
  void finish();

 private:
  struct Count {
    Index notes = 0, last_line = 0;
  };

  Warn print_;
  std::string name_;
  Index most_;
  std::array<Count, kNoteKinds> counts_;
};

}  // namespace plainformer
