// Paper: 5.1 Training Data and Batching ("a shared source-target vocabulary of about 37000 tokens").
//
// Tokens and their ids, one vocabulary for both languages. File: one token a line, the first line is id 0.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/real.h"

namespace plainformer {

class Vocabulary {
 public:
  static constexpr Index kMaxTokens = 200'000;  // loading takes at most twice the file's size plus 64 MB

  using TokenCounts = std::unordered_map<std::string, Index>;

  Vocabulary();  // the special symbols alone

  // The special symbols, then the tokens: the most frequent first, equally frequent ones in the order of
  // their bytes. A token of the text that spells a special symbol, such as "<s>", becomes "\<s>" in the file
  // and in token(), and "\<s>" becomes "\\<s>".
  static Vocabulary from_counts(const TokenCounts& counts);

  // Missing special symbols, an empty line, a space in a token, a repeated token and invalid UTF-8 are an
  // input_error with file, line and hint.
  static Vocabulary load(const std::string& path);
  static Vocabulary parse(const std::string& text, const std::string& name);
  std::string to_text() const;

  Index size() const { return std::ssize(tokens_); }
  int id(const std::string& token) const;  // by its spelling in the file; kUnknownId if there is none
  int id_of_piece(const std::string& piece) const;  // by its spelling in the text, as encode does
  const std::string& token(int id) const;           // std::logic_error unless 0 <= id < size()

  // The ids of a text's tokens; kUnknownId for a token that the vocabulary lacks. A text that spells "<s>"
  // means these three characters, not the symbol.
  std::vector<int> encode(const std::vector<std::string>& tokens) const;
  // The tokens of all ids, special symbols included, as the text spells them.
  std::vector<std::string> decode(const std::vector<int>& ids) const;

 private:
  bool add(const std::string& token);  // false if the vocabulary has it already

  std::vector<std::string> tokens_;  // by id
  std::unordered_map<std::string, int> ids_;
};

// Cuts each piece that the vocabulary lacks into pieces that it has. Byte pair encoding may join letters of a
// new word to a piece that the training text never needed: if "sleeping" and "sleeps" became whole words, the
// vocabulary has both, but no "sleep@@". The model would read <unk>, although it knows each letter.
//
// Of all ways to cut a piece, it takes
//   1. those with the fewest unknown characters,
//   2. of these, those with the fewest pieces,
//   3. of these, the one whose last piece is the longest, then the piece before it, and so on.
// A character that the vocabulary lacks becomes a piece by itself, and stays unknown. No piece of more than
// 128 bytes is tried, so that the time is linear in the length of the piece.
std::vector<std::string> cut_unknown_pieces(std::vector<std::string> pieces, const Vocabulary& vocabulary);

}  // namespace plainformer
