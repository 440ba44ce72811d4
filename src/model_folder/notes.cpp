#include "model_folder/notes.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

#include "core/special_symbols.h"
#include "core/strings.h"
#include "data/words.h"
#include "report/numbers.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// The character itself, or its number if it cannot be seen.
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

}  // namespace

std::string quoted(const std::string& word, int width) {
  return "\"" + truncate_to_width(printable(word), width) + "\"";
}

std::string first_of(std::vector<std::string> names, const std::string& separator) {
  constexpr std::size_t kMostNamed = 5;
  if (names.size() > kMostNamed) {
    names.resize(kMostNamed);
    names.push_back("...");
  }
  return join(separator, names);
}

// ---- the source

Note white_space_note() {
  return {"white space alone", "white space alone, read as an empty line"};
}

bool SentenceNotes::knows(char32_t character) {
  if (characters_.empty()) {
    for (int id = kSpecialSymbols; id < vocabulary_.size(); ++id) {
      const std::string text = BytePairEncoding::join({vocabulary_.token(id)});
      for (const Character& c : characters_in(text)) characters_.insert(c.value);
    }
  }
  return characters_.count(character) > 0;
}

std::vector<std::string> SentenceNotes::unseen_characters(std::string_view text) {
  std::vector<std::string> unseen;
  for (const Character& c : characters_in(text))
    if (!knows(c.value)) unseen.push_back(visible(c.value));
  return unseen;
}

std::vector<Note> SentenceNotes::on_source(const Sentence& sentence) {
  std::vector<std::string> characters, words, like_pieces, recased;
  for (const std::string& word : sentence.like_pieces) add_once(like_pieces, quoted(word));
  for (const auto& [written, read] : sentence.in_another_case)
    add_once(recased, quoted(written) + " as " + quoted(read));
  for (const PiecedWord& word : words_of_pieces(sentence.pieces)) {
    const auto first = sentence.ids.begin() + word.first, end = first + word.pieces;
    if (std::find(first, end, kUnknownId) == end) continue;
    // As the line has it: "%A0" is U+00A0 there, and a joiner alone is the place where two words meet.
    const std::string joined = sentence.words.join(word.text);
    const std::string whole = joined.empty() ? sentence.text() : joined;
    const std::vector<std::string> unseen = unseen_characters(whole);
    for (const std::string& character : unseen) add_once(characters, character);
    if (unseen.empty()) add_once(words, quoted(whole));
  }
  std::vector<Note> notes;
  const std::string tokens = std::to_string(sentence.ids.size());
  std::string cut;
  if (sentence.line_was_cut)
    cut = "more than " + std::to_string(kMostSentenceBytes) + " bytes, cut to " + tokens + " tokens";
  else if (sentence.cut_from > 0)
    cut = std::to_string(sentence.cut_from) + " tokens, cut to " + tokens;
  if (!cut.empty())
    notes.push_back({"more tokens than the model reads", cut + " (hint: split long lines into sentences)"});
  if (!recased.empty())
    notes.push_back(
        {"words that the model reads in another case", "the model reads " + first_of(recased, ", ")});
  if (!like_pieces.empty())
    notes.push_back({"words that end in @@",
                     "the line looks cut by byte pair encoding already, which the model does itself: " +
                         first_of(like_pieces, ", ") + " (hint: undo it with sed -E 's/(@@ )|(@@ ?$)//g')"});
  if (!characters.empty()) {
    const bool has_accent =
        std::any_of(characters.begin(), characters.end(), [](const std::string& character) {
          return character.starts_with("U+03");  // a combining accent; a Greek letter is named by itself
        });
    notes.push_back({"characters that the model never saw",
                     "the model never saw " + first_of(characters, " ") + " and reads <unk> instead" +
                         (has_accent ? " (hint: uconv -x any-nfc joins accents to their letters)" : "")});
  }
  if (!words.empty())
    notes.push_back({"words of which the model lacks a piece",
                     "the model lacks a piece of " + first_of(words, ", ") + " and reads <unk> instead"});
  return notes;
}

Sentence read_sentence(LoadedModel& model, const std::string& text, const std::string& where,
                       const Warn& warn, Side side) {
  const Sentence sentence = SourceReader(model).read(one_line(text), side);
  for (const Note& note : SentenceNotes(model.vocabulary).on_source(sentence)) warn(where + ": " + note.text);
  return sentence;
}

// ---- the translation

namespace {

std::vector<std::string> words_in(const std::vector<std::string>& pieces) {
  return split_at(' ', BytePairEncoding::join(pieces));
}

// Finds the 1 to 4 words, or pieces, that come most often in a row. Of equally frequent ones it takes the
// shortest, then the first.
Repetition longest_repetition(const std::vector<std::string>& words) {
  constexpr Index kLongestUnit = 4;  // words
  Repetition longest;
  for (Index length = 1; length <= kLongestUnit; ++length) {
    Index equal = 0;  // the words in a row, up to word i, that equal the one `length` words before
    for (Index i = length; i < std::ssize(words); ++i) {
      equal = words[i] == words[i - length] ? equal + 1 : 0;
      const Index times = 1 + equal / length;
      if (times <= longest.times) continue;
      longest = {.text = words[i - length + 1], .times = times};
      for (Index next = i - length + 2; next <= i; ++next) longest.text += " " + words[next];
    }
  }
  return longest;
}

// Counts the words and marks of a text, and the sentences that marks end.
struct TextLength {
  Index words = 0, sentences = 0;
};

// "am 21. Juni", "Dr. Weber", "order no. 7": a stop that ends no sentence.
bool is_abbreviated(std::string_view word, std::string_view next) {
  static const std::set<std::string_view> titles = {"Dr", "Mr", "Mrs", "Ms", "Prof", "St"},
                                          of_numbers = {"No", "no", "Nr", "nr"},
                                          months = {"Januar",    "Februar", "März",     "April",
                                                    "Mai",       "Juni",    "Juli",     "August",
                                                    "September", "Oktober", "November", "Dezember"};
  const bool is_day = word.size() <= 2 && digits_of(word).size() == word.size();
  return (is_day && ((next[0] >= 'a' && next[0] <= 'z') || months.count(next) > 0)) ||
         titles.count(word) > 0 || (of_numbers.count(word) > 0 && !digits_of(next).empty());
}

bool ends_sentence(const std::vector<ScannedToken>& tokens, std::size_t i) {
  static const std::set<std::string_view> ends = {".", "!", "?", "。", "！", "？"};
  const bool has_neighbors = i > 0 && i + 1 < tokens.size();
  if (has_neighbors && tokens[i].text == "." && is_abbreviated(tokens[i - 1].text, tokens[i + 1].text))
    return false;
  const bool is_last =
      i + 1 == tokens.size() || tokens[i + 1].follows_blank || tokens[i + 1].kind == CharacterKind::kUnspaced;
  return is_last && ends.count(tokens[i].text) > 0;
}

TextLength length_of(const std::vector<ScannedToken>& tokens) {
  TextLength length = {.words = std::ssize(tokens)};
  for (std::size_t i = 0; i < tokens.size(); ++i) length.sentences += ends_sentence(tokens, i);
  return length;
}

// True for a word that a translation keeps: a number of several digits, a code such as KX42, an address.
bool is_to_be_copied(std::string_view word) {
  return characters_in(digits_of(word)).size() >= 2 || word.find("://") != std::string_view::npos ||
         word.find('@') != std::string_view::npos;
}

bool is_in_capitals(std::string_view word) {
  return word.size() >= 3 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// "1250.00" for "1,250.00" and "1.250,00": the digits, and a point where a separator divides no thousands.
std::string number_of(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789";
  std::string number;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (kDigits.find(word[i]) != word.npos)
      number += word[i];
    else if (std::string_view(".,:").find(word[i]) != word.npos &&
             std::min(word.find_first_not_of(kDigits, i + 1), word.size()) != i + 4)
      number += '.';
  }
  return number;
}

// Does a word stand in a text, as itself and not as a part of a longer one?
bool has_word(const std::string& text, const std::string& word) {
  const auto is_inside = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  std::size_t at = text.find(word);
  while (at != text.npos && ((at > 0 && is_inside(at - 1)) || is_inside(at + word.size())))
    at = text.find(word, at + 1);
  return at != text.npos;
}

bool has_small_letters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// The words to be copied that a translation lacks. With capitals, DMZW is a code, too.
std::vector<std::string> lost_copies(const std::string& source, const std::string& translation,
                                     bool with_capitals) {
  std::set<std::string> numbers;
  for (const ScannedToken& word : scan_words(translation)) numbers.insert(number_of(word.text));
  std::vector<std::string> lost;
  for (const ScannedToken& token : scan_words(source)) {
    const std::string word(token.text);
    if (!is_to_be_copied(word) && !(with_capitals && is_in_capitals(word))) continue;
    const bool is_number = word.find_first_not_of("0123456789.,:") == std::string::npos;
    const bool is_kept = is_number ? numbers.count(number_of(word)) > 0 : has_word(translation, word);
    if (!is_kept) add_once(lost, quoted(word, 80));
  }
  return lost;
}

}  // namespace

std::vector<std::string> sentences_of(const std::string& line) {
  std::vector<std::string> sentences(1);
  const std::vector<ScannedToken> tokens = scan_words(line);
  const char* begin = line.data();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_last = i + 1 == tokens.size();
    if (!is_last && !ends_sentence(tokens, i)) continue;
    sentences.back() = {begin, tokens[i].text.data() + tokens[i].text.size()};
    if (is_last) break;
    begin = tokens[i + 1].text.data();
    sentences.emplace_back();
  }
  return sentences;
}

std::optional<Repetition> runaway_repetition(const std::vector<std::string>& translation,
                                             const std::vector<std::string>& source) {
  const auto runaway = [](const auto& units, const auto& of_source) -> std::optional<Repetition> {
    constexpr Index kFewest = 4;  // times in a row
    Repetition repeated = longest_repetition(units);
    if (repeated.times < kFewest || repeated.times <= longest_repetition(of_source).times)
      return std::nullopt;
    repeated.text = BytePairEncoding::join(split_at(' ', repeated.text));
    return repeated;
  };
  const auto words = runaway(words_in(translation), words_in(source));
  if (words) return words;
  const auto pieces = runaway(translation, source);
  return pieces && digits_of(pieces->text).empty() ? pieces : std::nullopt;  // 100000 may be 100,000
}

std::vector<Note> SentenceNotes::on_translations(const Sentence& source,
                                                 const Hypotheses& translations) const {
  std::vector<Note> notes;
  const auto unknown = std::find_if(translations.begin(), translations.end(), [](const Hypothesis& t) {
    return std::find(t.tokens.begin(), t.tokens.end(), kUnknownId) != t.tokens.end();
  });
  if (unknown != translations.end()) {
    const bool is_best = unknown == translations.begin();
    notes.push_back(
        {"<unk> in the translation", std::string(is_best ? "the" : "an alternative") +
                                         " translation has <unk> for a word that the model cannot "
                                         "write"});
  }
  const auto pieces = vocabulary_.decode(translations.front().tokens);
  const std::string line = source.text(), translation = source.words.join(BytePairEncoding::join(pieces));
  const TextLength given = length_of(scan_words(line)), came = length_of(scan_words(translation));
  if (given.words > 0 && came.words == 0)
    notes.push_back({"an empty translation", "the translation is empty"});
  else if (given.words > 3 * came.words + 3)
    notes.push_back({"a much shorter translation", "the line has " + std::to_string(given.words) +
                                                       " words and marks, and its translation " +
                                                       std::to_string(came.words)});
  if (came.words > 0 && given.sentences > std::max<Index>(came.sentences, 1))
    notes.push_back({"sentences that the translation lacks",
                     "the line has " + std::to_string(given.sentences) + " sentences, and its translation " +
                         std::to_string(came.sentences) +
                         " (hint: translate --split translates each by itself)"});
  const auto lost = lost_copies(line, translation, has_small_letters(line)),
             made_up = lost_copies(translation, line, false);
  if (came.words > 0 && !lost.empty())
    notes.push_back({"words that the translation lacks", "the translation lacks " + first_of(lost, ", ")});
  else if (!made_up.empty())
    notes.push_back({"words that the line lacks",
                     "the translation has " + first_of(made_up, ", ") + ", which the line lacks"});
  if (const auto repeated = runaway_repetition(pieces, source.pieces))
    notes.push_back({"a translation that repeats itself",
                     "the translation repeats \"" + printable(source.words.join(repeated->text)) + "\" " +
                         std::to_string(repeated->times) + " times"});
  return notes;
}

// ---- the lines of a text

LineNotes::LineNotes(Warn print, std::string name, Index most)
    : print_(std::move(print)), name_(std::move(name)), most_(most) {}

void LineNotes::add(Index line, const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    Count& count = counts_[note.kind];
    if (std::exchange(count.last_line, line) == line && count.notes >= most_) continue;
    if (++count.notes <= most_)
      print_(name_ + ":" + std::to_string(line) + ": " + note.text);
    else if (count.notes <= most_ + kNamed)
      count.others += (count.others.empty() ? "" : ", ") + std::to_string(line);
  }
}

void LineNotes::finish() {
  for (const auto& [kind, count] : std::exchange(counts_, {})) {
    const Index more = count.notes - most_;
    if (more > 0)
      print_(name_ + ": " + count_of(more, "more line") + " with " + kind + ": " + count.others +
             (more > kNamed ? " ... " + std::to_string(count.last_line) : ""));
  }
}

}  // namespace plainformer
