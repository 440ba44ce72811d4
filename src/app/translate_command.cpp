// plainformer translate: one line in, one line out, always.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/model_folder.h"
#include "decoding/decode_all.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

struct TranslateSettings {
  std::string model;
  Index beam = 1, n_best = 1, batch = 32, extra_length = 50, threads = 0;
  double length_penalty = 0.6;
  bool scores = false;
};

CommandLine bind(TranslateSettings& s) {
  CommandLine line("plainformer translate --model DIR < in > out",
                   "Translates standard input to standard output: one line in, one line out.");
  line.option("--model", "DIR", &s.model, "the model folder");
  line.option("--beam", "N", &s.beam, "hypotheses kept alive; 1 is greedy, the paper's is 4");
  line.option("--length-penalty", "X", &s.length_penalty,
              "alpha of beam search; 0 ranks by probability alone");
  line.option("--n-best", "N", &s.n_best,
              "translations for each line: N lines out for each line in, best first");
  line.option("--scores", "", &s.scores,
              "put score, a tab, log-probability in nats and a tab before each translation");
  line.option("--extra-length", "N", &s.extra_length,
              "a translation is at most so many tokens longer than its source");
  line.option("--batch", "N", &s.batch, "sentences translated together");
  line.option("--threads", "N", &s.threads, "0: as many as the process may use");
  return line;
}

// A number that no int can hold stays out of every range.
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
  options.length_penalty = settings.beam == 1 ? 0 : static_cast<Real>(settings.length_penalty);
  options.validate("the options");
  return options;
}

// The ids of all lines of standard input. A line too long for the model is cut, with a warning.
std::vector<std::vector<int>> read_sources(LoadedModel& model) {
  std::vector<std::vector<int>> sources;
  const Index longest = model.transformer->config().max_length - 1;
  for (std::string line; std::getline(std::cin, line);) {
    sources.push_back(model.encode(line));
    if (std::ssize(sources.back()) <= longest) continue;
    std::cerr << "standard input:" << sources.size() << ": " << sources.back().size() << " tokens, cut to "
              << longest << " (hint: split long lines into sentences)\n";
    sources.back().resize(longest);
  }
  check_input();
  return sources;
}

// An empty line has nothing to translate: its translation is empty, and the model is not asked.
std::vector<Hypotheses> translate_all(const LoadedModel& model, const std::vector<std::vector<int>>& sources,
                                      const SearchOptions& options) {
  std::vector<std::vector<int>> asked;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) continue;
    asked.push_back(sources[i]);
    numbers.push_back(i);
  }
  ProgressBar bar(std::cerr, is_terminal(2), std::ssize(asked), {.unit = "line", .color = color_allowed(2)});
  const auto answers =
      decode_all(*model.transformer, asked, options, [&](Index done, Index) { bar.update(done); });
  bar.finish();
  std::vector<Hypotheses> translations(sources.size(), Hypotheses(1));
  for (std::size_t i = 0; i < numbers.size(); ++i) translations[numbers[i]] = answers[i];
  return translations;
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

  LoadedModel model = load_model(ModelFolder(settings.model));
  const auto sources = read_sources(model);
  for (Hypotheses& translations : translate_all(model, sources, options)) {
    translations.resize(options.n_best);  // so that line i of the input stays easy to find
    for (const Hypothesis& hypothesis : translations) {
      if (settings.scores) {
        std::cout << std::setprecision(9) << hypothesis.score << "\t" << hypothesis.log_probability << "\t";
      }
      std::cout << model.decode(hypothesis.tokens) << "\n";
    }
  }
  return finish_output();
}

}  // namespace plainformer
