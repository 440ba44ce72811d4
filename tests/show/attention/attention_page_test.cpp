// The page of `plainformer attention`, in a headless browser.
#include "show/attention/attention_pages.h"

#include <gtest/gtest.h>

#include "support/browser.h"

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

TEST(AttentionPage, SaysWhoseTranslationItShows) {
  AttentionPageText text = {.source = "the big cat", .target = "die Katze"};
  const std::string given = attention_page(small_kinds(), text);
  EXPECT_NE(given.find("<noscript>"), std::string::npos);
  EXPECT_EQ(given.find("the model's own translation"), std::string::npos);
  text.is_own_translation = true;
  EXPECT_NE(attention_page(small_kinds(), text).find("the model's own translation"), std::string::npos);
}

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

}  // namespace
}  // namespace plainformer
