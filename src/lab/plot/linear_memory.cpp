// Long sequences: the sum S of linear attention as a memory with d_k places, beside the softmax.
#include <cmath>
#include <string>
#include <vector>

#include "beyond/linear_attention.h"
#include "core/random.h"
#include "lab/pictures/heat_map.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

namespace linear_memory_picture {

constexpr Index kPlaces = 8, kFew = 8, kMany = 12;  // d_k, and numbers of pairs
constexpr double kWidth = 480, kLeft = 36, kStage = 232, kTop = 98, kCell = 14;
constexpr double kBelow = kCell * kFew + 76;  // from the upper stages to the lower ones

// Key j is far above 0 at one of the d_k places, and far below elsewhere, where phi is nearly 0.
Tensor keys_at_places(Index pairs) {
  Tensor keys = Tensor::filled({1, pairs, kPlaces}, Real{-9});
  for (Index j = 0; j < pairs; ++j) keys.mutable_data()[j * kPlaces + j % kPlaces] = 9;
  return keys;
}

// For the softmax any directions do. The keys are long, so that it decides.
Tensor keys_in_directions(Index pairs) {
  Random random(random_stream(/*seed=*/1, 0, 0));
  Tensor keys({1, pairs, kPlaces});
  for (Index i = 0; i < keys.size(); ++i) keys.mutable_data()[i] = static_cast<Real>(7 * random.normal());
  return keys;
}

// Value j is 1 at place j, so that an output shows which values it is made of.    [1, pairs, pairs]
Tensor one_hot_values(Index pairs) {
  Tensor values = Tensor::zeros({1, pairs, pairs});
  for (Index j = 0; j < pairs; ++j) values.mutable_data()[j * pairs + j] = 1;
  return values;
}

// Each key asks for its own value.    -> [pairs, pairs]
Tensor asked_by_linear_attention(const Tensor& keys) {
  const Index pairs = keys.dim(1);
  LinearAttentionCache cache;
  return linear_attention_forward(keys, keys, one_hot_values(pairs), {.key_lengths = {pairs}}, 1, cache)
      .reshaped({pairs, pairs});
}

Tensor asked_by_softmax(const Tensor& keys) {
  const Index pairs = keys.dim(1);
  AttentionCache cache;
  return attention_forward(keys, keys, one_hot_values(pairs), {.key_lengths = {pairs}}, 1, cache)
      .reshaped({pairs, pairs});
}

// S = sum of phi(k_j) v_j^T. With these values its column j is phi(k_j), here over the largest.    [d_k, pairs]
Tensor sum_of(const Tensor& keys) {
  const Index pairs = keys.dim(1);
  Tensor sum({kPlaces, pairs});
  for (Index j = 0; j < pairs; ++j)
    for (Index place = 0; place < kPlaces; ++place) {
      const Real k = keys.data()[j * kPlaces + place];
      sum.mutable_data()[place * pairs + j] = (k > 0 ? k + 1 : std::exp(k)) / 10;
    }
  return sum;
}

std::string draw_stage(int stage, const std::string& heading, const std::string& remark, const Tensor& values,
                       const std::string& rows) {
  const ChartPoint corner = {kLeft + kStage * (stage % 2), kTop + kBelow * (stage / 2)};
  const ChartPoint size = {kCell * static_cast<double>(values.dim(1)),
                           kCell * static_cast<double>(values.dim(0))};
  return svg::text("ink heading", {corner.x - 20, corner.y - 26}, "start", heading) +
         svg::text("soft small", {corner.x - 20, corner.y - 10}, "start", remark) +
         draw_heat_map({.top_left = corner, .cell = {kCell, kCell}}, values) +
         svg::rectangle("arrow c6", corner, size) +
         svg::text("soft small", {corner.x + size.x / 2, corner.y + size.y + 16}, "middle", rows);
}

}  // namespace linear_memory_picture

std::string draw_linear_memory() {
  using namespace linear_memory_picture;
  const Tensor few = keys_at_places(kFew), many = keys_at_places(kMany);
  return framed(
      {.title = "S is a memory with d_k places",
       .description =
           "Four heat maps, with d_k 8. Eight keys have a row of S each, and each key reads its own value "
           "back. Twelve keys share eight rows, so four rows hold two values. A key with a row of its own "
           "reads its value; the others read a mixture of two. The softmax of twelve keys in as many "
           "directions reads each value back.",
       .width = kWidth,
       .height = kTop + kBelow + kCell * kMany + 30},
      svg::text("soft", {16, 50}, "start", "d_k = 8. Each key asks for its own value, one of the columns.") +
          draw_stage(0, "S, 8 pairs", "a row for each place", sum_of(few), "values") +
          draw_stage(1, "S, 12 pairs", "four places hold two values", sum_of(many), "values") +
          draw_stage(2, "Read from it, 12 pairs", "a row for each key", asked_by_linear_attention(many),
                     "values") +
          draw_stage(3, "Softmax, 12 pairs", "keeps all keys; a row for each",
                     asked_by_softmax(keys_in_directions(kMany)), "values"));
}

}  // namespace plainformer
