#include "app/translate_input.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

#include "app/input_lines.h"
#include "command_line/command_support.h"
#include "model_folder/translator.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// The most lines that are sorted by length, translated and answered together.
constexpr Index kChunk = 1024;

// The ids of the lines; `first` is the number of the first line.
std::vector<std::vector<int>> encode_lines(SourceReader& reader, const std::vector<std::string>& lines,
                                           Index first, const Warn& warn) {
  std::vector<std::vector<int>> sources;
  for (const std::string& line : lines) {
    const std::string where = "standard input:" + std::to_string(first + std::ssize(sources));
    sources.push_back(reader.read(line, where, warn).ids);
  }
  return sources;
}

}  // namespace

void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler) {
  SourceReader reader(model);
  Translator translator(model);
  InputLines input(0, "standard input");
  const Index total = input.count_ahead(), chunk = std::max(kChunk, options.batch);
  auto lines = input.next(chunk);
  std::optional<ProgressBar> bar;  // on a terminal the translations themselves show the progress
  if (!is_terminal(1))
    bar.emplace(std::cerr, understands_escapes(2), total,
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
  InputSanitizer sanitize(warn);
  for (; !lines.empty(); lines = input.next(chunk)) {
    for (std::string& line : lines) line = handler.prepare(sanitize(line));
    const auto sources = encode_lines(reader, lines, done + 1, warn);
    const auto translations =
        translator.translate(sources, options, [&](Index translated, Index) { show(translated); });
    for (std::size_t i = 0; i < lines.size(); ++i) handler.answer(lines[i], translations[i]);
    finish_output();
    show(std::ssize(lines));
    done += std::ssize(lines);
  }
}

}  // namespace plainformer
