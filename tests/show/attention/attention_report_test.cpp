// Attention as text, as a picture and as JSON.
#include "show/attention/attention_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/json.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// Two layers of two heads, of which heads 1 and 3 are here.
AttentionOfKind small_attention() {
  AttentionOfKind attention = {
      .kind = AttentionKind::kEncoderDecoder, .queries = {"Ka@@", "tze", "</s>"}, .keys = {"cat", "</s>"}};
  attention.layers = {0, 5};
  attention.heads = {1, 3};
  attention.weights = {
      Tensor::from({2, 3, 2}, {1, 0, 0.25, 0.75, 0.0004f, 0.9996f, 0.5, 0.5, 0.123f, 0.877f, 0, 1}),
      Tensor::filled({2, 3, 2}, 0.5)};
  return attention;
}

TEST(AttentionReport, JsonHasTheShapeOfBertViz) {
  const std::string text = attention_json({small_attention(), small_attention()});
  const JsonValue json = parse_json(text, "json");
  ASSERT_EQ(json.array()->size(), 2u);
  const JsonValue& kind = json.array()->at(1);
  EXPECT_EQ(*kind.find("name")->string(), "Encoder-decoder attention");
  EXPECT_EQ(*kind.find("left_text")->array()->at(0).string(), "Ka@@");
  EXPECT_EQ(*kind.find("right_text")->array()->at(1).string(), "</s>");
  EXPECT_EQ(kind.find("layers")->array()->at(1).number(), 5);
  EXPECT_EQ(kind.find("heads")->array()->at(1).number(), 3);
  const auto weight = [&](std::size_t layer, std::size_t head, std::size_t from, std::size_t to) {
    return kind.find("attn")->array()->at(layer).array()->at(head).array()->at(from).array()->at(to).number();
  };
  EXPECT_EQ(weight(0, 0, 1, 1), 0.75);
  EXPECT_EQ(weight(0, 0, 2, 1), 1) << "three digits";
  EXPECT_EQ(weight(0, 1, 1, 0), 0.123);
  EXPECT_EQ(weight(1, 1, 2, 0), 0.5);
  EXPECT_NE(text.find("\"attn\": [[[[1,0],[0.25,0.75],[0,1]],\n[[0.5,0.5],[0.123,0.877],[0,1]]],\n[["),
            std::string::npos)
      << text;
}

TEST(AttentionReport, AWeightHasThreeDigits) {
  const std::pair<Real, int> cases[] = {{0, 0},  {1, 1000}, {0.0014f, 1}, {0.9996f, 1000},
                                        {-1, 0}, {2, 1000}, {NAN, 0}};
  for (const auto& [weight, expected] : cases) EXPECT_EQ(thousandths(weight), expected) << weight;
}

TEST(AttentionReport, CountsTheWeights) {
  EXPECT_EQ(count_weights({small_attention(), small_attention()}), 48);
}

TEST(AttentionReport, TextHasAMapForEachHeadAndOneLegend) {
  const std::string text = attention_text({small_attention()}, {});
  EXPECT_EQ(text.find("Encoder-decoder attention, layer 0, head 1\n"
                      "      cat  </s>\n"
                      "Ka@@  ████ ·\n"
                      " tze  ▒▒▒▒ ████\n"
                      "</s>  ·    ████\n"
                      "\nEncoder-decoder attention, layer 0, head 3\n"),
            0u)
      << text;
  const auto legend = text.find("rows: target as written, columns: source");
  EXPECT_GT(legend, text.find("layer 5, head 3"));
  EXPECT_EQ(text.find("rows:"), legend);
}

TEST(AttentionReport, RowsAndColumnsSayWhatTheyAre) {
  AttentionOfKind attention = small_attention();
  attention.first_query_word = 1;
  EXPECT_EQ(row_heading(attention), "target as read");
  attention.kind = AttentionKind::kDecoderSelf;
  EXPECT_EQ(column_heading(attention), "target as read");
  attention.kind = AttentionKind::kEncoderSelf;
  EXPECT_EQ(row_heading(attention) + column_heading(attention), "sourcesource");
}

TEST(AttentionReport, APictureShowsOneLayerAndAllPiecesOfAWord) {
  const AttentionFigure figure = attention_figure(small_attention(), "Katze");
  EXPECT_EQ(figure.title, "Encoder-decoder attention, layer 0");
  EXPECT_EQ(figure.heads, (std::vector<Index>{1, 3}));
  EXPECT_EQ(figure.only, (std::vector<Index>{0, 1}));
  EXPECT_EQ(figure.weights.at({0, 1, 1}), 0.75f);
  EXPECT_TRUE(attention_figure(small_attention(), "").only.empty());
  EXPECT_NE(thrown_message<std::runtime_error>([] {
              attention_figure(small_attention(), "cat");
            }).find("--word: no row of the picture is the word cat (hint: its rows are: Ka@@ tze </s>)"),
            std::string::npos);
}

}  // namespace
}  // namespace plainformer
