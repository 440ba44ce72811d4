#include "app/translate_input.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

#include "command_line/command_support.h"
#include "model_folder/translator.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// The most lines that are sorted by length, translated and answered together.
constexpr Index kChunk = 1024;

}  // namespace

void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler) {
  std::optional<ProgressBar> bar;  // on a terminal the translations themselves show the progress
  SourceLines input(model, [&](const std::string& text) {
    if (bar)
      bar->print(text);
    else
      std::cerr << text << "\n";
  });
  Translator translator(model);
  const Index total = input.count_ahead(), chunk = std::max(kChunk, options.batch);
  auto lines = input.next(chunk, handler.prepare);
  if (!is_terminal(1))
    bar.emplace(std::cerr, understands_escapes(2), total,
                ProgressBarOptions{.unit = "line", .color = color_allowed(2)});
  Index done = 0;
  const auto show = [&](Index now) {
    if (bar) bar->update(done + now);
  };
  for (; !lines.empty(); lines = input.next(chunk, handler.prepare)) {
    std::vector<std::vector<int>> sources;
    for (const SourceLine& line : lines) sources.push_back(line.sentence.ids);
    const auto translations =
        translator.translate(sources, options, [&](Index translated, Index) { show(translated); });
    for (std::size_t i = 0; i < lines.size(); ++i) {
      handler.answer(lines[i].text, translations[i]);
      if (handler.checks_translations) input.check_translations(lines[i], translations[i]);
    }
    finish_output();
    show(std::ssize(lines));
    done += std::ssize(lines);
  }
  input.finish();
}

}  // namespace plainformer
