// plainformer attention: where each head looks.
#include <iostream>

#include "command_line/command_support.h"
#include "core/input_error.h"
#include "show/attention/attention_find.h"
#include "show/attention/attention_page.h"
#include "show/attention/attention_report.h"
#include "show/attention/attention_settings.h"
#include "show/attention/frames_page.h"
#include "show/attention/recorded_frames.h"
#include "show/commands.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// A page or a JSON file takes 3 to 6 bytes for each weight.
constexpr Index kMostWeights = 4'000'000;

void check_size(const std::string& option, const std::vector<AttentionOfKind>& kinds) {
  const Index count = count_weights(kinds);
  if (count <= kMostWeights) return;
  throw input_error(
      option,
      "would hold " + std::to_string(count) + " weights; the limit is " + std::to_string(kMostWeights),
      "choose a part with --kind, --layer and --head, or a shorter sentence");
}

std::string picture(const AttentionOfKind& attention, const AttentionSettings& settings) {
  const std::size_t longest = std::max(attention.queries.size(), attention.keys.size());
  if (longest > static_cast<std::size_t>(kMostFigureWords))
    throw input_error("--svg", std::to_string(longest) + " tokens are too many for a picture",
                      "choose a sentence of at most " + std::to_string(kMostFigureWords));
  AttentionFigure figure = attention_figure(attention, settings.word);
  if (settings.style == "lines") return attention_lines_svg(figure);
  figure.description = heat_map_description(attention);
  return attention_heat_map_svg(figure);
}

void print_text(const std::vector<AttentionOfKind>& selected, const Sentence& source, const Sentence& target,
                bool is_own_translation) {
  std::cout << "source  " << printable(source.text()) << "\n"
            << "target  " << printable(target.text()) << (is_own_translation ? "   (by the model)" : "")
            << "\n\n"
            << attention_text(selected, attention_map_style_for(1));
  std::cerr << "(--kind, --layer and --head choose others; --html FILE draws all of them)\n";
}

}  // namespace

int attention_command(const Arguments& arguments) {
  AttentionSettings settings;
  CommandLine line = bind(settings);
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  settings.check();
  if (!settings.frames.empty()) {
    const ModelFolder folder(settings.frames);
    require_no_input(settings.html, {folder.frames()});
    write_page(settings.html, frames_page(read_frames(folder.frames())));
    return finish_output();
  }
  use_threads(settings.threads);
  use_ways(settings.plain);

  for (const std::string& out : {settings.html, settings.svg, settings.json})
    require_no_input(out, ModelFolder(settings.model).model_files());
  LoadedModel model = load_model(ModelFolder(settings.model));
  if (!settings.find.empty()) {
    print_links(model, settings);
    return finish_output();
  }
  const Sentence source = read_sentence(model, settings.source.front(), "--source", warnings_of("attention"));
  const Sentence target = settings.target.empty() ? translations_of(model, {source}).front()
                                                  : read_sentence(model, settings.target.front(), "--target",
                                                                  warnings_of("attention"));
  const auto all = attention_of_pair(*model.transformer, source, target, settings.rows());
  if (!settings.json.empty()) {
    const auto selected = select(all, settings, DefaultSelection::kAll);
    check_size("--json", selected);
    write_output(settings.json, attention_json(selected));
  }
  if (!settings.html.empty()) {
    const auto selected = select(all, settings, DefaultSelection::kAll);
    check_size("--html", selected);
    write_page(settings.html, attention_page(selected, {.source = source.text(),
                                                        .target = target.text(),
                                                        .is_own_translation = settings.target.empty()}));
  }
  if (!settings.svg.empty())
    write_output(settings.svg,
                 picture(select(all, settings, DefaultSelection::kLastLayer).front(), settings));
  if (!settings.writes_files())
    print_text(select(all, settings, DefaultSelection::kLastLayer), source, target, settings.target.empty());
  return finish_output();
}

}  // namespace plainformer
