// A sentence pair, its words, and the attention between them.
#include "show/attention/attended_pair.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

using Tokens = std::vector<std::string>;
using Numbers = std::vector<Index>;

class PairOfSmallModel : public testing::Test {
 protected:
  std::vector<AttentionOfKind> kinds(DecoderRows rows) {
    return attention_of_pair(*model_.transformer, SourceReader(model_).read("the cat sleeps"),
                             SourceReader(model_).read("die Katze"), rows);
  }

  const TemporaryFolder folder_;
  LoadedModel model_ = load_model(ModelFolder(write_model(folder_)));
};

TEST_F(PairOfSmallModel, RowsOfTheDecoderAreNamedAfterItsOutput) {
  const auto kinds = PairOfSmallModel::kinds(DecoderRows::kOutput);
  ASSERT_EQ(kinds.size(), 3u);
  const Tokens source = {"the", "cat", "sleeps", "</s>"}, input = {"<s>", "die", "Katze"},
               output = {"die", "Katze", "</s>"};
  EXPECT_EQ(kinds[0].queries, source);
  EXPECT_EQ(kinds[0].keys, source);
  EXPECT_EQ(kinds[1].queries, output);
  EXPECT_EQ(kinds[1].keys, input);
  EXPECT_EQ(kinds[2].queries, output);
  EXPECT_EQ(kinds[2].keys, source);
  EXPECT_EQ(kinds[1].first_query_word + 10 * kinds[1].first_key_word, 10);
  EXPECT_EQ(kinds[2].weights[0].shape(), Shape({2, 3, 4}));
}

// The same positions under other names.
TEST_F(PairOfSmallModel, OrAfterItsInput) {
  const auto by_output = kinds(DecoderRows::kOutput), by_input = kinds(DecoderRows::kInput);
  for (int i : {1, 2}) {
    EXPECT_EQ(by_input[i].queries, (Tokens{"<s>", "die", "Katze"}));
    EXPECT_EQ(by_input[i].first_query_word, 1);
    EXPECT_EQ(by_input[i].weights[0].at({1, 2, 1}), by_output[i].weights[0].at({1, 2, 1}));
  }
}

TEST_F(PairOfSmallModel, APartKeepsItsNumbers) {
  const AttentionOfKind all = kinds(DecoderRows::kOutput)[0], second = select(all, {}, {1});
  EXPECT_EQ(second.layers, Numbers{0});
  EXPECT_EQ(second.heads, Numbers{1});
  EXPECT_EQ(second.weights[0].shape(), Shape({1, 4, 4}));
  EXPECT_EQ(second.weights[0].at({0, 2, 3}), all.weights[0].at({1, 2, 3}));
  const AttentionOfKind swapped = select(all, {0}, {1, 0});
  EXPECT_EQ(swapped.heads, (Numbers{1, 0}));
  EXPECT_EQ(swapped.weights[0].at({1, 2, 3}), all.weights[0].at({0, 2, 3}));
  EXPECT_THROW(select(all, {1}, {}), std::logic_error);
  EXPECT_THROW(select(second, {}, {0}), std::logic_error);
}

TEST_F(PairOfSmallModel, AnEmptySentenceIsItsSpecialSymbol) {
  const auto kinds = attention_of_pair(*model_.transformer, {}, {}, DecoderRows::kOutput);
  EXPECT_EQ(kinds[0].keys, Tokens{"</s>"});
  EXPECT_EQ(kinds[1].keys, Tokens{"<s>"});
  EXPECT_EQ(kinds[2].weights[0].at({1, 0, 0}), 1);
}

}  // namespace
}  // namespace plainformer
