#include "beyond/token_input.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"
#include "transformer/embedding.h"

namespace plainformer {
namespace {

// Without dropout it is the embedding. With dropout each site draws a mask of its own.
TEST(TokenInput, IsTheEmbeddingWithTheDropoutOfItsSite) {
  const Parameter embedding = random_parameter({11, 5}, 1);
  const TokenBatch tokens = TokenBatch::from({{4, 5, 6}, {10}});
  EXPECT_TRUE(same_bits(token_input_forward(tokens, embedding, {}, 1), embedding_forward(tokens, embedding)));
  const DropoutState dropout = {.probability = Real(0.5), .seed = 3};
  const Tensor one = token_input_forward(tokens, embedding, dropout, 1);
  EXPECT_TRUE(same_bits(token_input_forward(tokens, embedding, dropout, 1), one));
  EXPECT_FALSE(same_bits(token_input_forward(tokens, embedding, dropout, 2), one));
}

GRADIENT_TEST(TokenInput, Gradient) {
  Parameter embedding = random_parameter({11, 5}, 1);
  const TokenBatch tokens = TokenBatch::from({{4, 5, 4}, {10}});
  const DropoutState dropout = {.probability = Real(0.25), .seed = 3};
  const Tensor grad_x = random_tensor({2, 3, 5}, 2);
  token_input_backward(grad_x, tokens, embedding, dropout, 1);
  ParameterList parameters = {{"embedding", &embedding}};
  const auto loss = [&] { return dot(grad_x, token_input_forward(tokens, embedding, dropout, 1)); };
  EXPECT_TRUE(gradients_agree(loss, differentiated(parameters)));
}

}  // namespace
}  // namespace plainformer
