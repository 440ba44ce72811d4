#include "report/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <sstream>

namespace plainformer {
namespace {

// A bar under a clock that the test moves.
struct Bench {
  double now = 1000;
  std::ostringstream out;

  ProgressBarOptions options(int width = 80) {
    ProgressBarOptions options;
    options.width = width;
    options.seconds = [this] { return now; };
    return options;
  }
  std::string take() {
    std::string text = out.str();
    out.str("");
    return text;
  }
};

TEST(ProgressBar, DrawsOverItselfOnATerminalAndFinishesOnceWithTheTimeTaken) {
  Bench bench;
  ProgressBar bar(bench.out, true, 40, bench.options());
  EXPECT_EQ(bench.take(), "\r\x1b[Kstep 0/40 [....................] 0%");
  bench.now += 92;
  bar.update(40, "done");
  bench.take();
  bar.finish();
  EXPECT_EQ(bench.take(), "\r\x1b[Kstep 40/40 [####################] 100% done in 1:32\n");
  bar.finish();
  bar.update(1);
  EXPECT_EQ(bench.take(), "");
}

TEST(ProgressBar, LeavesALineBehindWhenAnExceptionEndsTheWork) {
  Bench bench;
  { ProgressBar bar(bench.out, true, 2, bench.options()); }
  EXPECT_EQ(bench.take().back(), '\n');
}

TEST(ProgressBar, RedrawsAtMostTenTimesASecond) {
  Bench bench;
  ProgressBar bar(bench.out, true, 100000, bench.options());
  bench.take();
  for (int i = 1; i <= 1000; ++i) {
    bench.now = 1000 + i * 0.001;  // one second
    bar.update(i);
  }
  const std::string text = bench.take();
  const auto redraws = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(redraws, 8);
  EXPECT_LE(redraws, 10);
}

TEST(ProgressBar, WritesPlainLinesElsewhere) {
  Bench bench;
  ProgressBar bar(bench.out, false, 100, bench.options());
  for (int i = 1; i <= 25; ++i) {
    bench.now += 1;
    bar.update(i, "loss 2");
  }
  bar.finish();
  EXPECT_EQ(bench.take(),
            "step 10/100 10% loss 2 ETA 1:30\n"
            "step 20/100 20% loss 2 ETA 1:20\n"
            "step 25/100 25% loss 2 in 0:25\n");
}

TEST(ProgressBar, PrintedLinesStayAboveTheBar) {
  Bench bench;
  ProgressBar bar(bench.out, true, 4, bench.options());
  bench.take();
  bar.print("validation loss 1.9");
  EXPECT_EQ(bench.take(), "\r\x1b[Kvalidation loss 1.9\n\r\x1b[Kstep 0/4 [....................] 0%");
  bar.finish();
  bench.take();
  bar.print("after the end");
  EXPECT_EQ(bench.take(), "after the end\n");
}

// The line after some seconds, with so much done.
TEST(ProgressBar, ShowsWhatItsOptionsSay) {
  struct Case {
    Index total;
    ProgressBarOptions options;
    double seconds;
    Index done;
    std::string text, line;
  };
  const std::string quarter = "step 10/40 [#####...............] 25% ";
  const Case cases[] = {
      {40, {.width = 80}, 2, 10, "", quarter + "ETA 0:06"},
      // Its time ends sooner than the work.
      {40, {.most_seconds = 5, .width = 80}, 2, 10, "", quarter + "ETA 0:03"},
      {40, {.most_seconds = 1, .width = 80}, 2, 10, "", quarter + "ETA 0:00"},
      {40, {.most_seconds = 100, .width = 80}, 2, 10, "", quarter + "ETA 0:06"},
      // One step in ten seconds after the start: nine steps need ninety.
      {100, {.start = 90, .width = 80}, 10, 91, "", "step 91/100 [##################..] 91% ETA 1:30"},
      {0, {.unit = "line", .width = 80}, 1, 17, "3 tok/s", "line 17 3 tok/s"},
      {10, {.width = 80}, 1, 12, "", "step 12/10 [####################] 100% ETA 0:00"},
      // No room for a bar; and the last column stays free.
      {40, {.width = 40}, 1, 10, "loss 2.31", "step 10/40 25% loss 2.31 ETA 0:03"},
      {40, {.width = 40}, 1, 11, "a text that is far too long", "step 11/40 27% a text that is far too …"},
  };
  for (const Case& c : cases) {
    Bench bench;
    ProgressBarOptions options = c.options;
    options.seconds = [&] { return bench.now; };
    ProgressBar bar(bench.out, true, c.total, options);
    bench.take();
    bench.now += c.seconds;
    bar.update(c.done, c.text);
    EXPECT_EQ(bench.take(), "\r\x1b[K" + c.line);
  }
}

}  // namespace
}  // namespace plainformer
