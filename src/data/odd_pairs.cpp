#include "data/odd_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/strings.h"
#include "data/text.h"
#include "data/unicode.h"
#include "data/words.h"

namespace plainformer {

namespace {

using LinePair = ParallelCorpus::LinePair;
using Side = std::string LinePair::*;
using Pairs = std::vector<LinePair>::const_iterator;

constexpr Side kSides[] = {&LinePair::source, &LinePair::target};

// A kind of pairs that is seldom meant.
struct OddKind {
  Finding finding;
  std::function<bool(const LinePair&)> is_odd;
  Index share = 1000;  // a finding needs one odd pair in this many
};

// The findings of one corpus, each with its first pair as example.
class FindingList {
 public:
  explicit FindingList(const ParallelCorpus& corpus) : corpus_(corpus) {}

  void add(const std::string& kind, const std::string& advice, Pairs begin, Pairs end) {
    const auto same_kind = [&](const Finding& finding) { return finding.kind == kind; };
    auto found = std::find_if(findings.begin(), findings.end(), same_kind);
    if (found == findings.end()) found = findings.insert(found, {kind, advice});
    for (; begin != end; ++begin) add(*begin, *found);
  }

  // Walks through the text once for all kinds, and adds them in their order, unless they have too few pairs.
  void add(std::vector<OddKind> kinds) {
    for (const LinePair& pair : corpus_.pairs())
      for (OddKind& odd : kinds)
        if (odd.is_odd(pair)) add(pair, odd.finding);
    for (const auto& [finding, is_odd, share] : kinds) {
      const Index pairs = finding.pairs.pairs;
      if (pairs > 0 && pairs * share >= std::ssize(corpus_.pairs())) findings.push_back(finding);
    }
  }

  std::vector<Finding> findings;

 private:
  void add(const LinePair& pair, Finding& finding) {
    if (finding.pairs.pairs == 0) finding.example = pair.source + "\t" + pair.target;
    finding.pairs.add(corpus_.place_of(pair));
  }

  const ParallelCorpus& corpus_;
};

// The number of code points of valid UTF-8: every byte but those that continue one.
double length_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// True for a pair of which `is_odd` is true of one side.
template <typename IsOdd>
auto either_side(IsOdd is_odd) {
  return [is_odd](const LinePair& pair) { return is_odd(pair.source) || is_odd(pair.target); };
}

std::uint64_t key_of(const LinePair& pair) {
  return pair_key(sentence_key(pair.source), sentence_key(pair.target));
}

bool has_combining_accent(std::string_view text) {
  const std::vector<Character> characters = characters_in(text);
  return std::any_of(characters.begin(), characters.end(),
                     [](const Character& c) { return c.value >= 0x300 && c.value <= 0x36F; });
}

// "Bir@@ ne": a piece of a word that goes on.
bool has_piece(std::string_view line) {
  for (std::size_t end = line.find("@@ "); end != line.npos; end = line.find("@@ ", end + 1))
    if (end > 0 && line[end - 1] != ' ') return true;
  return false;
}

bool are_unequal(double length, double other) {
  constexpr double kRatio = 4, kSlack = 10;
  return std::max(length, other) > kRatio * std::min(length, other) + kSlack;
}

// An entity or a tag of HTML: "&quot;", "&#39;", "<b>", "</b>", "<br/>".
bool has_markup(std::string_view line) {
  const auto is_name = [](char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
  for (std::size_t at = line.find_first_of("&<"); at != line.npos; at = line.find_first_of("&<", at + 1)) {
    std::size_t begin = at + 1;
    if (begin < line.size() && line[begin] == (line[at] == '&' ? '#' : '/')) ++begin;
    std::size_t end = begin;
    while (end < line.size() && is_name(line[end])) ++end;
    const bool has_name = end > begin && end - begin <= 10;
    if (!has_name || end == line.size()) continue;
    if (line[at] == '&' ? line[end] == ';' : line[end] == '>' || line.substr(end, 2) == "/>") return true;
  }
  return false;
}

// A cell as a spreadsheet writes it: quotes around it, and each quote within it doubled.
bool is_quoted_cell(std::string_view line) {
  if (line.size() < 2 || !line.starts_with('"') || !line.ends_with('"')) return false;
  for (std::size_t at = 1; (at = line.find('"', at)) < line.size() - 1; at += 2)
    if (at + 2 >= line.size() || line[at + 1] != '"') return false;
  return true;
}

// One long number on each side, such as that of an order, of equal length, but not the same.
bool has_another_number(const LinePair& pair) {
  std::vector<std::string> numbers[2];
  for (const std::size_t side : {0, 1})
    for (const ScannedToken& token : scan_words(pair.*kSides[side]))
      if (token.text.size() >= 5 && token.text.find_first_not_of("0123456789") == token.text.npos)
        numbers[side].emplace_back(token.text);
  return numbers[0].size() == 1 && numbers[1].size() == 1 && numbers[0] != numbers[1] &&
         numbers[0][0].size() == numbers[1][0].size();
}

// A Latin letter beside a Cyrillic one, many of which look the same.
bool has_letters_of_two_scripts(std::string_view line) {
  const auto is_latin = [](const Character& c) { return (c.value | 32) >= 'a' && (c.value | 32) <= 'z'; };
  const auto is_cyrillic = [](const Character& c) { return c.value >= 0x400 && c.value <= 0x52F; };
  const std::vector<Character> characters = characters_in(line);
  return std::adjacent_find(characters.begin(), characters.end(), [&](const auto& a, const auto& b) {
           return (is_latin(a) && is_cyrillic(b)) || (is_cyrillic(a) && is_latin(b));
         }) != characters.end();
}

// The pairs whose sides changed places. How often a word is in the sources, and in the targets, tells to
// which of them its line belongs.
std::set<const LinePair*> exchanged_pairs(const ParallelCorpus& corpus) {
  std::unordered_map<std::string_view, std::array<double, 2>> counts;
  for (const LinePair& pair : corpus.pairs())
    for (std::size_t side : {0, 1})
      for (const ScannedToken& token : scan_words(pair.*kSides[side])) ++counts[token.text][side];

  // The sum over the words, each of which does not count itself.
  const auto evidence = [&](const LinePair& pair, std::size_t side) {
    double sum = 0;
    for (const ScannedToken& token : scan_words(pair.*kSides[side])) {
      const std::array<double, 2>& count = counts.at(token.text);
      sum += std::log((count[side] - 0.5) / (count[1 - side] + 0.5));
    }
    return sum;
  };
  constexpr double kClear = 2;
  std::set<const LinePair*> exchanged;
  Index in_order = 0;
  for (const LinePair& pair : corpus.pairs()) {
    const double source = evidence(pair, 0), target = evidence(pair, 1);
    in_order += source > kClear && target > kClear;
    if (source < -kClear && target < -kClear) exchanged.insert(&pair);
  }
  if (2 * in_order < std::ssize(corpus.pairs())) exchanged.clear();  // the sides share their words
  return exchanged;
}

// ---- faults of a file

// The digits of a line in ascending order: languages order their numbers differently.
std::string sorted_digits(const std::string& line) {
  std::string digits = digits_of(line);
  std::sort(digits.begin(), digits.end());
  return digits;
}

// How well sources fit the targets some lines below them.
struct Fit {
  Index pairs = 0, numbers = 0, equal_numbers = 0;
  double correlation = 0;  // of the logarithms of their lengths

  bool is_better_than(const Fit& other) const {
    const bool numbers_say_so =
        numbers >= 5 && 5 * equal_numbers >= 4 * numbers && 5 * other.equal_numbers <= 2 * other.numbers;
    const bool lengths_say_so = pairs >= 40 && correlation > 0.65 && correlation > other.correlation + 0.3;
    return numbers_say_so || lengths_say_so;
  }
};

Fit fit_of(Pairs begin, Pairs end, Index shift) {
  Fit fit;
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (Pairs source = begin, target = begin; source != end; ++source) {
    while (target != end && target->line < source->line + shift) ++target;
    if (target == end) break;
    if (target->line != source->line + shift) continue;
    const double a = std::log1p(length_of(source->source)), b = std::log1p(length_of(target->target));
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
    const std::string of_source = sorted_digits(source->source), of_target = sorted_digits(target->target);
    ++fit.pairs;
    fit.numbers += !of_source.empty() || !of_target.empty();
    fit.equal_numbers += !of_source.empty() && of_source == of_target;
  }
  const auto n = static_cast<double>(fit.pairs);
  const double deviations = std::sqrt((n * xx - x * x) * (n * yy - y * y));
  if (deviations > 0) fit.correlation = (n * xy - x * y) / deviations;
  return fit;
}

// Compares each block of lines with the lines around it, because a text may slip in its middle.
void add_shifted(FindingList& list, Pairs begin, Pairs end) {
  constexpr std::ptrdiff_t kBlock = 50, kFewest = 20;
  for (Pairs last = begin; begin != end; begin = last) {
    last = end - begin < 2 * kBlock ? end : begin + kBlock;
    if (last - begin < kFewest) return;
    const Fit here = fit_of(begin, last, 0);
    for (const Index shift : {1, -1, 2, -2, 3, -3, 4, -4, 5, -5}) {
      if (!fit_of(begin, last, shift).is_better_than(here)) continue;
      list.add("whose source fits the target " + std::to_string(std::abs(shift)) +
                   (std::abs(shift) == 1 ? " line " : " lines ") + (shift > 0 ? "below it" : "above it"),
               "one side lost or gained lines there or before: give it as many again", begin, last);
      break;
    }
  }
}

// One word of ASCII with a digit, as "1020" and "s_17".
bool is_id(std::string_view line) {
  return line.find_first_of("0123456789") != line.npos &&
         std::all_of(line.begin(), line.end(), [](char c) { return c > ' ' && c <= '~'; });
}

bool is_title(const std::string& line) {
  static const std::set<std::string_view> titles = {
      "source",   "target",  "src",      "tgt",    "sentence", "translation", "text",       "original",
      "id",       "from",    "to",       "german", "english",  "french",      "spanish",    "italian",
      "chinese",  "deutsch", "englisch", "phrase", "mot",      "traduction",  "traducción", "frase",
      "français", "anglais", "español",  "inglés", "en",       "de",          "fr",         "es",
      "it",       "zh",      "ja",       "ru"};
  return titles.count(to_lowercase(line)) > 0;
}

void add_faults_of_file(FindingList& list, Pairs begin, Pairs end) {
  if (begin->line == 1 && end - begin > 1 && is_title(begin->source) && is_title(begin->target))
    list.add("that are the titles of their columns", "delete the first line", begin, begin + 1);
  for (const Side side : kSides) {
    const auto ids = std::count_if(begin, end, [&](const LinePair& pair) { return is_id(pair.*side); });
    if (ids >= 5 && 10 * ids >= 9 * (end - begin))
      list.add("with a number or a name instead of a sentence", "--columns chooses other columns", begin,
               end);
  }
  add_shifted(list, begin, end);
}

}  // namespace

std::vector<Finding> findings_in(const ParallelCorpus& corpus) {
  FindingList list(corpus);
  const std::vector<LinePair>& pairs = corpus.pairs();
  for (auto begin = pairs.begin(), end = begin; begin != pairs.end(); begin = end) {
    end = std::find_if(begin, pairs.end(), [&](const LinePair& pair) { return pair.file != begin->file; });
    add_faults_of_file(list, begin, end);
  }
  const auto is_copy = [](const LinePair& pair) {
    return sentence_key(pair.source) == sentence_key(pair.target);
  };
  const bool are_copies = std::all_of(pairs.begin(), pairs.end(), is_copy);
  const std::set<const LinePair*> exchanged = exchanged_pairs(corpus);
  std::unordered_set<std::uint64_t> before;
  double sources = 0, targets = 0;
  for (const LinePair& pair : pairs) {
    sources += length_of(pair.source);
    targets += length_of(pair.target);
  }
  list.add(
      {{{"that look cut by byte pair encoding already, which the model learns itself",
         "undo it with sed -E 's/(@@ )|(@@ ?$)//g'"},
        either_side(has_piece),
        /*share=*/20},  // a text may mention such pieces
       {{"that repeat an earlier one", "delete them, unless they are to count more"},
        [&](const LinePair& pair) { return !before.insert(key_of(pair)).second; }},
       {{are_copies ? "with the same words on both sides, which are all, so a model learns to copy"
                    : "with the same words on both sides",
         are_copies ? "is one file given twice?" : "delete those that are not translated"},
        is_copy},
       {{"with sides of very unequal lengths", "is one a part of the other, or of the next line?"},
        [&](const LinePair& pair) {
          return are_unequal(length_of(pair.source) * targets / sources, length_of(pair.target));
        }},
       {{"with accents as characters of their own, which are other letters than é and ö",
         "uconv -x any-nfc joins them"},
        either_side(has_combining_accent)},
       {{"with the quotes that a spreadsheet writes around a cell",
         "if a spreadsheet wrote the file, undo them with sed -E 's/(^|\\t)\"([^\\t]*)\"/\\1\\2/g; "
         "s/\"\"/\"/g'"},
        either_side([](std::string_view line) {
          return is_quoted_cell(line) && line.find("\"\"", 1) < line.size() - 2;
        })},
       {{"with quotes around both sides, as a spreadsheet writes them",
         "if they are not of the text, save it without them"},
        [](const LinePair& pair) { return is_quoted_cell(pair.source) && is_quoted_cell(pair.target); },
        /*share=*/1},
       {{"with another number on each side", "which of the two is right?"}, has_another_number},
       {{"with entities or tags of HTML", "write the characters that they mean"}, either_side(has_markup)},
       {{"with a word of Latin and Cyrillic letters, which may look the same",
         "is that a Cyrillic a? write the word in one script"},
        either_side(has_letters_of_two_scripts)},
       {{"whose sides look exchanged", "the source has the words of the targets: exchange its columns"},
        [&](const LinePair& pair) { return exchanged.count(&pair) > 0; }}});
  return list.findings;
}

std::vector<Finding> findings_in_validation(const ParallelCorpus& valid, const ParallelCorpus& train) {
  const auto key_of_source = [](const LinePair& pair) { return sentence_key(to_lowercase(pair.source)); };
  std::unordered_set<std::uint64_t> keys, sources;
  for (const LinePair& pair : train.pairs()) {
    keys.insert(key_of(pair));
    sources.insert(key_of_source(pair));
  }
  FindingList list(valid);
  const std::string advice = "take them out of one of the texts";
  list.add({{{"that are in the training text as well, so that they measure memory", advice},
             [&](const LinePair& pair) { return keys.count(key_of(pair)) > 0; }},
            {{"whose source is in the training text, with another translation or in another case", advice},
             [&](const LinePair& pair) {
               return keys.count(key_of(pair)) == 0 && sources.count(key_of_source(pair)) > 0;
             }}});
  return list.findings;
}

Index line_where_texts_part(const std::vector<std::string>& source, const std::vector<std::string>& target) {
  if (source.size() < target.size()) return line_where_texts_part(target, source);
  const std::size_t surplus = source.size() - target.size();
  const auto cost = [&](std::size_t of_source, std::size_t of_target) {
    const std::string &a = source[of_source], &b = target[of_target];
    return std::abs(std::log((1 + length_of(a)) / (1 + length_of(b)))) +
           (sorted_digits(a) != sorted_digits(b));
  };
  double sum = 0, least = 0;  // the cost of parting there, beyond that of parting at the first line
  std::size_t best = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    sum += cost(i, i) - cost(i + surplus, i);
    if (sum >= least) continue;
    least = sum;
    best = i + 1;
  }
  return static_cast<Index>(best) + 1;
}

std::vector<std::string> words_ending_in_at_at(std::string_view line) {
  if (line.find("@@") == std::string_view::npos) return {};  // nearly all lines
  std::vector<std::string_view> words = split_words(line);
  std::erase_if(words, [](std::string_view word) { return !word.ends_with("@@"); });
  return {words.begin(), words.end()};
}

std::optional<bool> looks_tokenized(const ParallelCorpus& corpus) {
  constexpr Index kMostPairs = 10'000, kShare = 10;
  const Index pairs = std::min(std::ssize(corpus.pairs()), kMostPairs);
  Index attached = 0, detached = 0;
  for (Index i = 0; i < pairs; ++i) {
    for (const Side side : kSides) {
      const std::vector<ScannedToken> tokens = scan_words(corpus.pairs()[i].*side);
      if (tokens.size() < 2 || tokens.back().kind != CharacterKind::kSymbol) continue;
      ++(tokens.back().follows_blank ? detached : attached);
    }
  }
  if (std::max(attached, detached) * kShare < pairs) return std::nullopt;
  return detached > attached;
}

}  // namespace plainformer
