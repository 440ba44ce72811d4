// 3.2.2 Multi-Head Attention, against PyTorch's nn.MultiheadAttention.
#include "golden/golden.h"
#include "ops/elementwise.h"
#include "transformer/multi_head_attention.h"

namespace plainformer::golden {
namespace {

// tests/golden/multi_head_attention.safetensors: d_model 12 in 3 heads.
constexpr Index kDModel = 12, kMultiHeads = 3;

// 5 queries look at 4 keys, of which sentence 1 has only 2.
TEST(MultiHeadAttentionGolden, QueryKeyAndValueDifferUnderPadding) {
  const GoldenCase golden("multi_head_attention", "padding.");
  MultiHeadAttention attention(kDModel, kMultiHeads);
  const ParameterList parameters = parameters_of(attention);
  golden.load(parameters);
  MultiHeadAttention::Cache cache;
  const Tensor output = attention.forward(golden.at("query"), golden.at("key"), golden.at("value"),
                                          {golden.lengths("key_lengths"), false}, cache);
  expect_near("output", golden.at("output"), output, kForOnePart);

  const MultiHeadAttention::InputGradients grads = attention.backward(golden.at("grad_output"), cache);
  expect_near("grad.query", golden.at("grad.query"), grads.query, kForOnePart);
  expect_near("grad.key", golden.at("grad.key"), grads.key, kForOnePart);
  expect_near("grad.value", golden.at("grad.value"), grads.value, kForOnePart);
  expect_gradients_near(golden, parameters, kForOnePart);
  golden.expect_all_read();
}

// One tensor in three roles: its gradient is the sum of three.
TEST(MultiHeadAttentionGolden, CausalSelfAttention) {
  const GoldenCase golden("multi_head_attention", "causal.");
  MultiHeadAttention attention(kDModel, kMultiHeads);
  const ParameterList parameters = parameters_of(attention);
  golden.load(parameters);
  const Tensor& x = golden.at("query");
  MultiHeadAttention::Cache cache;
  const Tensor output = attention.forward(x, x, x, {golden.lengths("key_lengths"), true}, cache);
  expect_near("output", golden.at("output"), output, kForOnePart);

  const MultiHeadAttention::InputGradients grads = attention.backward(golden.at("grad_output"), cache);
  const Tensor grad_x = add(add(grads.query, grads.key), grads.value);
  expect_near("grad.query", golden.at("grad.query"), grad_x, kForOnePart);
  expect_gradients_near(golden, parameters, kForOnePart);
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
