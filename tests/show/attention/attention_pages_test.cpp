// The page of `plainformer attention`, and the page that plays the frames of a training run.
#include "show/attention/attention_pages.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/browser.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

const char *const kEncoderSelf = "Encoder self-attention", *const kEncoderDecoder =
                                                               "Encoder-decoder attention";

AttentionOfKind kind_named(const char* title, Strings queries, Strings keys, std::vector<Tensor> weights) {
  AttentionOfKind attention = {.name = "",
                               .title = title,
                               .rows = "rows",
                               .columns = "columns",
                               .queries = std::move(queries),
                               .keys = std::move(keys)};
  for (Index layer = 0; layer < std::ssize(weights); ++layer) attention.layers.push_back(layer);
  for (Index head = 0; head < weights[0].dim(0); ++head) attention.heads.push_back(head);
  attention.weights = std::move(weights);
  return attention;
}

// Two kinds of two layers and two heads.
std::vector<AttentionOfKind> small_kinds() {
  const Tensor even = Tensor::filled({2, 2, 2}, 0.5);
  const Tensor last = Tensor::from({2, 2, 3}, {0.75, 0.25, 0, 0.125, 0.375, 0.5,  // head 0
                                               0, 0, 1, 0.004f, 0.995f, 0.001f});
  return {kind_named(kEncoderSelf, {"a", "b"}, {"a", "b"}, {even, even}),
          kind_named(kEncoderDecoder, {"die", "Katze"}, {"the", "big", "cat"},
                     {Tensor::filled({2, 2, 3}, 0.25), last})};
}

// What the scripts below use.
const std::string kTools =
    "const all = selector => [...document.querySelectorAll(selector)];\n"
    "const word = (side, i) => buttonOf(side, i);\nconst told = [];\n";

TEST(SlowAttentionPage, AReaderChoosesAndPointsAtAWord) {
  SKIP_WITHOUT_BROWSER();
  const std::string page = attention_page(small_kinds(), {.source = "the big cat", .target = "die Katze"});
  const TriedPage tried = try_page(page, kTools + R"(
const look = () => told.push([byId('title').textContent, all('#between path').length, all('.maps svg').length,
                              all('.thumb[aria-pressed=true]').length]);
look();                                                          // the last layer of the last kind, all heads
word('query', 1).focus();
told.push(byId('status').innerText.replaceAll('\n', '|'), all('#between path').length);
word('query', 1).dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
told.push(document.activeElement.innerText, all('.word.seen').length, all('.word[tabindex="0"]').length);
document.activeElement.click();                                  // keeps the word
byId('heads').querySelector('input').click();                    // without head 0
told.push(byId('status').innerText.replaceAll('\n', '|'));
byId('numbers').open = true;
drawTables();
told.push(all('table caption').length, all('tbody tr')[1].innerText.replaceAll('\t', '|'));
all('.thumb')[0].click();
look();
byId('kinds').querySelector('input').focus();
document.activeElement.click();
look();
told.push(document.activeElement.name);
return JSON.stringify(told);
)");
  EXPECT_EQ(
      tried.result,
      "[[\"Encoder-decoder attention, layer 1\",6,2,2],"
      "\"Katze looks at|head 0: cat 0.500, big 0.375, the 0.125|head 1: big 0.995, the 0.004, cat 0.001\",4,"
      "\"big\",3,2,"
      "\"big is looked at by|head 1: Katze 0.995\","
      "1,\"Katze|0.004|0.995|0.001\","
      "[\"Encoder-decoder attention, layer 0\",1,1,1],"
      "[\"Encoder self-attention, layer 1\",2,2,2],\"kind\"]");
}

TEST(SlowAttentionPage, HostileTokensAreShownAsTextAtPhoneWidth) {
  SKIP_WITHOUT_BROWSER();
  const Strings hostile = {"</script><script>document.title='x'</script>",
                           "<img src=http://a.example/x>",
                           "\"'&\\",
                           std::string("a\0b", 3),
                           "\xff\xfe",
                           "\u202e\u05d0\u05d1\u05d2",
                           "\U0001F600\u2028",
                           std::string(3000, 'w')};
  const Index len = std::ssize(hostile);
  const std::string page =
      attention_page({kind_named(kEncoderSelf, hostile, hostile, {Tensor::filled({7, len, len}, 0.125)})},
                     {.source = hostile[0] + hostile[3] + hostile[4], .target = hostile[1] + hostile[7]});
  const TriedPage tried = try_page(page, kTools + R"(
word('query', 0).focus();
byId('numbers').open = true;
drawTables();
told.push(all('img').length, all('script').length, all('.queries .word')[1].textContent,
          all('.queries .word')[3].textContent, all('.queries .word')[4].textContent,
          all('.queries .word')[5].textContent.length,
          document.documentElement.scrollWidth <= document.documentElement.clientWidth);
return JSON.stringify(told);
)",
                                   "", "--window-size=390,800");
  EXPECT_EQ(tried.result,
            "[0,3,\"&lt;img src=http://a.example/x&gt;\",\"a\uFFFDb\",\"\uFFFD\uFFFD\",4,true]");
}

// ---- the frames

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
    return refused(play(frames), {message});
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
  EXPECT_TRUE(fails(sentence_ + wrong, "has not a weight for each head, target token and source token"));
  EXPECT_TRUE(refused(run_program({"attention", "--frames", "none"}), {"--frames needs --html FILE"}, 2));
  EXPECT_TRUE(refused(run_program({"attention", "--frames", "none", "--html", "-", "--source", "a"}),
                      {"--frames takes --html alone"}, 2));
}

}  // namespace
}  // namespace plainformer
