// Appendix: long sequences (docs/appendix-long-sequences.md)
//
// Linear attention (Katharopoulos et al. 2020) needs no matrix of scores: it sums phi(k_j) v_j^T in a matrix S of d_k
// rows. What does it forget? A model reads pairs of a key and a value, then a key, and must name its value.
//
//   cmake --preset toy && cmake --build build/toy --target linear_attention
//   build/toy/examples/experiments/linear_attention
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/embedding_lookup.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/ops/scaled_dot_product_attention.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

using namespace plainformer;

// phi(x) = elu(x) + 1, which is positive. Its derivative is 1 for x > 0, and else e^x: the smaller of phi(x) and 1.
Real phi(Real x) {
  return x > 0 ? x + 1 : std::exp(x);
}

struct LinearCache {
  Tensor q, k, v, s, z, output, denominator;  // s [batch, d_k, d_v], z [batch, d_k], denominator [batch]
};

// One query for each example.    q [batch, d_k], k [batch, key_len, d_k], v [batch, key_len, d_v]
Tensor linear_attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, LinearCache& cache) {
  const Index batch = q.dim(0), d_k = q.dim(1), d_v = v.dim(2);
  WritableTensor s = Tensor::zeros({batch, d_k, d_v}), z = Tensor::zeros({batch, d_k});
  WritableTensor output = Tensor::zeros({batch, d_v}), denominator = Tensor::zeros({batch});
  for (Index b = 0; b < batch; ++b) {
    // Step 1. Sum up the keys: S = sum of phi(k_j) v_j^T, z = sum of phi(k_j).
    for (Index j = 0; j < k.dim(1); ++j)
      for (Index p = 0; p < d_k; ++p) {
        const Real phi_k = phi(k(b, j, p));
        z(b, p) += phi_k;
        for (Index c = 0; c < d_v; ++c) s(b, p, c) += phi_k * v(b, j, c);
      }

    // Step 2. Read, and divide: output = S^T phi(q) / (z . phi(q)).
    for (Index p = 0; p < d_k; ++p) {
      denominator(b) += phi(q(b, p)) * z(b, p);
      for (Index c = 0; c < d_v; ++c) output(b, c) += phi(q(b, p)) * s(b, p, c);
    }
    for (Index c = 0; c < d_v; ++c) output(b, c) /= denominator(b);
  }
  cache = {q, k, v, s, z, output, denominator};
  return output;
}

AttentionGradients linear_attention_backward(const Tensor& grad_output, const LinearCache& cache) {
  const auto& [q, k, v, s, z, output, denominator] = cache;
  const Index batch = q.dim(0), d_k = q.dim(1), d_v = v.dim(2);
  WritableTensor grad_q(q.shape()), grad_k(k.shape()), grad_v = Tensor::zeros(v.shape());
  WritableTensor grad_s(s.shape()), grad_z(z.shape());
  for (Index b = 0; b < batch; ++b) {
    // Step 2 was: output = a / d with a = S^T phi(q), d = z . phi(q). So grad_a = grad_output / d.
    Real grad_d = 0;
    for (Index c = 0; c < d_v; ++c) grad_d -= grad_output(b, c) * output(b, c) / denominator(b);
    for (Index p = 0; p < d_k; ++p) {
      const Real phi_q = phi(q(b, p));
      Real grad_phi = z(b, p) * grad_d;
      grad_z(b, p) = phi_q * grad_d;
      for (Index c = 0; c < d_v; ++c) {
        const Real grad_a = grad_output(b, c) / denominator(b);
        grad_phi += s(b, p, c) * grad_a;
        grad_s(b, p, c) = phi_q * grad_a;
      }
      grad_q(b, p) = grad_phi * std::min(phi_q, Real(1));
    }

    // Step 1 was: S = sum of phi(k_j) v_j^T, z = sum of phi(k_j).
    for (Index j = 0; j < k.dim(1); ++j)
      for (Index p = 0; p < d_k; ++p) {
        Real grad_phi = grad_z(b, p), phi_k = phi(k(b, j, p));
        for (Index c = 0; c < d_v; ++c) {
          grad_phi += grad_s(b, p, c) * v(b, j, c);
          grad_v(b, j, c) += grad_s(b, p, c) * phi_k;
        }
        grad_k(b, j, p) = grad_phi * std::min(phi_k, Real(1));
      }
  }
  return {grad_q, grad_k, grad_v};
}

constexpr int kKeys = 64, kValues = 16;

struct Batch {
  Index size, pairs;
  std::vector<int> keys = {}, values = {}, questions = {}, answers = {};  // the first two [size, pairs]
};

Batch draw(Index size, Index pairs, Random& random) {
  Batch batch = {.size = size, .pairs = pairs};
  std::vector<int> key(kKeys);
  std::iota(key.begin(), key.end(), 0);
  for (Index b = 0; b < size; ++b) {
    shuffle(key, random);
    batch.keys.insert(batch.keys.end(), key.begin(), key.begin() + pairs);
    for (Index j = 0; j < pairs; ++j) batch.values.push_back(2 * kKeys + int(random.below(kValues)));
    const Index asked = random.below(pairs);
    batch.questions.push_back(kKeys + key[asked]);
    batch.answers.push_back(batch.values[b * pairs + asked] - 2 * kKeys);
  }
  return batch;
}

struct Model {
  Index d_model, d_k;
  Parameter table{Tensor::zeros({2 * kKeys + kValues, d_model})};  // of keys, questions and values
  Parameter w_q{Tensor::zeros({d_model, d_k})}, w_k{w_q.value}, w_v{Tensor::zeros({d_model, kValues})};

  // Returns the logits [batch, values], and adds the gradients of the loss to the parameters.
  Tensor run(const Batch& batch) {
    const Tensor query = embedding_lookup_forward(batch.questions, table);
    const Tensor values = embedding_lookup_forward(batch.values, table);
    const Tensor pairs = add(embedding_lookup_forward(batch.keys, table), values);
    const Tensor key = pairs.reshaped({batch.size, batch.pairs, d_model});
    const Tensor q = linear_forward(query, w_q), k = linear_forward(key, w_k), v = linear_forward(key, w_v);
    LinearCache cache;
    const Tensor logits = linear_attention_forward(q, k, v, cache);
    const auto grad = linear_attention_backward(cross_entropy_backward(1, logits, batch.answers, 0), cache);
    const Tensor grad_key = add(linear_backward(grad.k, key, w_k), linear_backward(grad.v, key, w_v));
    embedding_lookup_backward(linear_backward(grad.q, query, w_q), batch.questions, table);
    embedding_lookup_backward(grad_key, batch.keys, table);
    embedding_lookup_backward(grad_key, batch.values, table);
    return logits;
  }

  ParameterList initialized_parameters(std::uint64_t seed) {
    const ParameterList list = {{"table", &table}, {"w_q", &w_q}, {"w_k", &w_k}, {"w_v", &w_v}};
    initialize(list, seed, {{&table, 1}});
    return list;
  }
};

void check_gradients() {
  Model model = {.d_model = 4, .d_k = 3};
  const ParameterList parameters = model.initialized_parameters(/*seed=*/1);
  Random random({});
  const Batch batch = draw(5, /*pairs=*/7, random);
  model.run(batch);
  const auto loss = [&] { return cross_entropy_forward(model.run(batch), batch.answers, 0).loss; };
  const std::string errors = gradient_errors(loss, checked_tensors(parameters));
  if (!errors.empty()) throw std::logic_error(errors);
}

double right_after_training(Model model, Index pairs, Index steps, std::uint64_t seed) {
  const ParameterList parameters = model.initialized_parameters(seed);
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  for (Index step = 0; step < steps; ++step) {
    zero_gradients(parameters);
    model.run(draw(32, pairs, random));
    adam.step(parameters, 0.003 * std::min(1.0, 2 - 2.0 * step / steps), 1.0 / 32);
  }
  const Batch test = draw(1024, pairs, random);
  const TopK likeliest = top_k(model.run(test), 0, 1);
  double right = 0;
  for (Index b = 0; b < test.size; ++b) right += likeliest.columns[b] == test.answers[b];
  return right / test.size;
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 3};
  if (const auto exit_code = options.read("linear_attention", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  check_gradients();
  std::puts(csv ? "pairs,d_k_8,d_k_16,d_k_64" : "pairs  d_k = 8     16     64");
  for (const Index pairs : quick ? std::vector<Index>{16} : std::vector<Index>{4, 8, 16, 32, 64}) {
    double right[3] = {};  // the means of the seeds
    for (Index i = 0; i < 3; ++i)
      for (Index seed = 1; seed <= seeds; ++seed)
        right[i] += right_after_training({64, 8 << (3 * i / 2)}, pairs, quick ? 400 : 3000, seed) / seeds;
    std::printf(csv ? "%td,%.4f,%.4f,%.4f\n" : "%5td%9.3f%7.3f%7.3f\n", pairs, right[0], right[1], right[2]);
    std::fprintf(stderr, "%td pairs: done\n", pairs);
  }
}
