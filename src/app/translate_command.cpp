// plainformer translate: one line in, one line out, always.
#include <iomanip>
#include <iostream>
#include <limits>

#include "app/commands.h"
#include "app/search_settings.h"
#include "app/translate_input.h"
#include "app/translate_terminal.h"
#include "command_line/command_support.h"
#include "train/parser_check.h"

namespace plainformer {

namespace {

struct TranslateSettings {
  std::string model;
  SearchSettings search;
  ComputeSettings compute;
  bool scores = false, attention = false;
};

CommandLine bind(TranslateSettings& s) {
  CommandLine line(
      "plainformer translate --model DIR < in > out",
      "Translates standard input to standard output: one line in, one line out. At a terminal, it "
      "asks for lines. What the model does not know of a line stands on standard error.");
  line.option("--model", "DIR", &s.model, "the model folder");
  add_search_options(line, &s.search, 4);
  line.option(
      "--n-best", "N", &s.search.n_best,
      "translations for each line, at most --beam: N lines out for each line in, best first; if the search "
      "finds fewer, the others are empty, with the score -inf");
  line.option("--scores", "", &s.scores,
              "print its score, a tab, its log-probability in nats and a tab before each translation; both "
              "numbers are 0 for an empty line, which the model does not read");
  line.option("--attention", "", &s.attention,
              "at a terminal, draw where each translation looked: the mean over the heads of the last "
              "layer's encoder-decoder attention");
  add_compute_options(line, &s.compute);
  return line;
}

// Prints exactly n_best lines, so that the translations of line i of the input are easy to find.
void print(const LoadedModel& model, Hypotheses translations, const TranslateSettings& settings) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  translations.resize(settings.search.n_best, {.tokens = {}, .log_probability = kNever, .score = kNever});
  for (const Hypothesis& hypothesis : translations) {
    if (settings.scores)
      std::cout << std::setprecision(9) << hypothesis.score << "\t" << hypothesis.log_probability << "\t";
    std::cout << model.decode(hypothesis.tokens) << "\n";
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
  const SearchOptions options = settings.search.options();
  if (settings.attention && !is_at_terminal())
    throw UsageError("--attention needs a terminal; 'plainformer attention' draws for files");
  settings.compute.use();

  LoadedModel model = load_model(ModelFolder(settings.model));
  require_translator(ModelFolder(settings.model), model.vocabulary);
  if (is_at_terminal()) {
    translate_at_terminal(model, options, {.scores = settings.scores, .attention = settings.attention});
    return finish_output();
  }
  translate_input(model, options,
                  {.answer = [&](const std::string&,
                                 const Hypotheses& translations) { print(model, translations, settings); },
                   .checks_translations = true});
  return finish_output();
}

}  // namespace plainformer
