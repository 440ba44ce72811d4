// plainformer translate: one line in, one line out, always.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>

#include "app/commands.h"
#include "app/source_lines.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "data/parallel_corpus.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/terminal.h"
#include "train/settings.h"

namespace plainformer {

namespace {

constexpr int kInput = 0, kOutput = 1;

struct TranslateSettings {
  std::string model;
  CorpusFiles text;  // empty for standard input
  SearchOptions search = {.beam = 1};
  ComputeSettings compute;
  bool scores = false, attention = false, split = false;
};

// Prints exactly n_best lines, so that the translations of line i of the input are easy to find.
void print(const LoadedModel& model, Hypotheses translations, const TranslateSettings& settings,
           bool is_end) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  translations.resize(settings.search.n_best, {.tokens = {}, .log_probability = kNever, .score = kNever});
  for (const Hypothesis& hypothesis : translations) {
    if (settings.scores)
      std::cout << std::setprecision(9) << hypothesis.score << "\t" << hypothesis.log_probability << "\t";
    std::cout << model.decode(hypothesis.tokens) << (is_end ? "\n" : " ");
  }
}

// ---- at a terminal

// "  1  61.2 %  die Katze schläft", and after it the scores.
void print_for_person(const LoadedModel& model, const Hypotheses& translations, bool with_scores) {
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const Hypothesis& translation = translations[i];
    if (translations.size() > 1)
      std::cout << pad_left(std::to_string(i + 1), 3) << "  "
                << pad_left(fixed_text(100 * std::exp(translation.log_probability), 1), 5) << " %  ";
    std::cout << printable(model.decode(translation.tokens));
    if (with_scores)
      std::cout << "  "
                << colored("score " + fixed_text(translation.score, 3) + ", log P " +
                               fixed_text(translation.log_probability, 3),
                           Color::kDim, color_allowed(kOutput));
    std::cout << "\n";
  }
}

// Asks for lines until the input ends. Tells all notes, and draws the attention of the best translation.
void translate_at_terminal(LoadedModel& model, const TranslateSettings& settings) {
  const auto tell = [](const std::string& text) { std::cerr << text << "\n"; };
  SourceLines input(model, tell, LineNotes::kAll, {.split = settings.split});
  Translator translator(model);
  AttentionMapStyle style = {.width = terminal_width(kOutput)};
  const auto ask = [&] {
    std::cout << "> " << std::flush;
    return input.next(1);
  };
  std::cout << "Type a sentence and press Enter to translate it, or " << end_of_input_keys() << " to end.\n";
  for (auto lines = ask(); !lines.empty(); lines = ask())
    for (const SourceLine& line : lines) {
      if (line.sentence.ids.empty()) continue;
      const Hypotheses translations = translator.translate({line.sentence.ids}, settings.search).front();
      print_for_person(model, translations, settings.scores);
      if (settings.attention) {
        std::cout << draw_attention(model, line.sentence, translations.front().tokens, style);
        style.legend = false;  // the first map has explained the shades
      }
      finish_output();
      input.check_translations(line, translations);
    }
  std::cout << "\n";  // the shell's own prompt begins a line
}

}  // namespace

int translate_command(const Arguments& arguments) {
  TranslateSettings settings;
  CommandLine line(
      "plainformer translate --model DIR < in > out\n       plainformer translate --model DIR --pairs FILE > "
      "out",
      "Translates standard input to standard output: one line in, one line out. At a terminal, it "
      "asks for lines. Notes on what the model does not know go to standard error.");
  line.required("--model", "DIR", &settings.model, "the model folder");
  add_pair_file_options(line, settings.text,
                        "the source sentences, instead of those on standard input; may be repeated");
  add_search_options(line, &settings.search, 4);
  line.option(
      "--n-best", "N", &settings.search.n_best,
      "translations for each line, at most --beam: N lines out for each line in, best first; if the search "
      "finds fewer, the others are empty, with the score -inf");
  line.option("--scores", "", &settings.scores,
              "print its score, a tab, its log-probability in nats and a tab before each translation; both "
              "numbers are 0 for an empty line, which the model does not read");
  line.option("--split", "", &settings.split,
              "translate each sentence of a line by itself, and join the translations with blanks, except at "
              "a terminal");
  line.option("--attention", "", &settings.attention,
              "at a terminal, draw where each translation looked: the mean over the heads of the last "
              "layer's encoder-decoder attention");
  add_compute_options(line, &settings.compute);
  if (!line.read(arguments)) return finish_output();
  finish_search(settings.search);
  const bool at_terminal = settings.text.empty() && is_terminal(kInput) && is_terminal(kOutput);
  if (settings.attention && !at_terminal)
    throw UsageError("--attention needs a terminal; 'plainformer attention' draws for files");
  if (settings.text.empty() && settings.text.columns != PairColumns())
    throw UsageError("--columns needs --pairs: standard input has a sentence on each line");
  if (settings.split && (settings.search.n_best > 1 || settings.scores))
    throw UsageError("--split joins the best translations: leave out --n-best and --scores");
  settings.compute.use();

  LoadedModel model = load_model(settings.model);
  if (model.parses)
    throw input_error(settings.model, "is a parser and does not translate", "use 'plainformer parse'");
  if (at_terminal) {
    translate_at_terminal(model, settings);
    return finish_output();
  }
  const auto answer = [&](SourceLines& input, const SourceLine& source, const Hypotheses& translations) {
    print(model, translations, settings, source.is_end);
    input.check_translations(source, translations);
  };
  if (settings.text.empty()) translate_input(model, settings.search, answer, {.split = settings.split});
  for (const std::string& path : settings.text.pairs)
    translate_input(
        model, settings.search, answer,
        {.input = InputLines(read_pair_file(path, settings.text.columns).source, name_of_input(path)),
         .split = settings.split});
  return finish_output();
}

}  // namespace plainformer
