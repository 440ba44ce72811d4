// The code of the chapters' solutions, as the pages print it: tests/CMakeLists.txt cuts it out of them.
#include <gtest/gtest.h>

#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "support/gradient_check.h"
#include "support/tensors.h"
#include "transformer/feed_forward.h"
#include "transformer/multi_head_attention.h"
#include "transformer/residual_layer_norm.h"

namespace plainformer {
namespace {

constexpr Index kExamples = 2, kLen = 3, kExampleWidth = 8, kHeads = 4;

AttentionMask padding_of_one_sentence() {
  return {.key_lengths = {kLen, kLen - 1}, .causal = false};
}

// Does `layer` return and add the gradients of x and all its parameters?
template <typename Layer>
testing::AssertionResult backward_is_right(Layer layer) {
  const ParameterList parameters = layer.parameters();
  std::uint64_t seed = 10;
  for (const NamedParameter& p : parameters)
    *p.parameter = random_parameter(p.parameter->value.shape(), seed++);
  Tensor x = random_tensor({kExamples, kLen, kExampleWidth}, 1);
  const Tensor grad_output = random_tensor({kExamples, kLen, kExampleWidth}, 2);
  layer.forward(x);
  const Tensor grad_x = layer.backward(grad_output);
  std::vector<CheckedTensor> inputs = checked_tensors(parameters);
  inputs.push_back({"x", &x, grad_x});
  return gradients_agree([&] { return dot(grad_output, layer.forward(x)); }, inputs);
}

// 3.1: an encoder layer whose norms stand before its sub-layers.
struct PreNormLayer {
  Tensor forward(const Tensor& x) {
    const auto dropped = [this](Tensor y, int at_site) {
      return dropout_forward(std::move(y), dropout.probability, dropout.stream(at_site));
    };
#include "solutions/3.1-1.inc"
  }

  Tensor backward(const Tensor& grad_output) {
    const auto dropped = [this](Tensor grad_y, int at_site) {
      return dropout_backward(std::move(grad_y), dropout.probability, dropout.stream(at_site));
    };
#include "solutions/3.1-2.inc"
  }

  ParameterList parameters() {
    ParameterList list = {{"gain_1", &gain_1}, {"bias_1", &bias_1}, {"gain_2", &gain_2}, {"bias_2", &bias_2}};
    attention.append_parameters("attention", list);
    feed_forward.append_parameters("feed_forward", list);
    return list;
  }

  const Real epsilon = Real(1e-6);
  const int site = 0;
  const AttentionMask mask = padding_of_one_sentence();
  const DropoutState dropout = {.probability = Real(0.3), .seed = 7};
  Parameter gain_1{Tensor({kExampleWidth})}, bias_1{Tensor({kExampleWidth})};
  Parameter gain_2{Tensor({kExampleWidth})}, bias_2{Tensor({kExampleWidth})};
  MultiHeadAttention attention{kExampleWidth, kHeads};
  FeedForward feed_forward{kExampleWidth, 2 * kExampleWidth};
  struct {
    LayerNormCache norm_1, norm_2;
    MultiHeadAttention::Cache attention;
    FeedForward::Cache feed_forward;
  } cache;
};

GRADIENT_TEST(PreNormSolution, Gradient) {
  EXPECT_TRUE(backward_is_right(PreNormLayer()));
}

// 3.2.2: self-attention in which `share` heads have one key and one value.
#include "solutions/3.2.2-1.inc"

Tensor repeat_groups_backward(const Tensor& grad_y, Index groups, Index share) {
  const Index batch = grad_y.dim(0), len = grad_y.dim(1), d_k = grad_y.dim(2) / (groups * share);
  Tensor grad = Tensor::zeros({batch, len, groups * d_k});
  TensorWriter grad_x(grad);
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index h = 0; h < groups * share; ++h) {
#include "solutions/3.2.2-2.inc"
      }
  return grad;
}

struct GroupedQueryAttention {
  explicit GroupedQueryAttention(Index groups_) : groups(groups_) {}

  Tensor forward(const Tensor& x) {
    cache.x = x;
    const Tensor k = repeat_groups(linear_forward(x, w_k), groups, kHeads / groups);
    const Tensor v = repeat_groups(linear_forward(x, w_v), groups, kHeads / groups);
    cache.concat = heads.attend(linear_forward(x, w_q), k, v, padding_of_one_sentence(), cache.attention);
    return linear_forward(cache.concat, w_o);
  }

  Tensor backward(const Tensor& grad_output) {
    const Tensor grad_concat = linear_backward(grad_output, cache.concat, w_o);
    const AttentionGradients grad = heads.attend_backward(grad_concat, cache.attention);
    const Tensor grad_k = repeat_groups_backward(grad.k, groups, kHeads / groups);
    const Tensor grad_v = repeat_groups_backward(grad.v, groups, kHeads / groups);
    return add(add(linear_backward(grad.q, cache.x, w_q), linear_backward(grad_k, cache.x, w_k)),
               linear_backward(grad_v, cache.x, w_v));
  }

  ParameterList parameters() { return {{"w_q", &w_q}, {"w_k", &w_k}, {"w_v", &w_v}, {"w_o", &w_o}}; }

  Index groups, width = groups * kExampleWidth / kHeads;
  MultiHeadAttention heads{kExampleWidth, kHeads};  // without its projections
  Parameter w_q{Tensor({kExampleWidth, kExampleWidth})}, w_k{Tensor({kExampleWidth, width})};
  Parameter w_v{Tensor({kExampleWidth, width})}, w_o{Tensor({kExampleWidth, kExampleWidth})};
  struct {
    Tensor x, concat;
    MultiHeadAttention::Cache attention;
  } cache;
};

GRADIENT_TEST(GroupedQuerySolution, Gradient) {
  EXPECT_TRUE(backward_is_right(GroupedQueryAttention(2)));
}

// A group of columns that is repeated by hand: heads 0 and 1 have the first, 2 and 3 the second.
TEST(GroupedQuerySolution, HeadsOfAGroupShareItsColumns) {
  const Tensor x = tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_TRUE(near(repeat_groups(x, 2, 2), {1, 2, 8}, {1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8, 7, 8},
                   /*tolerance=*/0));
}

// 3.3: a feed-forward network with a gate.
Tensor times(const Tensor& a, const Tensor& b) {
  Tensor product = a;
  for (Index i = 0; i < a.size(); ++i) product.mutable_data()[i] *= b.data()[i];
  return product;
}

struct GatedFeedForward {
  Tensor forward(const Tensor& x){
#include "solutions/3.3-1.inc"
  }

  Tensor backward(const Tensor& grad_output){
#include "solutions/3.3-2.inc"
  }

  ParameterList parameters() {
    return {{"w_1", &w_1}, {"w_2", &w_2}, {"w_3", &w_3}};
  }

  Parameter w_1{Tensor({kExampleWidth, 6})}, w_3{Tensor({kExampleWidth, 6})}, w_2{Tensor({6, kExampleWidth})};
  struct {
    Tensor x, gate, linear, hidden;
  } cache;
};

GRADIENT_TEST(GatedSolution, Gradient) {
  EXPECT_TRUE(backward_is_right(GatedFeedForward()));
}

}  // namespace
}  // namespace plainformer
