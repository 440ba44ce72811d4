#include "app/translate_input.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

#include "app/input_lines.h"
#include "command_line/command_support.h"
#include "data/text.h"
#include "decoding/decode_all.h"
#include "decoding/encoded_sources.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// At most this many lines are sorted by length, translated and answered together.
constexpr Index kChunk = 1024;

// The ids of the lines; `first` is the number of the first line. A line too long for the model is cut, with a
// warning.
std::vector<std::vector<int>> encode_lines(LoadedModel& model, const std::vector<std::string>& lines,
                                           Index first, const std::function<void(std::string)>& warn) {
  std::vector<std::vector<int>> sources;
  const Index longest = longest_source(model.transformer->config());
  for (const std::string& line : lines) {
    const Index number = first + std::ssize(sources);
    sources.push_back(model.encode(line));
    if (std::ssize(sources.back()) <= longest) continue;
    warn("standard input:" + std::to_string(number) + ": " + std::to_string(sources.back().size()) +
         " tokens, cut to " + std::to_string(longest) + " (hint: split long lines into sentences)");
    sources.back().resize(longest);
  }
  return sources;
}

// The translation of an empty line is empty, and the model is not asked.
std::vector<Hypotheses> translate(PreparedModel& model, const std::vector<std::vector<int>>& sources,
                                  const SearchOptions& options, const std::function<void(Index)>& show) {
  std::vector<std::vector<int>> asked;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) continue;
    asked.push_back(sources[i]);
    numbers.push_back(i);
  }
  const auto answers = decode_all(model, asked, options, [&](Index done, Index) { show(done); });
  std::vector<Hypotheses> translations(sources.size(), Hypotheses(1));
  for (std::size_t i = 0; i < numbers.size(); ++i) translations[numbers[i]] = answers[i];
  return translations;
}

}  // namespace

void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler) {
  PreparedModel prepared(*model.transformer);
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
  for (; !lines.empty(); lines = input.next(chunk)) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i] = handler.prepare(sanitize_line(lines[i], done + i == 0));
    const auto sources = encode_lines(model, lines, done + 1, warn);
    const auto translations = translate(prepared, sources, options, show);
    for (std::size_t i = 0; i < lines.size(); ++i) handler.answer(lines[i], translations[i]);
    finish_output();
    show(std::ssize(lines));
    done += std::ssize(lines);
  }
}

}  // namespace plainformer
