// plainformer train: from two text files, or the built-in grammar, to a model folder.
#include <iostream>

#include "app/commands.h"
#include "core/number_text.h"
#include "evaluation/bleu.h"
#include "io/atomic_file.h"
#include "model_folder/translator.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/terminal.h"
#include "train/recipes.h"
#include "train/training_run.h"

namespace plainformer {

namespace {

// "build/toy/plainformer train --resume --out model", to be pasted.
std::string command_line_of(const std::string& command, const std::string& folder_option,
                            const ModelFolder& folder) {
  return quoted_for_shell(program_as_called()) + " " + command + " " + folder_option + " " +
         quoted_for_shell(folder.path);
}

// The options with which a run that has ended goes on. One that --minutes ended needs none.
std::string options_to_go_on(const Settings& settings, const FinishedRun& trained) {
  std::string options;
  if (trained.steps >= settings.training.steps) options += " --steps " + std::to_string(2 * trained.steps);
  if (trained.out_of_patience) options += " --patience " + std::to_string(2 * settings.patience);
  return options;
}

// What must be given again, because it can be read only once.
std::string input_to_go_on(const Settings& settings) {
  return settings.reads_standard_input() ? ", with the same text on standard input" : "";
}

// The last lines of a run: what to type next.
void print_next_commands(const Settings& settings, const FinishedRun& trained, const ModelFolder& folder) {
  const std::string use = settings.treebank.empty() ? "translate" : "parse";
  std::cerr << "to " << use << " with it:  " << command_line_of(use, "--model", folder) << "\n"
            << "to go on training:  " << command_line_of("train --resume", "--out", folder)
            << options_to_go_on(settings, trained) << input_to_go_on(settings) << "\n";
}

// The report at the end of a run on the built-in grammar: ten translations of held-out sentences (with the
// reference where it differs), one map of the encoder-decoder attention, exact match and BLEU.
void print_toy_report(const ModelFolder& folder, const std::vector<ToyPair>& test) {
  LoadedModel model = load_model(folder);
  SourceReader reader(model);
  std::vector<Sentence> sources;
  for (const ToyPair& pair : test) sources.push_back(reader.read(pair.source));
  const std::vector<Sentence> decoded = translations_of(model, sources);

  std::vector<std::string> translations, references;
  std::size_t exact = 0;
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    translations.push_back(decoded[i].text());
    references.push_back(test[i].target);
    exact += translations[i] == references[i];
  }

  constexpr std::size_t kShown = 10;
  std::cout << "\nTen held-out sentences:\n";
  for (std::size_t i = 0; i < std::min(kShown, translations.size()); ++i) {
    const bool right = translations[i] == references[i];
    std::cout << "  " << test[i].source << "\n    "
              << colored(right ? "=" : "!", right ? Color::kGreen : Color::kRed, color_allowed(1)) << " "
              << translations[i] << "\n";
    if (!right) std::cout << "    reference: " << references[i] << "\n";
  }

  const auto drawn = static_cast<std::size_t>(&pair_to_draw(test) - test.data());
  std::cout << "\nWhere the last decoder layer looked (encoder-decoder attention, mean of the heads):\n"
            << draw_attention(model, sources[drawn], decoded[drawn].ids, {.width = terminal_width(1)})
            << "\n";

  const double percent = 100.0 * static_cast<double>(exact) / static_cast<double>(translations.size());
  std::cout << "Held-out exact match: " << fixed_text(percent, 1) << " % (" << exact << " of "
            << translations.size() << ", greedy)\n"
            << to_string(corpus_bleu(translations, references)) << "\n";
}

}  // namespace

int train_command(const Arguments& arguments) {
  if (wants_help(arguments)) {
    std::cout << train_help(arguments);
    return finish_output();
  }
  const Settings given = parse_settings(arguments);
  const Settings known = given.resume ? settings_of_resumed_run(arguments, given) : given;
  if (known.reads_standard_input() && is_terminal(0))
    std::cerr << "the pairs are read from standard input, here until " << end_of_input_keys()
              << " at the beginning of a line\n";
  const Settings settings = given.resume ? known : settings_of_new_run(arguments);
  const ModelFolder folder(settings.out);
  const FinishedRun trained = train_model(settings);
  if (trained.signal != 0) {
    std::cerr << "stopped by a signal; everything is saved (to continue: "
              << command_line_of("train --resume", "--out", folder) << input_to_go_on(settings) << ")\n";
    return 128 + trained.signal;
  }
  std::cerr << "the model is in " << folder.path << "\n";
  if (!trained.test.empty()) print_toy_report(folder, trained.test);
  finish_output();
  print_next_commands(settings, trained, folder);
  return 0;
}

}  // namespace plainformer
