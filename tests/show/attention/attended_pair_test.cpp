// A sentence pair, the attention between its words, and this attention as text and as JSON.
#include "show/attention/attended_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/json.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;
using Numbers = std::vector<Index>;

class PairOfSmallModel : public testing::Test {
 protected:
  std::vector<AttentionOfKind> kinds() {
    return attention_of_pair(*model_.transformer, SourceReader(model_).read("the cat sleeps"),
                             SourceReader(model_).read("die Katze"));
  }

  const TemporaryFolder folder_;
  LoadedModel model_ = load_model(ModelFolder(write_model(folder_)));
};

TEST_F(PairOfSmallModel, RowsOfTheDecoderAreNamedAfterItsOutput) {
  const auto kinds = PairOfSmallModel::kinds();
  ASSERT_EQ(kinds.size(), 3u);
  const Tokens source = {"the", "cat", "sleeps", "</s>"}, input = {"<s>", "die", "Katze"},
               output = {"die", "Katze", "</s>"};
  EXPECT_EQ(kinds[0].queries, source);
  EXPECT_EQ(kinds[0].keys, source);
  EXPECT_EQ(kinds[1].queries, output);
  EXPECT_EQ(kinds[1].keys, input);
  EXPECT_EQ(kinds[2].queries, output);
  EXPECT_EQ(kinds[2].keys, source);
  EXPECT_EQ(kinds[0].rows + ", " + kinds[0].columns, "source, source");
  EXPECT_EQ(kinds[1].rows + ", " + kinds[1].columns, "target as written, target as read");
  EXPECT_EQ(kinds[2].rows + ", " + kinds[2].columns, "target as written, source");
  EXPECT_EQ(kinds[2].weights[0].shape(), Shape({2, 3, 4}));
}

// Two layers of two heads, of which heads 1 and 3 are here.
AttentionOfKind small_attention() {
  return {.name = "encoder-decoder",
          .title = "Encoder-decoder attention",
          .rows = "target as written",
          .columns = "source",
          .queries = {"Ka@@", "tze", "</s>"},
          .keys = {"cat", "</s>"},
          .layers = {0, 5},
          .heads = {1, 3},
          .weights = {Tensor::from({2, 3, 2}, {1, 0, 0.25, 0.75, 0.0004f, 0.9996f,  //
                                               0.5, 0.5, 0.123f, 0.877f, 0, 1}),
                      Tensor::filled({2, 3, 2}, 0.5)}};
}

TEST(AttentionOfKind, JsonHasTheShapeOfBertViz) {
  const std::string text = attention_json({small_attention(), small_attention()});
  const JsonValue json = parse_json(text, "json");
  ASSERT_EQ(json.array()->size(), 2u);
  const JsonValue& kind = json.array()->at(1);
  EXPECT_EQ(*kind.find("name")->string(), "Encoder-decoder attention");
  EXPECT_EQ(*kind.find("left_text")->array()->at(0).string(), "Ka@@");
  EXPECT_EQ(*kind.find("right_text")->array()->at(1).string(), "</s>");
  EXPECT_EQ(kind.find("layers")->array()->at(1).number(), 5);
  EXPECT_EQ(kind.find("heads")->array()->at(1).number(), 3);
  EXPECT_NE(text.find("\"attn\": [[[[1,0],[0.25,0.75],[0,1]],\n[[0.5,0.5],[0.123,0.877],[0,1]]],\n[["),
            std::string::npos)
      << text;
  EXPECT_EQ(count_weights({small_attention(), small_attention()}), 48);
}

TEST(AttentionOfKind, AWeightHasThreeDigits) {
  const std::pair<Real, int> cases[] = {{0, 0},  {1, 1000}, {0.0014f, 1}, {0.9996f, 1000},
                                        {-1, 0}, {2, 1000}, {NAN, 0}};
  for (const auto& [weight, expected] : cases) EXPECT_EQ(thousandths(weight), expected) << weight;
}

TEST(AttentionOfKind, TextHasAMapForEachHeadAndOneLegend) {
  const std::string text = attention_text({small_attention()}, {});
  EXPECT_EQ(text.find("Encoder-decoder attention, layer 0, head 1\n"
                      "      cat\n"
                      "      │  </s>\n"
                      "Ka@@  ██ ·\n"
                      " tze  ▒▒ ██\n"
                      "</s>  ·  ██\n"
                      "\nEncoder-decoder attention, layer 0, head 3\n"),
            0u)
      << text;
  const auto legend = text.find("rows: target as written, columns: source");
  EXPECT_GT(legend, text.find("layer 5, head 3"));
  EXPECT_EQ(text.find("rows:"), legend);
}

}  // namespace
}  // namespace plainformer
