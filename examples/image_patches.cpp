// Section 3.5, Positional Encoding (docs/3.5-positional-encoding.md)
//
// A small vision transformer: an image's patches are its words (Dosovitskiy et al. 2021). Each patch votes
// for a shape, and the votes are added up. Diamond and X have the same four patches, arranged differently,
// and so have square and plus. Without positions, or with shuffled patches, at most half the images can be
// right.
//
//   cmake --preset toy && cmake --build build/toy --target image_patches && build/toy/examples/image_patches
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/ways.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cstdio>

using namespace plainformer;
constexpr Index kSide = 4, kPixels = kSide * kSide;   // a patch is a square of pixels,
constexpr Index kGrid = 4, kPatches = kGrid * kGrid;  // and an image is a square of patches
constexpr Index kShapes = 4;                          // diamond, X, square, plus
constexpr Index kModel = 32, kHeads = 4;
constexpr Index kBatch = 64, kSteps = 1000, kTest = 1000;

// The ink of a shape at this distance from its middle, in half pixels.
bool has_ink(Index shape, Index y, Index x) {
  const bool shapes[kShapes] = {x + y == 8, x == y, std::max(x, y) == 5, std::min(x, y) == 3};
  return shapes[shape] && x <= 7 && y <= 7;
}

// Image i shows shape i % kShapes somewhere on 2 x 2 patches, under noise.
Tensor random_images(Index batch, RandomStream stream, bool shuffled) {  // [batch, kPatches, kPixels]
  Random random(stream);
  Random random_order({stream.second, stream.first});
  Tensor images({batch, kPatches, kPixels});
  TensorWriter pixels(images);
  std::vector<Index> order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (Index i = 0; i < batch; ++i) {
    const Index middle_y = 7 + 8 * random.below(3);  // in half pixels
    const Index middle_x = 7 + 8 * random.below(3);
    if (shuffled) shuffle(order, random_order);
    for (Index p = 0; p < kPatches; ++p)
      for (Index j = 0; j < kPixels; ++j) {
        const Index y = std::abs(2 * (p / kGrid * kSide + j / kSide) - middle_y);
        const Index x = std::abs(2 * (p % kGrid * kSide + j % kSide) - middle_x);
        pixels(i, order[p], j) = Real(has_ink(i % kShapes, y, x) + 0.3 * random.normal());
      }
  }
  return images;
}

struct VisionTransformer {
  Parameter w_patch{Tensor::zeros({kPixels, kModel})};
  PositionalEncoding positions{kPatches, kModel, Positions::kLearned};
  Encoder encoder{{.d_model = kModel, .d_ff = 64, .heads = kHeads, .encoder_layers = 2}, 0};
  Parameter w_vote{Tensor::zeros({kModel, kShapes})};
  Encoder::Cache cache;
  Tensor encoded;  // [batch, kPatches, kModel]

  Tensor forward(const Tensor& images) {  // -> votes [batch, kPatches, kShapes]
    const Tensor x = positions.forward(linear_forward(images, w_patch));
    encoded = encoder.forward(x, {std::vector<Index>(images.dim(0), kPatches)}, DropoutState{}, cache);
    return linear_forward(encoded, w_vote);
  }
};

void train(VisionTransformer& model, bool with_positions, std::uint64_t seed) {
  ParameterList parameters = {{"w_patch", &model.w_patch}, {"w_vote", &model.w_vote}};
  if (with_positions)
    parameters.push_back({"position_embedding", &model.positions.table});  // else they stay 0
  model.encoder.append_parameters("encoder", parameters);
  initialize(parameters, seed, {position_table(model.positions.table)});
  Adam adam(parameters, {});

  std::vector<int> targets;  // of each patch: its image's shape
  for (Index row = 0; row < kBatch * kPatches; ++row) targets.push_back(row / kPatches % kShapes);
  for (Index step = 1; step <= kSteps; ++step) {
    const Tensor images = random_images(kBatch, random_stream(seed, step, 0), false);
    zero_gradients(parameters);
    const Tensor votes = model.forward(images);
    const Tensor grad_votes = cross_entropy_backward(Real(1) / targets.size(), votes, targets, 0);
    const Tensor grad_encoded = linear_backward(grad_votes, model.encoded, model.w_vote);
    const Tensor grad_x = model.encoder.backward(grad_encoded, model.cache);
    model.positions.backward(grad_x);
    linear_backward(grad_x, images, model.w_patch);
    adam.step(parameters, 0.003 * (1 - 1.0 * step / kSteps), 1);
    if (step % 100 == 0) std::fprintf(stderr, "trained %td steps of %td\n", step, kSteps);
  }
}

double percent_right(VisionTransformer& model, const Tensor& images) {
  const Tensor votes = model.forward(images);
  int right = 0;
  for (Index i = 0; i < kTest; ++i) {
    double sum[kShapes] = {};
    for (Index p = 0; p < kPatches; ++p)
      for (Index k = 0; k < kShapes; ++k) sum[k] += votes(i, p, k);
    right += std::max_element(sum, sum + kShapes) == sum + i % kShapes;
  }
  return 100.0 * right / kTest;
}

// Draws an image, and beside it each patch's share of the attention of all its patches, in percent.
void print_attention(const Tensor& images, const Tensor& weights, Index i) {
  double attention[kPatches] = {};
  for (Index query = i * kHeads * kPatches; query < (i + 1) * kHeads * kPatches; ++query)
    for (Index p = 0; p < kPatches; ++p) attention[p] += 100 * weights(query, p) / (kHeads * kPatches);
  for (Index row = 0; row < kGrid * kSide; ++row) {
    const Index left = row / kSide * kGrid;   // the leftmost patch of this row,
    const Index first = row % kSide * kSide;  // and that patch's first pixel in it
    for (Index x = 0; x < kGrid * kSide; ++x)
      std::putchar(images(i, left + x / kSide, first + x % kSide) > 0.5 ? '#' : '.');
    if (row % kSide == 1)
      for (Index p = left; p < left + kGrid; ++p) std::printf("%5.0f", attention[p]);
    std::putchar('\n');
  }
}

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::stoull(argv[1]) : 1;
  const Tensor images = random_images(kTest, random_stream(seed, 0, 0), false);
  const Tensor shuffled = random_images(kTest, random_stream(seed, 0, 0), true);
  std::printf("held-out images named rightly       intact   shuffled\n");
  VisionTransformer models[2];
  for (const bool with : {false, true}) {
    train(models[with], with, seed);
    std::printf("trained %-7s positions          %5.1f %%    %5.1f %%\n", with ? "with" : "without",
                percent_right(models[with], images), percent_right(models[with], shuffled));
  }

  ways.attention = Way::kPlain;  // the way that keeps the weights
  models[1].forward(images);
  const auto& attention = models[1].cache.layers.back().self_attention.attention;
  for (const Index i : {0, 1}) {
    std::printf("\n%-16s   attention in %%\n", i == 0 ? "a diamond" : "an X");
    print_attention(images, std::get<AttentionCache>(attention).weights, i);
  }
}
