// plainformer bleu: BLEU of standard input against a reference.
#include <iostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "core/number_text.h"
#include "data/text.h"
#include "evaluation/bleu.h"
#include "evaluation/bootstrap.h"

namespace plainformer {

namespace {

struct BleuSettings {
  std::string reference, baseline;
  bool tokenized = false, compound_split = false, lowercase = false, interval = false;

  BleuOptions options() const {
    BleuOptions options = compound_split ? kCompoundSplitBleu : tokenized ? kMultiBleu : BleuOptions{};
    options.lowercase = lowercase;
    return options;
  }
};

CommandLine bind(BleuSettings& s) {
  CommandLine line(
      "plainformer bleu --reference FILE < translations",
      "Prints corpus BLEU of standard input, as sacreBLEU computes it (13a, mixed case), and a signature.");
  line.option("--reference", "FILE", &s.reference, "the reference translations, line by line");
  line.option("--tokenized", "", &s.tokenized,
              "both texts are already tokenized: split at spaces, no smoothing (multi-bleu.perl)");
  line.option("--compound-split", "", &s.compound_split,
              "the same, with words cut at hyphens, as for the paper's figures");
  line.option("--lowercase", "", &s.lowercase, "ignore case");
  line.option("--interval", "", &s.interval, "also the 95 % interval, by the bootstrap over sentences");
  line.option("--baseline", "FILE", &s.baseline,
              "other translations of the same text: also the difference from them, by the paired bootstrap");
  return line;
}

std::vector<std::string> read_hypotheses() {
  std::vector<std::string> hypotheses;
  for (std::string text; std::getline(std::cin, text);)
    hypotheses.push_back(sanitize_line(text, hypotheses.empty()));
  check_input();
  return hypotheses;
}

// "39.62 to 43.05"
std::string to_text(const Interval& interval) {
  return fixed_text(interval.low, 2) + " to " + fixed_text(interval.high, 2);
}

void print_interval(const std::vector<BleuCounts>& segments, const BleuOptions& options) {
  std::cout << "95 % interval: " << to_text(bootstrap_interval(segments, options.smoothing))
            << " (bootstrap, 1000 resamples of " << segments.size() << " sentences)\n";
}

void print_difference(const std::vector<BleuCounts>& segments, const std::vector<BleuCounts>& baseline,
                      const BleuOptions& options) {
  const PairedBootstrap paired = paired_bootstrap(segments, baseline, options.smoothing);
  std::cout << "difference from the baseline: " << (paired.difference < 0 ? "" : "+")
            << fixed_text(paired.difference, 2) << ", 95 % interval: " << to_text(paired.interval)
            << ", p = " << fixed_text(paired.probability, 3) << " (paired bootstrap)\n";
}

}  // namespace

int bleu_command(const Arguments& arguments) {
  BleuSettings settings;
  CommandLine line = bind(settings);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--reference", settings.reference);

  const BleuOptions options = settings.options();
  const std::vector<std::string> hypotheses = read_hypotheses(), references = read_lines(settings.reference);
  const std::vector<BleuCounts> segments = segment_counts(hypotheses, references, options);
  std::vector<BleuCounts> baseline;
  if (!settings.baseline.empty())
    baseline = segment_counts(read_lines(settings.baseline), references, options);
  std::cout << to_string(bleu_score(segments, options.smoothing)) << "\n"
            << bleu_signature(options, PLAINFORMER_VERSION) << "\n";
  if (settings.interval) print_interval(segments, options);
  if (!baseline.empty()) print_difference(segments, baseline, options);
  return finish_output();
}

}  // namespace plainformer
