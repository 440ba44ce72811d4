// Section 3.2.1, Scaled Dot-Product Attention (docs/3.2.1-scaled-dot-product-attention.md)
//
// Why does equation (1) divide by sqrt(d_k)? A layer of attention learns to find one of 16 pairs of a key and a
// value, with four scores: q k, q k / sqrt(d_k), q k / d_k, and additive attention, u tanh(q + k).
//
//   cmake --preset toy && cmake --build build/toy --target scores && build/toy/examples/experiments/scores
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/embedding_lookup.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/ops/softmax.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

using namespace plainformer;

constexpr int kPairs = 16, kKeys = 64, kValues = 16;

// Each example has 16 pairs, and a question that names one of the keys. The answer is its value. Keys, values and
// questions are symbols: numbers from 0, from kKeys and from kKeys + kValues on.
struct Batch {
  Index size;
  std::vector<int> keys = {}, values = {}, questions = {}, answers = {};  // the first two [size, pairs]
};

Batch draw(Index size, Random& random) {
  Batch batch = {.size = size};
  std::vector<int> key(kKeys);
  std::iota(key.begin(), key.end(), 0);
  for (Index b = 0; b < size; ++b) {
    shuffle(key, random);
    batch.keys.insert(batch.keys.end(), key.begin(), key.begin() + kPairs);
    for (int j = 0; j < kPairs; ++j) batch.values.push_back(kKeys + int(random.below(kValues)));
    const Index asked = random.below(kPairs);
    batch.questions.push_back(kKeys + kValues + key[asked]);
    batch.answers.push_back(batch.values[b * kPairs + asked] - kKeys);
  }
  return batch;
}

// Embeddings, attention, and the logits of the values. The answer can only come through the attention.
struct Model {
  struct Cache {
    Tensor query, q, weights, attended;  // [batch, d_model], [batch, d_k], [batch, pairs], [batch, d_model]
    Tensor key, k;                       // [batch, pairs, d_model], [batch, pairs, d_k]
  };

  bool additive;
  Real factor;  // of q k, where the score is not additive
  Index d_model, d_k;
  Parameter embedding{Tensor::zeros({kKeys + kValues + kKeys, d_model})};
  Parameter w_q{Tensor::zeros({d_model, d_k})}, w_k{Tensor::zeros({d_model, d_k})};
  Parameter u{Tensor::zeros({d_k, 1})}, w_o{Tensor::zeros({d_model, kValues})};

  Tensor forward(const Batch& batch, Cache& cache) const {
    // Step 1. Embed: query = E[question], key = E[key] + E[value].
    cache.query = embedding_lookup_forward(batch.questions, embedding);
    const Tensor pairs = add(embedding_lookup_forward(batch.keys, embedding),
                             embedding_lookup_forward(batch.values, embedding));
    cache.key = pairs.reshaped({batch.size, kPairs, d_model});

    // Step 2. Project and score each pair: q = query W^Q, k = key W^K.
    cache.q = linear_forward(cache.query, w_q);
    cache.k = linear_forward(cache.key, w_k);
    WritableTensor scores = Tensor::zeros({batch.size, kPairs});
    for (Index b = 0; b < batch.size; ++b)
      for (Index j = 0; j < kPairs; ++j)
        for (Index p = 0; p < d_k; ++p)
          scores(b, j) += additive ? u.value(p) * std::tanh(cache.q(b, p) + cache.k(b, j, p))
                                   : cache.q(b, p) * cache.k(b, j, p) * factor;

    // Step 3. Attend: weights = softmax(scores), attended = the weighted sum of the keys' embeddings.
    cache.weights = softmax_forward(scores, std::vector<Index>(batch.size, kPairs));
    WritableTensor attended = Tensor::zeros({batch.size, d_model});
    for (Index b = 0; b < batch.size; ++b)
      for (Index j = 0; j < kPairs; ++j)
        for (Index p = 0; p < d_model; ++p) attended(b, p) += cache.weights(b, j) * cache.key(b, j, p);
    cache.attended = attended;

    // Step 4. logits = attended W^O.
    return linear_forward(cache.attended, w_o);
  }

  void backward(const Tensor& grad_logits, const Batch& batch, const Cache& cache) {
    // Step 4 was: logits = attended W^O.
    const Tensor grad_attended = linear_backward(grad_logits, cache.attended, w_o);

    // Step 3 was: weights = softmax(scores), attended = the weighted sum of the keys' embeddings.
    WritableTensor grad_weights = Tensor::zeros(cache.weights.shape()), grad_key(cache.key.shape());
    for (Index b = 0; b < batch.size; ++b)
      for (Index j = 0; j < kPairs; ++j)
        for (Index p = 0; p < d_model; ++p) {
          grad_weights(b, j) += grad_attended(b, p) * cache.key(b, j, p);
          grad_key(b, j, p) = grad_attended(b, p) * cache.weights(b, j);
        }
    const Tensor grad_scores =
        softmax_backward(grad_weights, cache.weights, std::vector<Index>(batch.size, kPairs));

    // Step 2 was: score each pair, q = query W^Q, k = key W^K. The derivative of tanh is 1 - tanh^2.
    WritableTensor grad_q = Tensor::zeros(cache.q.shape()), grad_k(cache.k.shape());
    const TensorWriter grad_u(u.mutable_grad());
    for (Index b = 0; b < batch.size; ++b)
      for (Index j = 0; j < kPairs; ++j)
        for (Index p = 0; p < d_k; ++p) {
          const Real q = cache.q(b, p), k = cache.k(b, j, p), hidden = additive ? std::tanh(q + k) : 0;
          const Real slope = u.value(p) * (1 - hidden * hidden);
          grad_q(b, p) += grad_scores(b, j) * (additive ? slope : k * factor);
          grad_k(b, j, p) = grad_scores(b, j) * (additive ? slope : q * factor);
          grad_u(p) += grad_scores(b, j) * hidden;
        }

    // Step 1 was: query = E[question], key = E[key] + E[value]. The key was used twice.
    const Tensor grad_pairs = add(grad_key, linear_backward(grad_k, cache.key, w_k));
    embedding_lookup_backward(linear_backward(grad_q, cache.query, w_q), batch.questions, embedding);
    embedding_lookup_backward(grad_pairs, batch.keys, embedding);
    embedding_lookup_backward(grad_pairs, batch.values, embedding);
  }

  // Draws the weights so that q k has mean 0 and variance d_k, as in footnote 4. (A key is a sum of two embeddings.)
  ParameterList initialized_parameters(std::uint64_t seed) {
    ParameterList list = {{"embedding", &embedding}, {"w_q", &w_q}, {"w_k", &w_k}, {"w_o", &w_o}};
    if (additive) list.push_back({"u", &u});
    const double deviation = 1 / std::sqrt(double(d_model));
    initialize(list, seed, {{&embedding, std::pow(0.5, 0.25)}, {&w_q, deviation}, {&w_k, deviation}});
    return list;
  }
};

void check_gradients(bool additive) {
  Model model = {.additive = additive, .factor = 0.5, .d_model = 4, .d_k = 3};
  const ParameterList parameters = model.initialized_parameters(/*seed=*/1);
  Random random(random_stream(/*seed=*/1, 0, 0));
  const Batch batch = draw(5, random);
  Model::Cache cache;
  const auto loss = [&] { return cross_entropy_forward(model.forward(batch, cache), batch.answers, 0).loss; };
  model.backward(cross_entropy_backward(1, model.forward(batch, cache), batch.answers, 0), batch, cache);
  if (auto errors = gradient_errors(loss, checked_tensors(parameters)); !errors.empty())
    throw std::logic_error(errors);
}

double right_after_training(Model model, Index steps, std::uint64_t seed) {
  const ParameterList parameters = model.initialized_parameters(seed);
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  Model::Cache cache;
  for (Index step = 0; step < steps; ++step) {
    const Batch batch = draw(32, random);
    const Tensor logits = model.forward(batch, cache);
    zero_gradients(parameters);
    model.backward(cross_entropy_backward(Real(1) / 32, logits, batch.answers, 0), batch, cache);
    adam.step(parameters, 0.003 * std::min(1.0, 2 - 2.0 * step / steps), /*grad_scale=*/1);
  }
  const Batch test = draw(1024, random);
  const TopK likeliest = top_k(model.forward(test, cache), 0, 1);
  double right = 0;
  for (Index b = 0; b < test.size; ++b) right += likeliest.columns[b] == test.answers[b];
  return right / test.size;
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 5};
  if (const auto exit_code = options.read("scores", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  for (const bool additive : {false, true}) check_gradients(additive);
  std::puts(csv ? "d_k,unscaled,root,over_d_k,additive" : " d_k    q k  q k / sqrt(d_k)  q k / d_k  additive");
  for (const Index d_k : quick ? std::vector<Index>{64} : std::vector<Index>{4, 8, 16, 32, 64, 128, 256}) {
    const Index steps = quick ? 300 : 500;
    const Real width = d_k, factors[] = {1, 1 / std::sqrt(width), 1 / width, 0};
    double right[4] = {};  // for each score, the mean of the seeds
    for (int score = 0; score < 4; ++score)
      for (Index seed = 1; seed <= seeds; ++seed)
        right[score] += right_after_training({score == 3, factors[score], 64, d_k}, steps, seed) / seeds;
    const char* line = csv ? "%td,%.4f,%.4f,%.4f,%.4f\n" : "%4td%7.3f%17.3f%11.3f%10.3f\n";
    std::printf(line, d_k, right[0], right[1], right[2], right[3]);
    std::fprintf(stderr, "d_k = %td: done\n", d_k);
  }
}
