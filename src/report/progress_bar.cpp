#include "report/progress_bar.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "platform/platform.h"
#include "report/numbers.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr double kRedrawInterval = 0.1, kPlainInterval = 10;  // seconds
constexpr int kStderr = 2;
constexpr int kShortestBar = 10;  // columns, brackets not counted
constexpr int kLongestBar = 20;
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgressBar::ProgressBar(std::ostream& out, bool is_terminal, Index total, ProgressBarOptions options)
    : out_(out),
      is_terminal_(is_terminal),
      total_(total),
      options_(std::move(options)),
      begin_(options_.seconds()),
      last_draw_(begin_),
      done_(options_.start) {
  if (is_terminal_) draw();
}

ProgressBar::~ProgressBar() {
  finish();
}

double ProgressBar::elapsed() const {
  return options_.seconds() - begin_;
}

void ProgressBar::update(Index done, const std::string& text) {
  if (finished_) return;
  done_ = done;
  text_ = text;
  const double interval = is_terminal_ ? kRedrawInterval : kPlainInterval;
  if (options_.seconds() - last_draw_ >= interval) draw();
}

void ProgressBar::print(const std::string& line) {
  const bool has_bar = is_terminal_ && !finished_;
  if (has_bar) out_ << kClearLine;
  out_ << line << '\n';
  if (has_bar) draw();
  out_.flush();
}

void ProgressBar::finish() {
  if (finished_) return;
  finished_ = true;
  draw();
  if (is_terminal_) out_ << '\n' << std::flush;
}

void ProgressBar::draw() {
  last_draw_ = options_.seconds();
  if (is_terminal_) {
    out_ << kClearLine << line();
  } else {
    out_ << line() << '\n';
  }
  out_.flush();
}

std::string ProgressBar::line() const {
  std::string before = options_.unit + " " + std::to_string(done_);
  if (total_ > 0) before += "/" + std::to_string(total_);
  std::string after;
  if (total_ > 0) after += " " + std::to_string(100 * std::clamp<Index>(done_, 0, total_) / total_) + "%";
  if (!text_.empty()) after += " " + text_;
  after += finished_ ? " in " + format_duration(elapsed()) : remaining();
  if (!is_terminal_) return before + after;

  // The last column stays free: writing to it would wrap the line on some terminals.
  const int columns = (options_.width > 0 ? options_.width : terminal_width(kStderr)) - 1;
  const int bar_width =
      std::min(columns - display_width(before + after) - 3, kLongestBar);  // a space and two brackets
  if (total_ <= 0 || bar_width < kShortestBar) return truncate_to_width(before + after, columns);
  const Index filled = bar_width * std::clamp<Index>(done_, 0, total_) / total_;
  return before + " [" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(bar_width - filled), '.') + "]" + after;
}

// The time left, at the rate so far: elapsed / newly done * still to do. No more than until most_seconds.
std::string ProgressBar::remaining() const {
  const Index newly_done = done_ - options_.start;
  if (total_ <= 0 || newly_done <= 0) return "";
  const auto to_do = static_cast<double>(std::max<Index>(0, total_ - done_));
  double seconds = elapsed() / static_cast<double>(newly_done) * to_do;
  if (options_.most_seconds > 0)
    seconds = std::min(seconds, std::max(0.0, options_.most_seconds - elapsed()));
  return " ETA " + format_duration(seconds);
}

}  // namespace plainformer
