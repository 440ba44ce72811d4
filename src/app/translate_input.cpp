#include "app/translate_input.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

#include "data/text.h"
#include "io/output.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// The most lines that are sorted by length, translated and answered together.
constexpr Index kChunk = 1024;

}  // namespace

SearchOptions SearchSettings::options() const {
  SearchOptions options;
  options.beam = beam;
  options.n_best = n_best;
  options.batch = batch;
  options.limits.extra_length = extra_length;
  options.length_penalty = static_cast<Real>(length_penalty);
  options.check("--");
  if (options.beam == 1) options.length_penalty = 0;  // greedy search does not compare lengths
  return options;
}

void add_search_options(CommandLine& line, SearchSettings* settings, int paper_beam) {
  line.option("--beam", "N", &settings->beam,
              "hypotheses kept; 1 is greedy search, the paper uses " + std::to_string(paper_beam));
  line.option("--length-penalty", "X", &settings->length_penalty,
              "alpha of beam search (with --beam 2 or more); 0 ranks by probability only");
  line.option("--extra-length", "N", &settings->extra_length,
              "an output is at most this many tokens longer than its input");
  line.option("--batch", "N", &settings->batch, "sentences decoded together");
}

SourceLines::SourceLines(LoadedModel& model, Warn tell, Index most_notes, PrepareLine prepare)
    : prepare_(std::move(prepare)),
      reader_(model),
      notes_(model.vocabulary),
      input_(0, kStandardInputName),
      sanitize_(tell, kStandardInputName),
      line_notes_(tell, kStandardInputName, most_notes) {}

std::vector<SourceLine> SourceLines::next(Index most) {
  std::vector<SourceLine> lines;
  for (const std::string& input : input_.next(most)) {
    const bool was_cut = input_.was_cut(lines.size());
    const std::string text = sanitize_(input);
    ++number_;
    if (!text.empty() && is_blank(text)) line_notes_.add(number_, {white_space_note()});
    SourceLine line = {.number = number_, .text = prepare_ ? prepare_(text) : text, .sentence = {}};
    line.sentence = reader_.read(line.text);
    line.sentence.line_was_cut = was_cut;
    line_notes_.add(number_, notes_.on_source(line.sentence));
    lines.push_back(std::move(line));
  }
  return lines;
}

void SourceLines::check_translations(const SourceLine& line, const Hypotheses& translations) {
  line_notes_.add(line.number, notes_.on_translations(line.sentence, translations));
}

void translate_input(LoadedModel& model, const SearchOptions& options, const LineHandler& handler) {
  std::optional<ProgressBar> bar;  // on a terminal the translations themselves show the progress
  const auto tell = [&](const std::string& text) {
    if (bar)
      bar->print(text);
    else
      std::cerr << text << "\n";
  };
  SourceLines input(model, tell, LineNotes::kFew, handler.prepare);
  Translator translator(model);
  const Index total = input.count_ahead(), chunk = std::max(kChunk, options.batch);
  auto lines = input.next(chunk);
  if (!is_terminal(1))
    bar.emplace(std::cerr, understands_escapes(2), total,
                ProgressBarOptions{.unit = "line", .color = color_allowed(2)});
  Index done = 0;
  const auto show = [&](Index now) {
    if (bar) bar->update(done + now);
  };
  for (; !lines.empty(); lines = input.next(chunk)) {
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
