#include "model_folder/translator.h"

#include <cstddef>
#include <utility>

#include "core/split.h"
#include "data/text.h"
#include "data/unknown_pieces.h"
#include "decoding/encoded_sources.h"

namespace plainformer {

std::string translate(LoadedModel& model, const std::string& text, const SearchOptions& options) {
  SourceReader reader(model);
  std::vector<std::vector<int>> sources;
  for (std::string& line : split_at('\n', text))
    sources.push_back(reader.read(sanitize_line(std::move(line), sources.empty())).ids);
  return join("\n", Translator(model).best_texts(sources, options));
}

SourceReader::SourceReader(BytePairEncoding& byte_pairs, const Vocabulary& vocabulary, const WordRule& words,
                           Index longest)
    : byte_pairs_(byte_pairs), vocabulary_(vocabulary), words_(words), longest_(longest) {}

SourceReader::SourceReader(LoadedModel& model)
    : SourceReader(model.byte_pairs, model.vocabulary, model.words,
                   longest_source(model.transformer->config())) {}

Sentence SourceReader::read(const std::string& text) {
  Sentence sentence = {.ids = {}, .pieces = {}, .words = words_};
  sentence.pieces = byte_pairs_.apply(words_.cut(text));
  if (words_.cuts_unknown) sentence.pieces = cut_unknown_pieces(std::move(sentence.pieces), vocabulary_);
  sentence.ids = vocabulary_.encode(sentence.pieces);
  if (std::ssize(sentence.ids) <= longest_) return sentence;
  sentence.cut_from = std::ssize(sentence.ids);
  sentence.ids.resize(static_cast<std::size_t>(longest_));
  sentence.pieces.resize(static_cast<std::size_t>(longest_));
  return sentence;
}

Translator::Translator(const Transformer& model, const Vocabulary& vocabulary, const WordRule& words)
    : model_(model), vocabulary_(vocabulary), words_(words) {}

Translator::Translator(const LoadedModel& model)
    : Translator(*model.transformer, model.vocabulary, model.words) {}

std::vector<Hypotheses> Translator::translate(const std::vector<std::vector<int>>& sources,
                                              const SearchOptions& options,
                                              const DecodingProgress& progress) {
  std::vector<std::vector<int>> asked;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) continue;
    asked.push_back(sources[i]);
    numbers.push_back(i);
  }
  std::vector<Hypotheses> answers = decode_all(model_, asked, options, progress);
  std::vector<Hypotheses> translations(sources.size(), Hypotheses(1));
  for (std::size_t i = 0; i < numbers.size(); ++i) translations[numbers[i]] = std::move(answers[i]);
  return translations;
}

std::vector<std::string> Translator::best_texts(const std::vector<std::vector<int>>& sources,
                                                const SearchOptions& options) {
  std::vector<std::string> texts;
  for (const Hypotheses& translations : translate(sources, options))
    texts.push_back(text_of(translations.front()));
  return texts;
}

std::string Translator::text_of(const Hypothesis& translation) const {
  return words_.join(BytePairEncoding::join(vocabulary_.decode(translation.tokens)));
}

}  // namespace plainformer
