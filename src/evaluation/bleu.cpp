#include "evaluation/bleu.h"

#include <cmath>

#include "core/check.h"
#include "core/number_text.h"
#include "core/strings.h"
#include "evaluation/segments.h"

namespace plainformer {

// ---- tokens

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_stop(char c) {
  return c == '.' || c == ',';
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = result.append(text, begin);
}

// Puts a space on both sides of ASCII punctuation except ' , - . and of spaces.
std::string separate_symbols(std::string_view text) {
  constexpr std::string_view kSymbols = " !\"#$%&()*+/:;<=>?@[\\]^_`{|}~";
  std::string result;
  for (const char c : text)
    result += kSymbols.find(c) == kSymbols.npos ? std::string(1, c) : std::string{' ', c, ' '};
  return result;
}

// Puts a space between two neighbors that `match`, from left to right without overlap, and further ones
// before and after them. Comparing bytes is enough, because the rules name only ASCII characters.
struct PairRule {
  bool (*match)(char first, char second);
  std::string_view before, after;
};

constexpr PairRule kRulesOf13a[] = {
    {[](char a, char b) { return !is_digit(a) && is_stop(b); }, "", " "},
    {[](char a, char b) { return is_stop(a) && !is_digit(b); }, " ", ""},
    {[](char a, char b) { return is_digit(a) && b == '-'; }, "", " "},
};

std::string insert_spaces(const PairRule& rule, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_match = i + 1 < text.size() && rule.match(text[i], text[i + 1]);
    if (is_match) result.append(rule.before).append(1, text[i++]).append(1, ' ');
    result += text[i];
    if (is_match) result += rule.after;
  }
  return result;
}

std::vector<std::string> tokenize_13a(std::string_view segment) {
  // Undo markup.
  std::string text(segment);
  replace_all(text, "<skipped>", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  // Split punctuation off. Each rule sees the output of the one before it.
  text = separate_symbols(" " + text + " ");
  for (const PairRule& rule : kRulesOf13a) text = insert_spaces(rule, text);
  return split_at_white_space(text);
}

std::vector<std::string> split_into_characters(std::string_view segment) {
  std::vector<std::string> characters;
  for (const std::string& word : split_at_white_space(segment))
    for (const Character& c : characters_in(word)) characters.emplace_back(c.bytes);
  return characters;
}

}  // namespace

std::vector<std::string> tokenize(BleuTokenization tokenization, std::string_view segment) {
  if (tokenization == BleuTokenization::k13a) return tokenize_13a(segment);
  if (tokenization == BleuTokenization::kNone) return split_at_white_space(segment);
  if (tokenization == BleuTokenization::kChar) return split_into_characters(segment);
  return split_where([](char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, segment);
}

std::string name_of(BleuTokenization tokenization) {
  constexpr const char* kNames[] = {"13a", "none", "char", "spaces"};
  return kNames[static_cast<int>(tokenization)];
}

// ---- counts and scores

namespace {

double brevity_penalty(Index system_length, Index reference_length) {
  if (system_length >= reference_length) return 1;
  if (system_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(system_length));
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t i = 0; i < kBleuOrders; ++i) {
    matches[i] += other.matches[i];
    totals[i] += other.totals[i];
  }
  system_length += other.system_length;
  reference_length += other.reference_length;
  return *this;
}

BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference, BleuTokenization tokens) {
  const std::vector<std::string> system_tokens = tokenize(tokens, hypothesis),
                                 reference_tokens = tokenize(tokens, reference);
  BleuCounts counts;
  counts.system_length = std::ssize(system_tokens);
  counts.reference_length = std::ssize(reference_tokens);
  for (std::size_t order = 1; order <= kBleuOrders; ++order) {
    const std::vector<Ngram> ngrams = sorted_ngrams(system_tokens, order);
    counts.totals[order - 1] = std::ssize(ngrams);
    counts.matches[order - 1] = clipped_matches(ngrams, sorted_ngrams(reference_tokens, order));
  }
  return counts;
}

BleuScore bleu_score(const BleuCounts& counts, BleuSmoothing smoothing) {
  BleuScore score;
  score.counts = counts;
  score.brevity_penalty = brevity_penalty(counts.system_length, counts.reference_length);
  if (counts.matches == std::array<Index, kBleuOrders>{}) return score;

  double halvings = 1;
  double log_sum = 0;
  for (std::size_t i = 0; i < kBleuOrders; ++i) {
    const auto total = static_cast<double>(counts.totals[i]);
    if (counts.totals[i] > 0 && counts.matches[i] > 0) {
      score.precisions[i] = 100 * static_cast<double>(counts.matches[i]) / total;
    } else if (counts.totals[i] > 0 && smoothing == BleuSmoothing::kExponential) {
      halvings *= 2;
      score.precisions[i] = 100 / (halvings * total);
    }
    log_sum += std::log(score.precisions[i]);  // minus infinity for 0; the score then becomes 0
  }
  score.score = score.brevity_penalty * std::exp(log_sum / kBleuOrders);
  return score;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  CHECK(!hypotheses.empty() && hypotheses.size() == references.size(), hypotheses.size(),
        " lines of hypotheses, ", references.size(), " of references");
  const auto count = [&](const std::string& hypothesis, const std::string& reference) {
    return bleu_counts(hypothesis, reference, options.tokenization);
  };
  return bleu_score(sum_of(counts_of_lines(hypotheses, references, count)), options.smoothing);
}

std::string to_string(const BleuScore& score) {
  const auto system_length = static_cast<double>(score.counts.system_length);
  const auto reference_length = static_cast<double>(score.counts.reference_length);
  const double ratio = reference_length > 0 ? system_length / reference_length : 0;
  std::string text = "BLEU = " + fixed_text(score.score, 2);
  for (std::size_t i = 0; i < kBleuOrders; ++i)
    text += (i == 0 ? " " : "/") + fixed_text(score.precisions[i], 1);
  text += " (BP = " + fixed_text(score.brevity_penalty, 3) + " ratio = " + fixed_text(ratio, 3);
  text += " hyp_len = " + std::to_string(score.counts.system_length);
  text += " ref_len = " + std::to_string(score.counts.reference_length) + ")";
  return text;
}

std::string bleu_signature(const BleuOptions& options, std::string_view version) {
  std::string text = "nrefs:1|case:mixed|eff:no|tok:" + name_of(options.tokenization);
  text += options.smoothing == BleuSmoothing::kExponential ? "|smooth:exp" : "|smooth:none";
  return text + "|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
