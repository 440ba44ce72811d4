// plainformer bleu: BLEU and chrF of standard input against references.
#include <iostream>
#include <utility>

#include "app/commands.h"
#include "app/source_lines.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "data/parallel_corpus.h"
#include "data/text.h"
#include "evaluation/bleu.h"
#include "evaluation/bootstrap.h"
#include "evaluation/chrf.h"
#include "evaluation/segments.h"
#include "io/atomic_file.h"
#include "report/command_line.h"
#include "train/settings.h"

namespace plainformer {

namespace {

using Lines = std::vector<std::string>;

struct BleuSettings {
  Lines references;
  CorpusFiles pairs;  // their targets are further references
  BleuTokenization tokens = BleuTokenization::k13a;
  bool tokenized = false, lowercase = false, chrf = false, interval = false;

  const std::string& first_reference() const {
    return references.empty() ? pairs.pairs.front() : references.front();
  }
};

// The texts of all references, at least one line each.
std::vector<Lines> read_references(const BleuSettings& settings) {
  const std::string& first = settings.first_reference();
  std::vector<Lines> references;
  const auto add = [&](const std::string& path, Lines lines) {
    references.push_back(std::move(lines));
    require_same_length(path, references.back().size(), first, references.front().size());
  };
  for (const std::string& path : settings.references) add(path, read_lines(path, /*may_be_pipe=*/true));
  for (const std::string& path : settings.pairs.pairs)
    add(path, read_pair_file(path, settings.pairs.columns).target);
  if (references.front().empty())
    throw input_error(first, "has no lines", "give at least one reference translation");
  if (settings.interval && references.front().size() < 2)
    throw input_error(first, "has fewer than 2 lines", "leave out --interval, which resamples sentences");
  return references;
}

// What is scored, and the references.
struct Texts {
  std::vector<Lines> references;
  Lines hypotheses = {};
};

Texts read_texts(const BleuSettings& settings) {
  // The files first: standard input may be the end of a long translation.
  Texts texts = {.references = read_references(settings)};
  InputSanitizer sanitize(warnings_of("bleu"));
  for (std::string text; std::getline(std::cin, text);) texts.hypotheses.push_back(sanitize(text));
  check_input();
  require_same_length("standard input", texts.hypotheses.size(), settings.first_reference(),
                      texts.references.front().size());
  return texts;
}

// Prints how certain a measure is, if that is asked for.
//   counts   those of each sentence
//   score    the score of a sum of such counts
template <typename Counts, typename Score>
void print_interval(const BleuSettings& settings, std::vector<Counts> counts, Score score) {
  if (!settings.interval) return;
  const Index sentences = std::ssize(counts);
  const Interval interval = bootstrap_interval(sentences, score_of_sum(std::move(counts), score));
  std::cout << "95 % interval: " << fixed_text(interval.low, 2) << " to " << fixed_text(interval.high, 2)
            << " (bootstrap, " << kResamples << " resamples of " << sentences << " sentences)\n";
}

void print_bleu(const BleuSettings& settings, const Texts& texts) {
  BleuOptions options = {.tokenization = settings.tokens};
  if (settings.tokenized) options = kMultiBleu;
  options.lowercase = settings.lowercase;
  const auto count_line = [&](const std::string& line, const Lines& of_line) {
    return bleu_counts(line, of_line, options);
  };
  const auto counts = counts_of_lines(texts.hypotheses, texts.references, count_line);
  const auto score = [=](const BleuCounts& sum) { return bleu_score(sum, options.smoothing).score; };
  std::cout << to_string(bleu_score(sum_of(counts), options.smoothing)) << "\n"
            << bleu_signature(options, PLAINFORMER_VERSION, std::ssize(texts.references)) << "\n";
  print_interval(settings, counts, score);
}

void print_chrf(const BleuSettings& settings, const Texts& texts) {
  const auto count_line = [&](const std::string& line, const Lines& of_line) {
    return chrf_counts(line, of_line, settings.lowercase);
  };
  const auto counts = counts_of_lines(texts.hypotheses, texts.references, count_line);
  const auto score = [](const ChrfCounts& sum) { return chrf_score(sum); };
  std::cout << chrf_text(chrf_score(sum_of(counts))) << "\n"
            << chrf_signature(settings.lowercase, PLAINFORMER_VERSION, std::ssize(texts.references)) << "\n";
  print_interval(settings, counts, score);
}

}  // namespace

int bleu_command(const Arguments& arguments) {
  BleuSettings s;
  CommandLine line(
      "plainformer bleu --reference FILE [--reference FILE ...] < translations\n       plainformer bleu "
      "--pairs FILE < translations",
      "Prints corpus BLEU of standard input, as sacreBLEU computes it (13a, mixed case), and a signature.");
  line.option("--reference", "FILE", &s.references,
              "reference translations, line by line; repeat it where each line has several");
  add_pair_file_options(line, s.pairs, "sentences with their reference translations");
  line.option(
      "--tokens", "NAME", one_of({"13a", "none", "char"}, &s.tokens),
      "how sacreBLEU cuts the texts: 13a; none (at white space); char (each character, as for Chinese)");
  line.option("--tokenized", "", &s.tokenized,
              "the texts are already tokenized: split at spaces, no smoothing (multi-bleu.perl)");
  line.option("--lowercase", "", &s.lowercase, "ignore case");
  line.option("--chrf", "", &s.chrf, "also chrF2, the F-score of the n-grams of characters");
  line.option("--interval", "", &s.interval, "also the 95 % interval, by the bootstrap over sentences");
  if (!line.read(arguments)) return finish_output();
  if (s.references.empty() && s.pairs.empty())
    throw UsageError("a reference is required: --reference, or --pairs");
  if (s.tokens != BleuTokenization::k13a && s.tokenized)
    throw UsageError("--tokens and --tokenized exclude each other");

  const Texts texts = read_texts(s);
  print_bleu(s, texts);
  if (s.chrf) print_chrf(s, texts);
  return finish_output();
}

}  // namespace plainformer
