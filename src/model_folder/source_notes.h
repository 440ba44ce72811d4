// Notes on the sentences that a model reads: what it does not know of them, and what it leaves out.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_folder/translator.h"

namespace plainformer {

enum class NoteKind {
  kWhiteSpace,
  kCut,
  kLikePieces,
  kUnknownCharacters,
  kUnknownPieces,
  kRepetition,
  kUnknownWritten
};
inline constexpr int kNoteKinds = 7;

struct Note {
  NoteKind kind;
  std::string text;  // "the model never saw 猫 and 犬, and reads <unk> instead"; safe to print
};

Note white_space_note();

// cut: "70 tokens, cut to 63"
Note cut_note(const std::string& cut);

// Notes on a sentence for one model. Keeps a reference.
class SourceNotes {
 public:
  explicit SourceNotes(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // At most one note of a kind: that the sentence was cut; the words that end like pieces; the characters that no token of
  // the vocabulary has; the words of known characters for which it lacks a piece. In these lists each one stands once,
  // and the first five are named.
  std::vector<Note> on(const Sentence& sentence);

  // The characters of a text that no token of the vocabulary has, in the order of the text, as visible() shows them.
  //   text   valid UTF-8
  std::vector<std::string> unseen_characters(std::string_view text);

 private:
  bool knows(char32_t character);

  const Vocabulary& vocabulary_;
  std::set<char32_t> characters_;  // of the vocabulary; empty until the first unknown piece
};

// A character as it may be printed: itself, or "U+200B" if it cannot be seen or would control the terminal.
std::string visible(char32_t character);

}  // namespace plainformer
