#include "evaluation/bleu.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "evaluation/bleu_tokenizer.h"
#include "evaluation/lowercase.h"

namespace plainformer {

namespace {

// An n-gram, filled up with empty strings. No token is empty.
using Ngram = std::array<std::string_view, kBleuOrders>;

std::vector<Ngram> sorted_ngrams(const std::vector<std::string>& tokens, std::size_t order) {
  std::vector<Ngram> ngrams;
  for (std::size_t begin = 0; begin + order <= tokens.size(); ++begin) {
    Ngram& ngram = ngrams.emplace_back();
    std::copy_n(tokens.begin() + static_cast<Index>(begin), order, ngram.begin());
  }
  std::sort(ngrams.begin(), ngrams.end());
  return ngrams;
}

// The size of the intersection of two multisets: an n-gram that occurs a and b times counts min(a, b) times.
// BLEU calls this clipping.
Index clipped_matches(const std::vector<Ngram>& hypothesis, const std::vector<Ngram>& reference) {
  std::vector<Ngram> common;
  std::set_intersection(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end(),
                        std::back_inserter(common));
  return static_cast<Index>(common.size());
}

std::vector<std::string> tokenize(std::string_view segment, const BleuOptions& options) {
  const std::string text = options.lowercase ? to_lowercase(segment) : std::string(segment);
  switch (options.tokenization) {
    case BleuTokenization::k13a:
      return tokenize_13a(text);
    case BleuTokenization::kAtSpaces:
      return tokenize_at_spaces(text);
    case BleuTokenization::kCompounds:
      return tokenize_compounds(text);
  }
  CHECK(false, "unknown tokenization ", static_cast<int>(options.tokenization));
  return {};
}

std::string name_of(BleuTokenization tokenization) {
  switch (tokenization) {
    case BleuTokenization::k13a:
      return "13a";
    case BleuTokenization::kAtSpaces:
      return "spaces";
    case BleuTokenization::kCompounds:
      return "spaces+compounds";
  }
  CHECK(false, "unknown tokenization ", static_cast<int>(tokenization));
  return "";
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

BleuCounts bleu_counts(std::string_view hypothesis, std::string_view reference, const BleuOptions& options) {
  const std::vector<std::string> system_tokens = tokenize(hypothesis, options);
  const std::vector<std::string> reference_tokens = tokenize(reference, options);
  BleuCounts counts;
  counts.system_length = static_cast<Index>(system_tokens.size());
  counts.reference_length = static_cast<Index>(reference_tokens.size());
  for (std::size_t order = 1; order <= kBleuOrders; ++order) {
    const std::vector<Ngram> ngrams = sorted_ngrams(system_tokens, order);
    counts.totals[order - 1] = static_cast<Index>(ngrams.size());
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

BleuScore bleu_score(const std::vector<BleuCounts>& segments, BleuSmoothing smoothing) {
  BleuCounts counts;
  for (const BleuCounts& segment : segments) counts += segment;
  return bleu_score(counts, smoothing);
}

std::vector<BleuCounts> segment_counts(const std::vector<std::string>& hypotheses,
                                       const std::vector<std::string>& references,
                                       const BleuOptions& options) {
  if (hypotheses.size() != references.size()) {
    throw input_error("BLEU",
                      std::to_string(hypotheses.size()) + " lines of hypotheses, but " +
                          std::to_string(references.size()) + " lines of references",
                      "line i of one file belongs to line i of the other");
  }
  if (hypotheses.empty())
    throw input_error("BLEU", "there are no lines to score", "give at least one segment");
  std::vector<BleuCounts> segments;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    segments.push_back(bleu_counts(hypotheses[i], references[i], options));
  return segments;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  return bleu_score(segment_counts(hypotheses, references, options), options.smoothing);
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
  std::string text = "nrefs:1";
  text += options.lowercase ? "|case:lc" : "|case:mixed";
  text += "|eff:no";
  text += "|tok:" + name_of(options.tokenization);
  text += options.smoothing == BleuSmoothing::kExponential ? "|smooth:exp" : "|smooth:none";
  return text + "|by:plainformer|version:" + std::string(version);
}

}  // namespace plainformer
