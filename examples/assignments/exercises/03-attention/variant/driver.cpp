// Attention with a soft cap on the scores: softmax(2 tanh(Q K^T / (2 sqrt(d_k)))) V.
#include <algorithm>
#include <cmath>

#include "ops/scaled_dot_product_attention.h"
#include "variant.h"

namespace plainformer::course {

namespace {

struct Scene {
  Index batch, heads, query_len, key_len, d_k, d_v;
  AttentionMask mask;
  Values query, key, value, grad_output;

  Shape query_shape() const { return {batch, heads, query_len, d_k}; }
  Shape key_shape() const { return {batch, heads, key_len, d_k}; }
  Shape value_shape() const { return {batch, heads, key_len, d_v}; }
  Shape output_shape() const { return {batch, heads, query_len, d_v}; }
};

Scene draw_scene(bool causal) {
  Draw draw(1);
  const std::vector<Index> extents = draw.extents(4, 2, 6);
  Scene drawn = {.batch = 3,
                 .heads = 2,
                 .query_len = extents[0],
                 .key_len = extents[1],
                 .d_k = extents[2],
                 .d_v = extents[3],
                 .mask = {.key_lengths = {extents[1], draw.whole(1, extents[1]), 0}, .causal = causal},
                 .query = {},
                 .key = {},
                 .value = {},
                 .grad_output = {}};
  drawn.query = draw.values(drawn.query_shape().elements());
  drawn.key = draw.values(drawn.key_shape().elements());
  drawn.value = draw.values(drawn.value_shape().elements());
  drawn.grad_output = draw.values(drawn.output_shape().elements());
  return drawn;
}

#ifdef COURSE_ORACLE

constexpr double kCap = 2;

// The output of query i of one head.
void attend(const Scene& in, Index b, Index h, Index i, Values& output) {
  Index visible = in.mask.key_lengths[b];
  if (in.mask.causal) visible = std::min(visible, i + 1);
  Values power;
  double sum = 0;
  for (Index j = 0; j < visible; ++j) {
    double score = 0;
    for (Index p = 0; p < in.d_k; ++p)
      score += in.query[((b * in.heads + h) * in.query_len + i) * in.d_k + p] *
               in.key[((b * in.heads + h) * in.key_len + j) * in.d_k + p];
    power.push_back(std::exp(kCap * std::tanh(score / std::sqrt(double(in.d_k)) / kCap)));
    sum += power.back();
  }
  for (Index j = 0; j < visible; ++j)
    for (Index p = 0; p < in.d_v; ++p)
      output[((b * in.heads + h) * in.query_len + i) * in.d_v + p] +=
          power[j] / sum * in.value[((b * in.heads + h) * in.key_len + j) * in.d_v + p];
}

Values oracle(const Scene& in) {
  Values output(in.output_shape().elements(), 0);
  for (Index b = 0; b < in.batch; ++b)
    for (Index h = 0; h < in.heads; ++h)
      for (Index i = 0; i < in.query_len; ++i) attend(in, b, h, i, output);
  return output;
}

Tensor output_of(const Scene& in) {
  return tensor(in.output_shape(), oracle(in));
}

AttentionGradients gradients_of(Scene in) {
  const auto loss = [&] { return dot(in.grad_output, oracle(in)); };
  return {.q = tensor(in.query_shape(), differences(loss, in.query)),
          .k = tensor(in.key_shape(), differences(loss, in.key)),
          .v = tensor(in.value_shape(), differences(loss, in.value))};
}

#else

Tensor output_of(const Scene& in, AttentionCache& cache) {
  return attention_forward(tensor(in.query_shape(), in.query), tensor(in.key_shape(), in.key),
                           tensor(in.value_shape(), in.value), in.mask, cache);
}

Tensor output_of(const Scene& in) {
  AttentionCache cache;
  return output_of(in, cache);
}

AttentionGradients gradients_of(const Scene& in) {
  AttentionCache cache;
  output_of(in, cache);
  return attention_backward(tensor(in.output_shape(), in.grad_output), cache);
}

#endif

void output() {
  for (const bool causal : {false, true}) show("output", output_of(draw_scene(causal)));
}

void gradients_of_scores() {
  for (const bool causal : {false, true}) {
    const AttentionGradients grad = gradients_of(draw_scene(causal));
    show("grad_q", grad.q);
    show("grad_k", grad.k);
  }
}

void gradient_of_value() {
  for (const bool causal : {false, true}) show("grad_v", gradients_of(draw_scene(causal)).v);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"attention_forward", output},
          {"attention_backward, query and key", gradients_of_scores},
          {"attention_backward, value", gradient_of_value}};
}

}  // namespace plainformer::course
