// plainformer bleu: BLEU of standard input against a reference.
#include <fstream>
#include <iostream>

#include "app/commands.h"
#include "command_line/command_support.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "data/text.h"
#include "evaluation/bleu.h"
#include "evaluation/bootstrap.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

struct BleuSettings {
  std::string reference, baseline;
  bool tokenized = false, compound_split = false, lowercase = false, interval = false;

  bool resamples() const { return interval || !baseline.empty(); }
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

// Translations, whose damaged bytes become replacement characters.
std::vector<std::string> sanitized_lines(std::istream& input) {
  std::vector<std::string> lines;
  for (std::string text; std::getline(input, text);) lines.push_back(sanitize_line(text, lines.empty()));
  return lines;
}

std::vector<std::string> read_hypotheses() {
  std::vector<std::string> hypotheses = sanitized_lines(std::cin);
  check_input();
  return hypotheses;
}

std::vector<std::string> read_baseline(const std::string& path) {
  std::ifstream file = open_text_file(path);
  std::vector<std::string> lines = sanitized_lines(file);
  if (file.bad()) throw input_error(path, "cannot be read", "is it a file?");
  return lines;
}

// Throws an input_error that names the file whose number of lines is not the reference's.
void check_as_long(const std::vector<std::string>& lines, const std::string& path,
                   const std::vector<std::string>& references, const std::string& reference_path) {
  if (lines.size() == references.size()) return;
  throw input_error(path,
                    "has " + count_of(std::ssize(lines), "line") + ", but " + reference_path + " has " +
                        std::to_string(references.size()),
                    "line i of one file belongs to line i of the other");
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
  // The files first: standard input may be the end of a long translation.
  const std::vector<std::string> references = read_lines(settings.reference);
  if (settings.resamples() && references.size() < 2)
    throw input_error(settings.reference, "has fewer than 2 lines",
                      "leave out --interval and --baseline, which resample sentences");
  std::vector<BleuCounts> baseline;
  if (!settings.baseline.empty()) {
    const std::vector<std::string> lines = read_baseline(settings.baseline);
    check_as_long(lines, settings.baseline, references, settings.reference);
    baseline = segment_counts(lines, references, options);
  }
  const std::vector<std::string> hypotheses = read_hypotheses();
  check_as_long(hypotheses, "standard input", references, settings.reference);
  const std::vector<BleuCounts> segments = segment_counts(hypotheses, references, options);
  std::cout << to_string(bleu_score(segments, options.smoothing)) << "\n"
            << bleu_signature(options, PLAINFORMER_VERSION) << "\n";
  if (settings.interval) print_interval(segments, options);
  if (!baseline.empty()) print_difference(segments, baseline, options);
  return finish_output();
}

}  // namespace plainformer
