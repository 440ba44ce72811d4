// plainformer bleu: BLEU and chrF of standard input against references.
#include <iostream>

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
  std::string reference;
  CorpusFiles pairs;  // instead: its targets
  BleuTokenization tokens = BleuTokenization::k13a;
  bool tokenized = false, chrf = false, interval = false;
};

// What is scored, and a reference for each line, at least one.
struct Texts {
  Lines references, hypotheses;
};

Texts read_texts(const BleuSettings& settings) {
  // The file first: standard input may be the end of a long translation.
  const std::string& path = settings.reference.empty() ? settings.pairs.pairs.front() : settings.reference;
  Texts texts;
  texts.references = settings.reference.empty() ? read_pair_file(path, settings.pairs.columns).target
                                                : read_lines(path, /*may_be_pipe=*/true);
  if (texts.references.empty())
    throw input_error(path, "has no lines", "give a reference translation of each line");
  if (settings.interval && texts.references.size() < 2)
    throw input_error(path, "has fewer than 2 lines", "leave out --interval, which resamples sentences");
  InputSanitizer sanitize(warnings_of("bleu"));
  for (std::string text; std::getline(std::cin, text);) texts.hypotheses.push_back(sanitize(text));
  check_input();
  require_same_length("standard input", texts.hypotheses.size(), path, texts.references.size());
  return texts;
}

// Prints how certain a measure is, if that is asked for.
//   counts   those of each sentence
//   score    the score of a sum of such counts
template <typename Counts, typename Score>
void print_interval(const BleuSettings& settings, const std::vector<Counts>& counts, Score score) {
  if (!settings.interval) return;
  const Interval interval = bootstrap_interval(counts, score);
  std::cout << "95 % interval: " << fixed_text(interval.low, 2) << " to " << fixed_text(interval.high, 2)
            << " (bootstrap, " << kResamples << " resamples of " << counts.size() << " sentences)\n";
}

void print_bleu(const BleuSettings& settings, const Texts& texts) {
  const BleuOptions options = settings.tokenized ? kMultiBleu : BleuOptions{.tokenization = settings.tokens};
  const auto count_line = [&](const std::string& line, const std::string& reference) {
    return bleu_counts(line, reference, options.tokenization);
  };
  const auto counts = counts_of_lines(texts.hypotheses, texts.references, count_line);
  const auto score = [=](const BleuCounts& sum) { return bleu_score(sum, options.smoothing).score; };
  std::cout << to_string(bleu_score(sum_of(counts), options.smoothing)) << "\n"
            << bleu_signature(options, PLAINFORMER_VERSION) << "\n";
  print_interval(settings, counts, score);
}

void print_chrf(const BleuSettings& settings, const Texts& texts) {
  const auto counts = counts_of_lines(texts.hypotheses, texts.references, chrf_counts);
  const auto score = [](const ChrfCounts& sum) { return chrf_score(sum); };
  std::cout << chrf_text(chrf_score(sum_of(counts))) << "\n" << chrf_signature(PLAINFORMER_VERSION) << "\n";
  print_interval(settings, counts, score);
}

}  // namespace

int bleu_command(const Arguments& arguments) {
  BleuSettings s;
  CommandLine line(
      "plainformer bleu --reference FILE < translations\n       plainformer bleu --pairs FILE < translations",
      "Prints corpus BLEU of standard input, as sacreBLEU computes it (13a, mixed case), and a signature.");
  line.option("--reference", "FILE", &s.reference, "reference translations, line by line");
  add_pair_file_options(line, s.pairs, "the reference translations, in one file");
  line.option(
      "--tokens", "NAME", one_of({"13a", "none", "char"}, &s.tokens),
      "how sacreBLEU cuts the texts: 13a; none (at white space); char (each character, as for Chinese)");
  line.option("--tokenized", "", &s.tokenized,
              "the texts are already tokenized: split at spaces, no smoothing (multi-bleu.perl)");
  line.option("--chrf", "", &s.chrf, "also chrF2, the F-score of the n-grams of characters");
  line.option("--interval", "", &s.interval, "also the 95 % interval, by the bootstrap over sentences");
  if (!line.read(arguments)) return finish_output();
  if (s.pairs.pairs.size() + (s.reference.empty() ? 0 : 1) != 1)
    throw UsageError("give one reference: --reference, or --pairs");
  if (s.pairs.pairs == Lines{kStandardInput})
    throw UsageError("standard input has the translations, so --pairs must be a file");
  if (given_value(arguments, "--tokens") && s.tokenized)
    throw UsageError("--tokens and --tokenized exclude each other");

  const Texts texts = read_texts(s);
  print_bleu(s, texts);
  if (s.chrf) print_chrf(s, texts);
  return finish_output();
}

}  // namespace plainformer
