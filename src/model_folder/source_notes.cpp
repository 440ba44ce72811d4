#include "model_folder/source_notes.h"

#include <algorithm>
#include <cstdio>

#include "core/special_symbols.h"
#include "core/utf8.h"
#include "model_folder/sentences.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr std::size_t kMostNamed = 5;  // characters or words in a note
constexpr int kWidestWord = 24;        // columns

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string quoted(const std::string& word) {
  return "\"" + truncate_to_width(printable(word), kWidestWord) + "\"";
}

std::string first_of(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : separator) + names[i];
  return text + (names.size() > kMostNamed ? separator + "..." : "");
}

}  // namespace

std::string visible(char32_t character) {
  std::string text;
  append_utf8(text, character);
  const bool can_be_seen =
      display_width(text) > 0 && !is_white_space(character) && character != kReplacementCharacter;
  if (can_be_seen) return text;
  char name[16];
  std::snprintf(name, sizeof(name), "U+%04lX", static_cast<unsigned long>(character));
  return name;
}

Note white_space_note() {
  return {NoteKind::kWhiteSpace, "white space alone, read as an empty line"};
}

Note cut_note(const std::string& cut) {
  return {NoteKind::kCut, cut + " (hint: split long lines into sentences)"};
}

bool SourceNotes::knows(char32_t character) {
  if (characters_.empty()) {
    for (int id = kSpecialSymbols; id < vocabulary_.size(); ++id) {
      const std::string text = BytePairEncoding::join({vocabulary_.token(id)});
      for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        characters_.insert(point.value);
        at += point.bytes;
      }
    }
  }
  return characters_.count(character) > 0;
}

std::vector<std::string> SourceNotes::unseen_characters(std::string_view text) {
  std::vector<std::string> unseen;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (!knows(point.value)) unseen.push_back(visible(point.value));
    at += point.bytes;
  }
  return unseen;
}

std::vector<Note> SourceNotes::on(const Sentence& sentence) {
  std::vector<std::string> characters, words, like_pieces;
  for (const std::string& word : sentence.like_pieces) add_once(like_pieces, quoted(word));
  for (const PiecedWord& word : words_of_pieces(sentence.pieces)) {
    for (Index i = word.first; i < word.first + word.pieces; ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (sentence.ids[place] != kUnknownId) continue;
      const auto as_written = [&](const std::string& text) { return sentence.words.join(text); };
      const std::string whole = as_written(word.text);
      auto unseen = unseen_characters(as_written(BytePairEncoding::join({sentence.pieces[place]})));
      // "%A0" has known letters, but the text has U+00A0.
      if (unseen.empty() && !whole.empty() && decode_utf8(whole, 0).bytes == whole.size())
        unseen = unseen_characters(whole);
      for (const std::string& character : unseen) add_once(characters, character);
      if (unseen.empty()) add_once(words, quoted(whole));
    }
  }
  std::vector<Note> notes;
  if (sentence.cut_from > 0)
    notes.push_back(cut_note(std::to_string(sentence.cut_from) + " tokens, cut to " +
                             std::to_string(sentence.ids.size())));
  if (!like_pieces.empty())
    notes.push_back({NoteKind::kLikePieces,
                     "the line looks cut by byte pair encoding already, which the model does itself: " +
                         first_of(like_pieces, ", ") + " (hint: undo it with sed -E 's/(@@ )|(@@ ?$)//g')"});
  if (!characters.empty()) {
    const bool has_accent =
        std::any_of(characters.begin(), characters.end(), [](const std::string& character) {
          return character.starts_with("U+03");  // a combining accent; a Greek letter is named by itself
        });
    notes.push_back({NoteKind::kUnknownCharacters,
                     "the model never saw " + first_of(characters, " ") + " and reads <unk> instead" +
                         (has_accent ? " (hint: uconv -x any-nfc joins accents to their letters)" : "")});
  }
  if (!words.empty())
    notes.push_back({NoteKind::kUnknownPieces,
                     "the model lacks a piece of " + first_of(words, ", ") + " and reads <unk> instead"});
  return notes;
}

}  // namespace plainformer
