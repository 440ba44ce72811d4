#include "evaluation/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/check.h"
#include "core/number_text.h"
#include "data/unicode.h"
#include "evaluation/segments.h"

namespace plainformer {

namespace {

// The n-grams of all references: each occurs as often as in the reference that has most of it.
std::vector<Ngram> ngrams_of(const std::vector<Symbols>& references, std::size_t order) {
  std::vector<Ngram> all;
  for (const Symbols& reference : references) all = united(all, sorted_ngrams(reference, order));
  return all;
}

std::vector<std::string> tokens_of(std::string_view segment, const BleuOptions& options) {
  return options.lowercase ? tokenize(options.tokenization, to_lowercase(segment))
                           : tokenize(options.tokenization, segment);
}

// The length of the reference that is nearest in length, the shorter of two.
Index nearest_length(const std::vector<Symbols>& references, Index length) {
  const auto is_nearer = [&](const Symbols& a, const Symbols& b) {
    return std::pair(std::abs(std::ssize(a) - length), a.size()) <
           std::pair(std::abs(std::ssize(b) - length), b.size());
  };
  return std::ssize(*std::min_element(references.begin(), references.end(), is_nearer));
}

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

BleuCounts bleu_counts(std::string_view hypothesis, const std::vector<std::string>& references,
                       const BleuOptions& options) {
  CHECK(!references.empty(), "no reference");
  WordNumbers numbers;
  const Symbols system_tokens = numbers.of(tokens_of(hypothesis, options));
  std::vector<Symbols> reference_tokens;
  for (const std::string& reference : references)
    reference_tokens.push_back(numbers.of(tokens_of(reference, options)));

  BleuCounts counts;
  counts.system_length = std::ssize(system_tokens);
  counts.reference_length = nearest_length(reference_tokens, counts.system_length);
  for (std::size_t order = 1; order <= kBleuOrders; ++order) {
    const std::vector<Ngram> ngrams = sorted_ngrams(system_tokens, order);
    counts.totals[order - 1] = std::ssize(ngrams);
    counts.matches[order - 1] = clipped_matches(ngrams, ngrams_of(reference_tokens, order));
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

BleuScore bleu_score(const std::vector<BleuCounts>& segments, BleuSmoothing smoothing) {
  BleuCounts counts;
  for (const BleuCounts& segment : segments) counts += segment;
  return bleu_score(counts, smoothing);
}

std::vector<BleuCounts> bleu_segments(const std::vector<std::string>& hypotheses,
                                      const std::vector<std::vector<std::string>>& references,
                                      const BleuOptions& options) {
  std::vector<BleuCounts> segments;
  for_each_segment("BLEU", hypotheses, references, [&](const std::string& hypothesis, const auto& of_it) {
    segments.push_back(bleu_counts(hypothesis, of_it, options));
  });
  return segments;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  return bleu_score(bleu_segments(hypotheses, {references}, options), options.smoothing);
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

std::string bleu_signature(const BleuOptions& options, std::string_view version, Index references) {
  std::string text = "nrefs:" + std::to_string(references);
  text += options.lowercase ? "|case:lc" : "|case:mixed";
  text += "|eff:no";
  text += "|tok:" + name_of(options.tokenization);
  text += options.smoothing == BleuSmoothing::kExponential ? "|smooth:exp" : "|smooth:none";
  return text + "|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
