// The progress of a long piece of work, on a stream other than the result's (stderr).
//
// On a terminal, one line that is redrawn in place, at most ten times a second:
//   step 1200/6000 [####................] 20% loss 2.31 lr 7.1e-4 41.2k tok/s ETA 1:32
// Elsewhere (a file, a pipe), a new line every ten seconds, without the bar:
//   step 1200/6000 20% loss 2.31 lr 7.1e-4 41.2k tok/s ETA 1:32
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "core/real.h"

namespace plainformer {

double steady_seconds();  // since some moment in the past

struct ProgressBarOptions {
  std::string unit = "step";
  Index start = 0;          // done before this run (a resumed training); not part of the rate
  double most_seconds = 0;  // the work ends after this time, even if not all is done; 0: never
  int width = 0;            // columns; 0 asks the terminal of stderr at each redraw
  std::function<double()> seconds = steady_seconds;
};

class ProgressBar {
 public:
  // Draws the empty bar if on a terminal. `out` must outlive the bar. total <= 0: unknown; no bar, percentage
  // or ETA.
  ProgressBar(std::ostream& out, bool is_terminal, Index total, ProgressBarOptions options = {});
  ~ProgressBar();  // finishes
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Tells the progress. It is cheap when there is nothing to draw, so call it as often as you like. `text`
  // goes between the count and the ETA.
  void update(Index done, const std::string& text = "");

  // Prints a line that stays, such as a validation result; on a terminal, above the bar.
  void print(const std::string& line);

  // Draws the last state and the time taken, and ends the line. Later calls do nothing.
  void finish();

 private:
  double elapsed() const;  // seconds since the bar was made
  std::string line() const;
  std::string remaining() const;
  void draw();

  std::ostream& out_;
  const bool is_terminal_;
  const Index total_;
  const ProgressBarOptions options_;
  const double begin_;
  double last_draw_;
  Index done_;
  std::string text_;
  bool finished_ = false;
};

}  // namespace plainformer
