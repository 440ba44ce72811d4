// plainformer translate: one line in, one line out, always.
#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/translate/input_lines.h"
#include "data/text.h"
#include "decoding/decode_all.h"
#include "decoding/encoded_sources.h"
#include "model_folder/model_folder.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// At most this many lines are sorted by length, translated and printed together.
constexpr Index kChunk = 1024;

struct TranslateSettings {
  std::string model, plain;
  Index beam = 1, n_best = 1, batch = 32, extra_length = 50, threads = 0;
  double length_penalty = 0.6;
  bool scores = false;
};

CommandLine bind(TranslateSettings& s) {
  CommandLine line("plainformer translate --model DIR < in > out",
                   "Translates standard input to standard output: one line in, one line out.");
  line.option("--model", "DIR", &s.model, "the model folder");
  line.option("--beam", "N", &s.beam, "hypotheses kept; 1 is greedy search, the paper uses 4");
  line.option("--length-penalty", "X", &s.length_penalty,
              "alpha of beam search (with --beam 2 or more); 0 ranks by probability only");
  line.option("--n-best", "N", &s.n_best,
              "translations for each line, at most --beam: N lines out for each line in, best first");
  line.option("--scores", "", &s.scores,
              "print the score, a tab, the log-probability in nats and a tab before each translation");
  line.option("--extra-length", "N", &s.extra_length,
              "a translation is at most this many tokens longer than its source");
  line.option("--batch", "N", &s.batch, "sentences translated together");
  line.option("--threads", "N", &s.threads, "number of threads; 0: all processors that the process may use");
  add_plain_option(line, &s.plain);
  return line;
}

// A number that an int cannot hold stays out of every valid range.
int to_int(Index number) {
  return static_cast<int>(
      std::clamp<Index>(number, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

SearchOptions search_options(const TranslateSettings& settings) {
  SearchOptions options;
  options.beam = to_int(settings.beam);
  options.n_best = to_int(settings.n_best);
  options.batch = settings.batch;
  options.limits.extra_length = settings.extra_length;
  options.length_penalty = static_cast<Real>(settings.length_penalty);
  options.check("the options");
  if (options.beam == 1) options.length_penalty = 0;  // greedy search does not compare lengths
  return options;
}

// The ids of the lines; `first` is the number of the first line. A line too long for the model is cut, with a
// warning.
std::vector<std::vector<int>> encode_lines(LoadedModel& model, const std::vector<std::string>& lines,
                                           Index first, const std::function<void(std::string)>& warn) {
  std::vector<std::vector<int>> sources;
  const Index longest = longest_source(model.transformer->config());
  for (const std::string& line : lines) {
    const Index number = first + std::ssize(sources);
    sources.push_back(model.encode(sanitize_line(line, number == 1)));
    if (std::ssize(sources.back()) <= longest) continue;
    warn("standard input:" + std::to_string(number) + ": " + std::to_string(sources.back().size()) +
         " tokens, cut to " + std::to_string(longest) + " (hint: split long lines into sentences)");
    sources.back().resize(longest);
  }
  return sources;
}

// The translation of an empty line is empty, and the model is not asked.
std::vector<Hypotheses> translate(const Transformer& model, const DecoderWeights& weights,
                                  const std::vector<std::vector<int>>& sources, const SearchOptions& options,
                                  const std::function<void(Index)>& show) {
  std::vector<std::vector<int>> asked;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) continue;
    asked.push_back(sources[i]);
    numbers.push_back(i);
  }
  const auto answers = decode_all(model, weights, asked, options, [&](Index done, Index) { show(done); });
  std::vector<Hypotheses> translations(sources.size(), Hypotheses(1));
  for (std::size_t i = 0; i < numbers.size(); ++i) translations[numbers[i]] = answers[i];
  return translations;
}

// Prints exactly n_best lines, so that the translations of line i of the input are easy to find.
void print(const LoadedModel& model, Hypotheses translations, const TranslateSettings& settings) {
  translations.resize(settings.n_best);
  for (const Hypothesis& hypothesis : translations) {
    if (settings.scores)
      std::cout << std::setprecision(9) << hypothesis.score << "\t" << hypothesis.log_probability << "\t";
    std::cout << model.decode(hypothesis.tokens) << "\n";
  }
}

// Works chunk by chunk, so that the first answers appear before a pipe ends or a person stops typing.
void translate_input(LoadedModel& model, const TranslateSettings& settings, const SearchOptions& options) {
  const DecoderWeights weights(*model.transformer);
  InputLines input(0, "standard input");
  const Index total = input.count_ahead(), chunk = std::max(kChunk, options.batch);
  auto lines = input.next(chunk);
  std::optional<ProgressBar> bar;  // on a terminal the translations themselves show the progress
  if (!is_terminal(1))
    bar.emplace(std::cerr, is_terminal(2), total,
                ProgressBarOptions{.unit = "line", .color = color_allowed(2)});
  Index done = 0;
  const auto show = [&](Index now) {
    if (bar) bar->update(done + now);
  };
  const auto warn = [&](const std::string& text) {
    if (bar)
      bar->print(text);
    else
      std::cerr << text << "\n";
  };
  for (; !lines.empty(); lines = input.next(chunk)) {
    const auto sources = encode_lines(model, lines, done + 1, warn);
    for (const Hypotheses& each : translate(*model.transformer, weights, sources, options, show))
      print(model, each, settings);
    finish_output();
    show(std::ssize(lines));
    done += std::ssize(lines);
  }
}

}  // namespace

int translate_command(const Arguments& arguments) {
  TranslateSettings settings;
  CommandLine line = bind(settings);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--model", settings.model);
  const SearchOptions options = search_options(settings);
  use_threads(settings.threads);
  use_ways(settings.plain);

  LoadedModel model = load_model(ModelFolder(settings.model));
  translate_input(model, settings, options);
  return finish_output();
}

}  // namespace plainformer
