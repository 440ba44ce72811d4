// plainformer bleu: BLEU and chrF of standard input against references.
#include <fstream>
#include <iostream>

#include "app/commands.h"
#include "app/source_lines.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "data/text.h"
#include "evaluation/bleu.h"
#include "evaluation/bootstrap.h"
#include "evaluation/chrf.h"
#include "evaluation/segments.h"
#include "io/atomic_file.h"
#include "report/command_line.h"
#include "report/numbers.h"

namespace plainformer {

namespace {

using Lines = std::vector<std::string>;

struct BleuSettings {
  Lines references;
  std::string baseline;
  BleuTokenization tokens = BleuTokenization::k13a;
  bool tokenized = false, lowercase = false, chrf = false, interval = false;
};

// The texts of all references, at least one line each.
std::vector<Lines> read_references(const BleuSettings& settings) {
  const std::string& first = settings.references.front();
  std::vector<Lines> references;
  for (const std::string& path : settings.references) {
    references.push_back(read_lines(path));
    require_same_length(path, references.back().size(), first, references.front().size());
  }
  if (references.front().empty())
    throw input_error(first, "has no lines", "give at least one reference translation");
  if ((settings.interval || !settings.baseline.empty()) && references.front().size() < 2)
    throw input_error(first, "has fewer than 2 lines",
                      "leave out --interval and --baseline, which resample sentences");
  return references;
}

// Reads translations. Bytes that are not text become replacement characters.
Lines read_translations(std::istream& input, const std::string& name) {
  InputSanitizer sanitize(warnings_of("bleu"), name);
  Lines lines;
  for (std::string text; std::getline(input, text);) lines.push_back(sanitize(text));
  return lines;
}

// What is scored, and the references.
struct Texts {
  std::vector<Lines> references;
  Lines baseline = {}, hypotheses = {};  // no baseline: empty
};

Texts read_texts(const BleuSettings& settings) {
  // The files first: standard input may be the end of a long translation.
  Texts texts = {.references = read_references(settings)};
  const auto check = [&](const Lines& lines, const std::string& path) {
    require_same_length(path, lines.size(), settings.references.front(), texts.references.front().size());
  };
  if (!settings.baseline.empty()) {
    std::ifstream file = open_text_file(settings.baseline);
    texts.baseline = read_translations(file, settings.baseline);
    if (file.bad()) throw input_error(settings.baseline, "cannot be read", "is it a file?");
    check(texts.baseline, settings.baseline);
  }
  texts.hypotheses = read_translations(std::cin, "standard input");
  check_input();
  check(texts.hypotheses, "standard input");
  return texts;
}

// "39.62 to 43.05"
std::string to_text(const Interval& interval) {
  return fixed_text(interval.low, 2) + " to " + fixed_text(interval.high, 2);
}

// Prints what the options ask for about the certainty of a measure.
//   count   the counts of the sentences of some lines
//   score   the score of a sum of such counts
template <typename Count, typename Score>
void print_resampled(const BleuSettings& settings, const Texts& texts, Count count, Score score) {
  const ScoreOfSentences of_text = score_of_sum(count(texts.hypotheses), score);
  const Index sentences = std::ssize(texts.hypotheses);
  if (settings.interval)
    std::cout << "95 % interval: " << to_text(bootstrap_interval(sentences, of_text)) << " (bootstrap, "
              << kResamples << " resamples of " << sentences << " sentences)\n";
  if (settings.baseline.empty()) return;
  const PairedBootstrap paired =
      paired_bootstrap(sentences, of_text, score_of_sum(count(texts.baseline), score));
  std::cout << "difference from the baseline: " << (paired.difference < 0 ? "" : "+")
            << fixed_text(paired.difference, 2) << ", 95 % interval: " << to_text(paired.interval)
            << ", p = " << fixed_text(paired.probability, 3) << " (paired bootstrap)\n";
}

void print_bleu(const BleuSettings& settings, const Texts& texts) {
  BleuOptions options = {.tokenization = settings.tokens};
  if (settings.tokenized) options = kMultiBleu;
  options.lowercase = settings.lowercase;
  const auto count_line = [&](const std::string& line, const Lines& of_line) {
    return bleu_counts(line, of_line, options);
  };
  const auto count = [&](const Lines& lines) { return counts_of_lines(lines, texts.references, count_line); };
  const auto score = [=](const BleuCounts& sum) { return bleu_score(sum, options.smoothing).score; };
  std::cout << to_string(bleu_score(sum_of(count(texts.hypotheses)), options.smoothing)) << "\n"
            << bleu_signature(options, PLAINFORMER_VERSION, std::ssize(texts.references)) << "\n";
  print_resampled(settings, texts, count, score);
}

void print_chrf(const BleuSettings& settings, const Texts& texts) {
  const auto count_line = [&](const std::string& line, const Lines& of_line) {
    return chrf_counts(line, of_line, settings.lowercase);
  };
  const auto count = [&](const Lines& lines) { return counts_of_lines(lines, texts.references, count_line); };
  const auto score = [](const ChrfCounts& sum) { return chrf_score(sum); };
  std::cout << chrf_text(chrf_score(sum_of(count(texts.hypotheses)))) << "\n"
            << chrf_signature(settings.lowercase, PLAINFORMER_VERSION, std::ssize(texts.references)) << "\n";
  print_resampled(settings, texts, count, score);
}

}  // namespace

int bleu_command(const Arguments& arguments) {
  BleuSettings s;
  CommandLine line(
      "plainformer bleu --reference FILE [--reference FILE ...] < translations",
      "Prints corpus BLEU of standard input, as sacreBLEU computes it (13a, mixed case), and a signature.");
  line.required("--reference", "FILE", &s.references,
                "reference translations, line by line; repeat it where each line has several");
  line.option(
      "--tokens", "NAME", one_of({"13a", "none", "char"}, &s.tokens),
      "how sacreBLEU cuts the texts: 13a; none (at white space); char (each character, as for Chinese)");
  line.option("--tokenized", "", &s.tokenized,
              "the texts are already tokenized: split at spaces, no smoothing (multi-bleu.perl)");
  line.option("--lowercase", "", &s.lowercase, "ignore case");
  line.option("--chrf", "", &s.chrf, "also chrF2, the F-score of the n-grams of characters");
  line.option("--interval", "", &s.interval, "also the 95 % interval, by the bootstrap over sentences");
  line.option("--baseline", "FILE", &s.baseline,
              "other translations of the same text: also the difference from them, by the paired bootstrap");
  if (!line.read(arguments)) return finish_output();
  if (s.tokens != BleuTokenization::k13a && s.tokenized)
    throw UsageError("--tokens and --tokenized exclude each other");

  const Texts texts = read_texts(s);
  print_bleu(s, texts);
  if (s.chrf) print_chrf(s, texts);
  return finish_output();
}

}  // namespace plainformer
