#include "app/source_lines.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

#include "core/input_error.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "platform/platform.h"
#include "report/command_line.h"
#include "report/progress_bar.h"

namespace plainformer {

namespace {

constexpr std::size_t kBlock = 1 << 16;  // bytes read at once
constexpr std::int64_t kMostCounted = 1 << 26;

// The most lines that are sorted by length, translated and answered together.
constexpr Index kChunk = 1024;

}  // namespace

InputLines::InputLines(const std::vector<std::string>& lines, std::string name)
    : file_(-1), name_(std::move(name)), ended_(true) {
  for (const std::string& line : lines) buffer_ += line + "\n";
}

std::vector<std::string> InputLines::next(Index most) {
  std::vector<std::string> lines;
  was_cut_.clear();
  std::size_t begin = 0, searched = 0;  // the current line begins at `begin`; no '\n' before `searched`
  while (std::ssize(lines) < most) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      lines.push_back(take(begin, end));
      begin = searched = end + 1;
      continue;
    }
    if (buffer_.size() - begin > kMostSentenceBytes)  // forget all but a byte of what will be cut
      buffer_.resize(begin + kMostSentenceBytes + 1);
    searched = buffer_.size();
    if (ended_ || (!lines.empty() && !wait_until_readable(file_, /*milliseconds=*/0))) break;
    read_more();
  }
  if (ended_ && std::ssize(lines) < most && begin < buffer_.size()) {  // a last line without '\n'
    lines.push_back(take(begin, buffer_.size()));
    begin = buffer_.size();
  }
  buffer_.erase(0, begin);
  return lines;
}

std::string InputLines::take(std::size_t begin, std::size_t end) {
  was_cut_.push_back(end - begin > kMostSentenceBytes);
  if (!was_cut_.back()) return buffer_.substr(begin, end - begin);
  end = begin + kMostSentenceBytes;
  const auto is_within_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(buffer_[at]) & 0xC0) == 0x80;
  };
  for (int i = 0; i < 3 && is_within_character(end); ++i) --end;
  return buffer_.substr(begin, end - begin);
}

Index InputLines::count_ahead() {
  if (!ended_) {
    const std::optional<FileStatus> status = file_status(file_);
    if (!status || status->kind != FileKind::kRegular || status->bytes > kMostCounted) return 0;
  }
  while (!ended_) read_more();
  const Index lines = std::count(buffer_.begin(), buffer_.end(), '\n');
  return buffer_.empty() || buffer_.back() == '\n' ? lines : lines + 1;
}

void InputLines::read_more() {
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kBlock);
  const std::ptrdiff_t bytes = read_bytes(file_, buffer_.data() + size, kBlock);
  buffer_.resize(size + static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, bytes)));
  if (bytes < 0) throw input_error(name_, "cannot be read to its end", "is it a folder?");
  ended_ = bytes == 0;
}

std::string InputSanitizer::operator()(const std::string& line) {
  ++lines_;
  const auto bad = text_problem(line);
  if (bad && !has_warned_) {
    has_warned_ = true;
    const std::string where = kStandardInputName + (":" + std::to_string(lines_));
    warn_(input_error(where, bad->problem, bad->hint).what());
  }
  return sanitize_line(line, /*is_first=*/lines_ == 1);
}

void add_search_options(CommandLine& line, SearchOptions* options, int paper_beam) {
  line.option("--beam", "N", &options->beam,
              "hypotheses kept; 1 is greedy search, the paper uses " + std::to_string(paper_beam));
  line.option("--length-penalty", "X", &options->length_penalty,
              "alpha of beam search (with --beam 2 or more); 0 ranks by probability only");
  line.option("--extra-length", "N", &options->limits.extra_length,
              "an output is at most this many tokens longer than its input");
  line.option("--batch", "N", &options->batch, "sentences decoded together");
}

void finish_search(SearchOptions& options) {
  options.check("--");
  if (options.beam == 1) options.length_penalty = 0;
}

SourceLines::SourceLines(LoadedModel& model, Warn tell, Index most_notes, SourceSettings settings)
    : settings_(std::move(settings)),
      reader_(model),
      notes_(model.vocabulary),
      sanitize_(tell),
      line_notes_(tell, settings_.input.name(), most_notes) {}

std::vector<SourceLine> SourceLines::next(Index most) {
  std::vector<SourceLine> lines;
  const std::vector<std::string> input = settings_.input.next(most);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::string text = sanitize_(input[i]);
    ++number_;
    if (!text.empty() && is_blank(text)) line_notes_.add(number_, {white_space_note()});
    const std::string prepared = settings_.prepare ? settings_.prepare(text) : text;
    const std::vector<std::string> parts = settings_.split ? sentences_of(prepared) : std::vector{prepared};
    for (const std::string& part : parts) {
      SourceLine line = {.number = number_, .text = part, .sentence = reader_.read(part), .is_end = false};
      line.sentence.line_was_cut = settings_.input.was_cut(i) && &part == &parts.back();
      line_notes_.add(number_, notes_.on_source(line.sentence));
      lines.push_back(std::move(line));
    }
    lines.back().is_end = true;
  }
  return lines;
}

void SourceLines::check_translations(const SourceLine& line, const Hypotheses& translations) {
  line_notes_.add(line.number, notes_.on_translations(line.sentence, translations));
}

void translate_input(LoadedModel& model, const SearchOptions& options, const AnswerLine& answer,
                     SourceSettings settings) {
  std::optional<ProgressBar> bar;  // on a terminal the translations themselves show the progress
  const auto tell = [&](const std::string& text) {
    if (bar)
      bar->print(text);
    else
      std::cerr << text << "\n";
  };
  const bool split = settings.split;
  SourceLines input(model, tell, LineNotes::kFew, std::move(settings));
  Translator translator(model);
  const Index total = split ? 0 : input.count_ahead(), chunk = std::max(kChunk, options.batch);
  auto lines = input.next(chunk);
  if (!is_terminal(1))
    bar.emplace(std::cerr, understands_escapes(2), total,
                ProgressBarOptions{.unit = split ? "sentence" : "line"});
  Index done = 0;
  const auto show = [&](Index now) {
    if (bar) bar->update(done + now);
  };
  for (; !lines.empty(); lines = input.next(chunk)) {
    std::vector<std::vector<int>> sources;
    for (const SourceLine& line : lines) sources.push_back(line.sentence.ids);
    const auto translations =
        translator.translate(sources, options, [&](Index translated, Index) { show(translated); });
    for (std::size_t i = 0; i < lines.size(); ++i) answer(input, lines[i], translations[i]);
    finish_output();
    show(std::ssize(lines));
    done += std::ssize(lines);
  }
  input.finish();
}

}  // namespace plainformer
