#include "transformer/embedding.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(Embedding, IsTheTokensRowTimesTheRootOfDModel) {
  const Parameter table(tensor({3, 4}, {0, 0, 0, 0, 1, 2, 3, 4, 10, 20, 30, 40}));
  const TokenBatch tokens = TokenBatch::from({{2, 1}, {1}});  // and one <pad>, id 0
  EXPECT_TRUE(near(embedding_forward(tokens, table), {2, 2, 4},
                   {20, 40, 60, 80, 2, 4, 6, 8, 2, 4, 6, 8, 0, 0, 0, 0}, 0));
}

TEST(Embedding, RefusesAGradientOfAnotherShape) {
  Parameter table(Tensor::zeros({3, 4}));
  const TokenBatch tokens = TokenBatch::from({{2, 1}});
  EXPECT_THROW(embedding_backward(Tensor({2, 1, 4}), tokens, table), std::logic_error);
}

GRADIENT_TEST(Embedding, Gradient) {
  Parameter table = random_parameter({7, 5}, 1);
  const TokenBatch tokens = TokenBatch::from({{4, 1, 4}, {6, 4}});
  const Tensor grad_output = random_tensor({2, 3, 5}, 2);
  embedding_backward(grad_output, tokens, table);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_output, embedding_forward(tokens, table)); },
                              {{"table", &table.value, table.grad}}));
}

TEST(OutputProjection, ALogitIsTheDotProductWithTheTokensEmbedding) {
  const Parameter table(tensor({3, 2}, {1, 0, 0, 1, 2, 3}));
  EXPECT_TRUE(near(output_projection_forward(tensor({1, 2, 2}, {5, 7, 10, 100}), table), {1, 2, 3},
                   {5, 7, 31, 10, 100, 320}, 0));
}

}  // namespace
}  // namespace plainformer
