// The page that plays the frames of a training run, and the file that it reads.
#include "show/attention/attention_pages.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/browser.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Two heads, 2 x 3 weights; steps 0, 50, 100.
RecordedFrames small_frames() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<int> even(12, 333);
  return {.source_text = "the cat",
          .target_text = "die",
          .source = {"the", "cat", "</s>"},
          .target = {"die", "</s>"},
          .layer = 1,
          .heads = 2,
          .frames = {{0, none, 5.5, "", even},
                     {50, 4.25, 4, "das", {1000, 0, 0, 0, 0, 1000, 0, 1000, 0, 0, 0, 1000}},
                     {100, 1.5, 0.25, "die", {900, 50, 50, 0, 100, 900, 800, 100, 100, 0, 0, 1000}}}};
}

TEST(FilmPage, HasAListForReadersWithoutAScript) {
  const std::string page = film_page(small_frames());
  EXPECT_TRUE(contains(page, "<th scope=\"row\">50</th><td>4.25</td><td>4.00</td><td><bdi>das</bdi></td>"))
      << page;
  EXPECT_TRUE(contains(page, "<th scope=\"row\">0</th><td>-</td><td>5.50</td><td>(nothing)</td>"));
  EXPECT_TRUE(contains(page, "<noscript>"));
  EXPECT_TRUE(contains(page, "decoder layer 1, counted from 0")) << page;
  EXPECT_TRUE(contains(page, "in 3 frames; all are here"));
}

TEST(FilmPage, StaysSmallAndKeepsTheLastFrame) {
  RecordedFrames frames = small_frames();
  frames.source.assign(41, "word");
  frames.target.assign(41, "Wort");
  frames.heads = 8;
  const std::vector<int> weights(8 * 41 * 41, 999);
  for (auto& frame : frames.frames) frame.attention = weights;
  for (Index step = 101; step < 150; ++step) frames.frames.push_back({step, 1, 1, "die", weights});
  const std::string page = film_page(frames);
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_TRUE(contains(page, "in 52 frames; one in 4 is here."));
  EXPECT_TRUE(contains(page, "\"step\": 149,")) << "the last one";
}

TEST(FilmPage, HostileTextStaysText) {
  RecordedFrames frames = small_frames();
  const std::string hostile = "</script><script>alert(1)</script><img src=x>\x1b[2J";
  frames.source_text = frames.target_text = frames.source[0] = frames.target[0] =
      frames.frames[1].translation = hostile;
  const std::string page = film_page(frames);
  EXPECT_FALSE(contains(page, "<script>alert") || contains(page, "<img") || contains(page, "\x1b"));
}

TEST(SlowFilmPage, AReaderPlaysAndSteps) {
  SKIP_WITHOUT_BROWSER();
  const std::string script = R"(
const told = [], key = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const look = () => told.push(byId('step').textContent + '|' + byId('translation').textContent + '|' +
    byId('loss').textContent + '|' + byId('sentence-loss').textContent + '|' + cells[0].textContent + '|' + cells[5].textContent);
look();
key('ArrowRight'); look();
key('End'); look();
told.push(byId('translation').className, byId('forward').disabled);
document.querySelector('[name=head][value="1"]').click(); look();
key('Home'); key(' ');
told.push(byId('play').textContent, document.documentElement.scrollWidth <= innerWidth);
setTimeout(() => { look(); told.push(byId('play').textContent); tell(JSON.stringify(told)); }, 2500);
)";
  EXPECT_EQ(try_page(film_page(small_frames()), script, "", "--virtual-time-budget=6000").result,
            "[\"step 0|(nothing)|\u2013|5.50|.33|.33\",\"step 50|das|4.25|4.00|.50|1.00\","
            "\"step 100|die|1.50|0.25|.85|.95\",\"right\",true,\"step 100|die|1.50|0.25|.80|1.00\","
            "\"Pause\",true,\"step 100|die|1.50|0.25|.80|1.00\",\"Play\"]");
}

class FramesCommand : public testing::Test {
 protected:
  ProgramResult play(const std::string& frames) {
    folder_.write("frames.jsonl", frames);
    return run_program({"attention", "--frames", folder_.path_of(""), "--html", "-"});
  }
  const TemporaryFolder folder_;
  const std::string sentence_ =
      "{\"source_text\": \"a\", \"target_text\": \"b\", \"source\": [\"</s>\"], \"target\": [\"b\", "
      "\"</s>\"], "
      "\"layer\": 0, \"heads\": 1}\n";
  const std::string frame_ =
      "{\"step\": 3, \"loss\": 1.5, \"sentence_loss\": 2, \"translation\": \"b\", \"attention\": [[[1000], "
      "[999]]]}\n";
};

TEST_F(FramesCommand, PlaysWhatATrainingRunHasKept) {
  write_text(folder_);
  ASSERT_EQ(run_program(train_arguments(folder_, "model", {"--frames", "3"})).exit_code, 0);
  const std::string page = folder_.path_of("page.html");
  const ProgramResult result =
      run_program({"attention", "--frames", folder_.path_of("model"), "--html", page});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "page.html: one page of ")) << result.err;
  EXPECT_TRUE(contains(folder_.read("page.html"), "\"step\": 6,"));
}

TEST_F(FramesCommand, IgnoresALastLineWithoutAnEnd) {
  const ProgramResult result = play(sentence_ + frame_ + "{\"step\": 4, \"lo");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "standard output is no file to open";
}

TEST_F(FramesCommand, NamesTheLineThatIsWrong) {
  const auto fails = [&](const std::string& frames, const std::string& message) {
    return failed_with_one_line(play(frames), "attention", {message});
  };
  EXPECT_TRUE(fails("", "holds no frame yet"));
  EXPECT_TRUE(fails(sentence_, "holds no frame yet"));
  EXPECT_TRUE(fails("{}\n", "frames.jsonl:1: has no \"source_text\""));
  EXPECT_TRUE(fails(sentence_ + frame_ + frame_, "frames.jsonl:3: its step does not follow"));
  EXPECT_TRUE(fails(sentence_ + "{\"step\": 3}\n", "frames.jsonl:2: has no \"loss\""));
  std::string wrong = frame_;
  wrong.replace(wrong.find("999"), 3, "1001");
  EXPECT_TRUE(fails(sentence_ + wrong, "frames.jsonl:2: a weight is not a number of 0 to 1000"));
  wrong.replace(wrong.find(", [1001]"), 8, "");
  EXPECT_TRUE(fails(sentence_ + wrong, "has not one row for each target token"));
  EXPECT_TRUE(failed_with_one_line(run_program({"attention", "--frames", "none"}), "attention",
                                   {"--frames needs --html FILE"}, 2));
  EXPECT_TRUE(
      failed_with_one_line(run_program({"attention", "--frames", "none", "--html", "-", "--source", "a"}),
                           "attention", {"--frames takes --html alone"}, 2));
}

}  // namespace
}  // namespace plainformer
