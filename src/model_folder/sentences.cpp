#include "model_folder/sentences.h"

#include <algorithm>

#include "data/text.h"
#include "model_folder/source_notes.h"

namespace plainformer {

std::vector<PiecedWord> words_of_pieces(const std::vector<std::string>& pieces) {
  std::vector<PiecedWord> words;
  bool begins = true;
  for (const std::string& piece : pieces) {
    if (begins || piece == "</s>")  // which may follow a word that was cut off
      words.push_back({.text = "", .first = words.empty() ? 0 : words.back().first + words.back().pieces});
    begins = !piece.ends_with("@@");
    words.back().text += begins ? piece : piece.substr(0, piece.size() - 2);
    ++words.back().pieces;
  }
  return words;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return sanitize_line(std::move(text), /*is_first=*/true);
}

Sentence sentence_of_ids(const LoadedModel& model, const std::vector<int>& ids) {
  return {.ids = ids, .pieces = model.vocabulary.decode(ids), .words = model.words};
}

Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn) {
  const Sentence sentence = SourceReader(model).read(one_line(text));
  for (const Note& note : SourceNotes(model.vocabulary).on(sentence)) warn(where + ": " + note.text);
  return sentence;
}

std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options, const DecodingProgress& progress) {
  std::vector<std::vector<int>> ids;
  for (const Sentence& source : sources) ids.push_back(source.ids);
  std::vector<Sentence> translations;
  for (const Hypotheses& best : Translator(model).translate(ids, options, progress))
    translations.push_back(sentence_of_ids(model, best.front().tokens));
  return translations;
}

}  // namespace plainformer
