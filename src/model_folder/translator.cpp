#include "model_folder/translator.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/odd_pairs.h"
#include "data/text.h"
#include "data/unicode.h"
#include "data/vocabulary.h"
#include "decoding/beam_search.h"
#include "decoding/given_translation.h"

namespace plainformer {

std::vector<std::string> with_end(std::vector<std::string> pieces) {
  pieces.push_back(kSpecialSpellings[kEndId]);
  return pieces;
}

std::vector<PiecedWord> words_of_pieces(const std::vector<std::string>& pieces) {
  std::vector<PiecedWord> words;
  bool begins = true;
  for (const std::string& piece : pieces) {
    if (begins)
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

std::string translate(LoadedModel& model, const std::string& text, const SearchOptions& options) {
  SourceReader reader(model);
  std::vector<std::vector<int>> sources;
  for (std::string& line : split_at('\n', text))
    sources.push_back(reader.read(sanitize_line(std::move(line), sources.empty())).ids);
  return join("\n", Translator(model).best_texts(sources, options));
}

SourceReader::SourceReader(LoadedModel& model)
    : SourceReader(model, longest_source(model.transformer->config())) {}

namespace {

bool has_capital(const std::string& word) {
  return to_lowercase(word) != word;
}

bool begins_with_letter(const std::string& word) {
  return !word.empty() && unicode::class_of(decode_utf8(word, 0).value) == unicode::CharacterClass::kLetter;
}

constexpr Index kLacksAPiece = std::numeric_limits<Index>::max();  // instead of a number of pieces

// word: not empty
std::string with_capital(const std::string& word) {
  const Character first = decode_utf8(word, 0);
  std::string text;
  append_utf8(text, unicode::capital_of(first.value));
  return text + word.substr(first.bytes.size());
}

}  // namespace

std::vector<std::string> SourceReader::pieces_of(const std::string& words) {
  std::vector<std::string> pieces = text_.byte_pairs.apply(words);
  return text_.words.marks ? cut_unknown_pieces(std::move(pieces), text_.vocabulary) : pieces;
}

Index SourceReader::pieces_needed(const std::string& word) {
  const std::vector<int> ids = text_.vocabulary.encode(pieces_of(word));
  const bool has_all = std::find(ids.begin(), ids.end(), kUnknownId) == ids.end();
  return has_all ? std::ssize(ids) : kLacksAPiece;
}

std::string SourceReader::word_in_known_case(const std::string& word, bool begins_line) {
  if (!digits_of(word).empty() || word.find_first_of("@/") != std::string::npos) return word;
  const std::string small = to_lowercase(word), large = with_capital(small);
  const std::string by_preference[] = {begins_line ? word : small, begins_line ? large : word,
                                       begins_line ? small : large};
  const auto is_shorter = [&](auto& a, auto& b) { return pieces_needed(a) < pieces_needed(b); };
  const std::string& best = *std::min_element(std::begin(by_preference), std::end(by_preference), is_shorter);
  return pieces_needed(best) == kLacksAPiece ? word : best;
}

std::string SourceReader::in_known_case(const std::string& line, std::vector<WordInAnotherCase>& changed) {
  std::vector<std::string> words = split_at(' ', line);
  const bool all_have_capitals = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return !begins_with_letter(word) || has_capital(word);
  });
  bool is_first = true;
  for (std::string& word : words) {
    if (has_capital(word)) {
      const bool begins_line = is_first && word == with_capital(to_lowercase(word));
      const bool may_change = all_have_capitals || begins_line || pieces_needed(word) == kLacksAPiece;
      const std::string known = may_change ? word_in_known_case(word, is_first) : word;
      if (known != word && !begins_line) changed.push_back({.written = word, .read = known});
      word = known;
    }
    is_first = is_first && !begins_with_letter(word);
  }
  return join(" ", words);
}

Sentence SourceReader::read(const std::string& text, Side side) {
  Sentence sentence = {.ids = {}, .pieces = {}, .words = text_.words};
  const std::string words = text_.words.cut(text);
  sentence.pieces = pieces_of(side == Side::kSource ? in_known_case(words, sentence.in_another_case) : words);
  if (!text_.words.marks) sentence.like_pieces = words_ending_in_at_at(text);
  sentence.ids = text_.vocabulary.encode(sentence.pieces);
  if (std::ssize(sentence.ids) <= longest_) return sentence;
  sentence.cut_from = std::ssize(sentence.ids);
  sentence.ids.resize(static_cast<std::size_t>(longest_));
  sentence.pieces.resize(static_cast<std::size_t>(longest_));
  return sentence;
}

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
  SearchOptions used = options;
  if (text_.words.marks) used.limits.writes_unknown = false;
  std::vector<Hypotheses> answers = decode_all(model_, asked, used, progress);
  std::vector<Hypotheses> translations(sources.size(), Hypotheses(1));
  for (std::size_t i = 0; i < numbers.size(); ++i) translations[numbers[i]] = std::move(answers[i]);
  return translations;
}

std::vector<std::string> Translator::best_texts(const std::vector<std::vector<int>>& sources,
                                                const SearchOptions& options) {
  std::vector<std::string> texts;
  for (const Hypotheses& translations : translate(sources, options))
    texts.push_back(text_.decode(translations.front().tokens));
  return texts;
}

std::vector<Sentence> translations_of(const LoadedModel& model, const std::vector<Sentence>& sources,
                                      const SearchOptions& options) {
  std::vector<std::vector<int>> ids;
  for (const Sentence& source : sources) ids.push_back(source.ids);
  std::vector<Sentence> translations;
  for (const Hypotheses& best : Translator(model).translate(ids, options)) {
    const std::vector<int>& tokens = best.front().tokens;
    translations.push_back({.ids = tokens, .pieces = model.vocabulary.decode(tokens), .words = model.words});
  }
  return translations;
}

namespace {

// weights [heads, query_len, key_len] -> [query_len, key_len]
Tensor mean_of_heads(const Tensor& weights) {
  const Index heads = weights.dim(0);
  Tensor mean = Tensor::zeros({weights.dim(1), weights.dim(2)});
  Real* to = mean.mutable_data();
  for (Index head = 0; head < heads; ++head) {
    const Real* from = weights.data() + head * mean.size();
    for (Index i = 0; i < mean.size(); ++i) to[i] += from[i] / static_cast<Real>(heads);
  }
  return mean;
}

}  // namespace

std::string draw_attention(const LoadedModel& model, const Sentence& source,
                           const std::vector<int>& translation, const AttentionMapStyle& style) {
  const AttentionWeights weights = capture_attention(*model.transformer, source.ids, translation);
  return draw_attention_map(mean_of_heads(weights.encoder_decoder.back()),
                            with_end(model.vocabulary.decode(translation)), with_end(source.pieces), style);
}

}  // namespace plainformer
