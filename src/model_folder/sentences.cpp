#include "model_folder/sentences.h"

#include <algorithm>

#include "core/special_symbols.h"
#include "data/text.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr std::size_t kMostNamed = 5;  // unknown pieces in a warning

void warn_of_unknown(const Sentence& sentence, const std::string& where, const Warn& warn) {
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < sentence.ids.size(); ++i) {
    if (sentence.ids[i] != kUnknownId) continue;
    if (std::find(unknown.begin(), unknown.end(), sentence.pieces[i]) == unknown.end())
      unknown.push_back(sentence.pieces[i]);
  }
  if (unknown.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(unknown.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : " ") + truncate_to_width(unknown[i], 24);
  warn(where + ": the model reads <unk> in place of " + names + (unknown.size() > kMostNamed ? " ..." : ""));
}

}  // namespace

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return sanitize_line(std::move(text), /*is_first=*/true);
}

Sentence sentence_of_ids(const LoadedModel& model, const std::vector<int>& ids) {
  return {.ids = ids, .pieces = model.vocabulary.decode(ids), .words = model.words};
}

Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn) {
  Sentence sentence = SourceReader(model).read(one_line(text), where, warn);
  warn_of_unknown(sentence, where, warn);
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
