// Lines of a file or a pipe, read in chunks. A chunk waits for its first line only and takes the others that
// are ready. So a person who types is answered line by line, and a file is read in large chunks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model_folder/notes.h"

namespace plainformer {

class InputLines {
 public:
  // file: a descriptor that is open for reading; name: for errors, "standard input"
  InputLines(int file, std::string name) : file_(file), name_(std::move(name)) {}

  // The next lines, 1 to `most` of them, without their '\n'; none at the end. A last line needs no '\n'. A
  // line is cut at kMostSentenceBytes, so that a file without any '\n' needs little memory, too.
  // std::runtime_error if the file cannot be read.
  std::vector<std::string> next(Index most);

  // Was line i of the last next() cut?
  bool was_cut(std::size_t i) const { return was_cut_[i]; }

  // The number of lines still to come if the file is a regular one; else 0 for unknown.
  Index count_ahead() const;

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

// Makes the lines of an input text, one after the other, as sanitize_line does. Warns of the first line that
// needs it for more than its end, in the words that refuse such a file.
class InputSanitizer {
 public:
  // name: the input's, for the warning
  explicit InputSanitizer(Warn warn, std::string name = "standard input")
      : warn_(std::move(warn)), name_(std::move(name)) {}

  std::string operator()(const std::string& line);

 private:
  Warn warn_;
  std::string name_;
  Index lines_ = 0;
  bool has_warned_ = false;
};

}  // namespace plainformer
