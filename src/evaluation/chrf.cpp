#include "evaluation/chrf.h"

#include <algorithm>

#include "core/check.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "data/unicode.h"
#include "evaluation/bleu_tokenizer.h"
#include "evaluation/segments.h"

namespace plainformer {

namespace {

using Words = std::vector<std::string>;

// The sequences whose n-grams are counted: characters without white space, and words without punctuation.
struct ChrfText {
  Symbols characters, words;
};

bool is_ascii_punctuation(char c) {
  return std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::string_view::npos;
}

// One mark of punctuation is split off, at the end of a word or else at its beginning: "(hi)" becomes "(hi"
// and ")".
void append_word(Words& words, const std::string& word) {
  const std::size_t last = word.size() - 1;
  if (word.size() > 1 && is_ascii_punctuation(word[last])) {
    words.insert(words.end(), {word.substr(0, last), word.substr(last)});
  } else if (word.size() > 1 && is_ascii_punctuation(word[0])) {
    words.insert(words.end(), {word.substr(0, 1), word.substr(1)});
  } else {
    words.push_back(word);
  }
}

// The words of the hypothesis and its references have common numbers.
ChrfText text_of(std::string_view segment, const ChrfOptions& options, WordNumbers& numbers) {
  ChrfText text;
  Words words;
  for (const std::string& word :
       tokenize(BleuTokenization::kNone, options.lowercase ? to_lowercase(segment) : std::string(segment))) {
    append_word(words, word);
    for (std::size_t at = 0; at < word.size();) {
      const CodePoint character = decode_utf8(word, at);
      text.characters.push_back(character.value);
      at += character.bytes;
    }
  }
  text.words = numbers.of(words);
  return text;
}

// An n-gram that the reference cannot have, because it is too short, is not held against the hypothesis.
ChrfOrderCounts counts_of_order(const Symbols& hypothesis, const Symbols& reference, std::size_t n) {
  const std::vector<Ngram> a = sorted_ngrams(hypothesis, n), b = sorted_ngrams(reference, n);
  return {b.empty() ? 0 : std::ssize(a), std::ssize(b), clipped_matches(a, b)};
}

ChrfCounts counts_of(const ChrfText& hypothesis, const ChrfText& reference, const ChrfOptions& options) {
  ChrfCounts counts;
  for (std::size_t n = 1; n <= kChrfCharacterOrders; ++n)
    counts.orders[n - 1] = counts_of_order(hypothesis.characters, reference.characters, n);
  for (std::size_t n = 1; n <= options.word_orders; ++n)
    counts.orders[kChrfCharacterOrders + n - 1] = counts_of_order(hypothesis.words, reference.words, n);
  return counts;
}

}  // namespace

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& other) {
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i].hypothesis += other.orders[i].hypothesis;
    orders[i].reference += other.orders[i].reference;
    orders[i].matches += other.orders[i].matches;
  }
  return *this;
}

ChrfCounts chrf_counts(std::string_view hypothesis, const std::vector<std::string>& references,
                       const ChrfOptions& options) {
  CHECK(!references.empty(), "no reference");
  CHECK(options.word_orders <= kChrfMostWordOrders, options.word_orders, " orders of words");
  WordNumbers numbers;
  const ChrfText text = text_of(hypothesis, options, numbers);
  ChrfCounts best;
  double best_score = -1;
  for (const std::string& reference : references) {
    const ChrfCounts counts = counts_of(text, text_of(reference, options, numbers), options);
    const double score = chrf_score(counts);
    if (score > best_score) best = counts;
    best_score = std::max(best_score, score);
  }
  return best;
}

double chrf_score(const ChrfCounts& counts) {
  constexpr double kRecallWeight = 2 * 2;  // beta^2
  double precision = 0, recall = 0;
  int orders = 0;
  for (const ChrfOrderCounts& order : counts.orders) {
    if (order.hypothesis == 0 || order.reference == 0) continue;
    precision += static_cast<double>(order.matches) / static_cast<double>(order.hypothesis);
    recall += static_cast<double>(order.matches) / static_cast<double>(order.reference);
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * ((1 + kRecallWeight) * precision * recall / (kRecallWeight * precision + recall));
}

double chrf_score(const std::vector<ChrfCounts>& segments) {
  ChrfCounts counts;
  for (const ChrfCounts& segment : segments) counts += segment;
  return chrf_score(counts);
}

std::vector<ChrfCounts> chrf_segments(const std::vector<std::string>& hypotheses,
                                      const std::vector<std::vector<std::string>>& references,
                                      const ChrfOptions& options) {
  std::vector<ChrfCounts> segments;
  for_each_segment("chrF", hypotheses, references, [&](const std::string& hypothesis, const auto& of_it) {
    segments.push_back(chrf_counts(hypothesis, of_it, options));
  });
  return segments;
}

std::string chrf_text(double score, const ChrfOptions& options) {
  return "chrF2" + std::string(options.word_orders, '+') + " = " + fixed_text(score, 2);
}

std::string chrf_signature(const ChrfOptions& options, std::string_view version, Index references) {
  return "nrefs:" + std::to_string(references) + (options.lowercase ? "|case:lc" : "|case:mixed") +
         "|eff:yes|nc:" + std::to_string(kChrfCharacterOrders) +
         "|nw:" + std::to_string(options.word_orders) +
         "|space:no|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
