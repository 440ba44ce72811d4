// Section 3.2.2, Multi-Head Attention (docs/3.2.2-multi-head-attention.md)
//
// "With a single attention head, averaging inhibits this": attending to several places at once. A layer reads 16 pairs
// of a key and a value and then two keys in one vector, and must give both values in their order. The columns of one
// d_model are divided among more and more heads, at the same cost.
//
//   cmake --preset toy && cmake --build build/toy --target heads && build/toy/examples/experiments/heads
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/random.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/embedding_lookup.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/reductions.h>
#include <plainformer/report/command_line.h>
#include <plainformer/transformer/transformer.h>
#include <plainformer/transformer/multi_head_attention.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>

using namespace plainformer;

constexpr int kPairs = 16, kKeys = 64, kValues = 16;

// Each example has 16 pairs and two questions, which name different keys. Keys, values, first questions and second
// questions are symbols: the numbers from 0, kValue, kFirst and kSecond on.
constexpr int kValue = kKeys, kFirst = kValue + kValues, kSecond = kFirst + kKeys, kSymbols = kSecond + kKeys;
struct Batch {
  Index size;
  std::vector<int> keys = {}, values = {};                 // [size, pairs]
  std::vector<int> first = {}, second = {}, answers = {};  // [size], [size], [size, 2]
};

Batch draw(Index size, Random& random) {
  Batch batch = {.size = size};
  std::vector<int> key(kKeys), place(kPairs);
  std::iota(key.begin(), key.end(), 0);
  std::iota(place.begin(), place.end(), 0);
  for (Index b = 0; b < size; ++b) {
    shuffle(key, random);
    shuffle(place, random);
    batch.keys.insert(batch.keys.end(), key.begin(), key.begin() + kPairs);
    for (int j = 0; j < kPairs; ++j) batch.values.push_back(kValue + int(random.below(kValues)));
    batch.first.push_back(kFirst + key[place[0]]);
    batch.second.push_back(kSecond + key[place[1]]);
    for (int j = 0; j < 2; ++j) batch.answers.push_back(batch.values[b * kPairs + place[j]] - kValue);
  }
  return batch;
}

// Embeddings, attention, and the logits of both values. The answers can only come through the attention.
struct Model {
  struct Cache {
    Tensor query, key;  // [batch, 1, d_model], [batch, pairs, d_model]: the embeddings
    MultiHeadAttention::Cache attention;
    Tensor attended;  // [batch, 1, d_model]
  };

  Index d_model, heads;
  Parameter embedding{Tensor::zeros({kSymbols, d_model})}, w_o{Tensor::zeros({d_model, 2 * kValues})};
  MultiHeadAttention attention{d_model, heads};

  // -> logits [2 * batch, values]
  Tensor forward(const Batch& batch, Cache& cache) const {
    // Step 1. Embed: query = E[first] + E[second], key = E[key] + E[value].
    cache.query = add(embedding_lookup_forward(batch.first, embedding),
                      embedding_lookup_forward(batch.second, embedding))
                      .reshaped({batch.size, 1, d_model});
    cache.key = add(embedding_lookup_forward(batch.keys, embedding),
                    embedding_lookup_forward(batch.values, embedding))
                    .reshaped({batch.size, kPairs, d_model});

    // Step 2. Attend in every head.
    const AttentionMask mask = {.key_lengths = std::vector<Index>(batch.size, kPairs)};
    cache.attended = attention.forward(cache.query, cache.key, cache.key, mask, cache.attention);

    // Step 3. logits = attended W: one row for each question.
    return linear_forward(cache.attended, w_o).reshaped({2 * batch.size, kValues});
  }

  void backward(const Tensor& grad_logits, const Batch& batch, const Cache& cache) {
    // Step 3 was: logits = attended W.
    const Tensor grad_attended =
        linear_backward(grad_logits.reshaped({batch.size, 1, 2 * kValues}), cache.attended, w_o);

    // Step 2 was: attend in every head. The keys' embeddings were keys and values.
    const auto grad = attention.backward(grad_attended, cache.attention);
    const Tensor grad_key = add(grad.key, grad.value);

    // Step 1 was: query = E[first] + E[second], key = E[key] + E[value].
    embedding_lookup_backward(grad.query, batch.first, embedding);
    embedding_lookup_backward(grad.query, batch.second, embedding);
    embedding_lookup_backward(grad_key, batch.keys, embedding);
    embedding_lookup_backward(grad_key, batch.values, embedding);
  }

  ParameterList initialized_parameters(std::uint64_t seed) {
    ParameterList list = {{"embedding", &embedding}, {"w_o", &w_o}};
    attention.append_parameters("attention", list);
    const double deviation = 1 / std::sqrt(double(d_model));
    initialize(list, seed, {{&embedding, 0.7}, {&attention.w_q, deviation}, {&attention.w_k, deviation}});
    return list;
  }
};

void check_gradients() {
  Model model = {.d_model = 6, .heads = 2};
  const ParameterList parameters = model.initialized_parameters(/*seed=*/1);
  Random random(random_stream(/*seed=*/1, 0, 0));
  const Batch batch = draw(5, random);
  Model::Cache cache;
  const auto loss = [&] { return cross_entropy_forward(model.forward(batch, cache), batch.answers, 0).loss; };
  model.backward(cross_entropy_backward(1, model.forward(batch, cache), batch.answers, 0), batch, cache);
  if (auto errors = gradient_errors(loss, checked_tensors(parameters)); !errors.empty())
    throw std::logic_error(errors);
}

// The share of right answers.
double right_after_training(Index heads, Index steps, std::uint64_t seed) {
  Model model = {.d_model = 64, .heads = heads};
  const ParameterList parameters = model.initialized_parameters(seed);
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  Model::Cache cache;
  for (Index step = 0; step < steps; ++step) {
    const Batch batch = draw(32, random);
    const Tensor logits = model.forward(batch, cache);
    zero_gradients(parameters);
    model.backward(cross_entropy_backward(Real(1) / 64, logits, batch.answers, 0), batch, cache);
    adam.step(parameters, 0.003 * std::min(1.0, 2 - 2.0 * step / steps), /*grad_scale=*/1);
  }
  const Batch test = draw(1024, random);
  const TopK likeliest = top_k(model.forward(test, cache), 0, 1);
  double right = 0;
  for (Index i = 0; i < 2 * test.size; ++i) right += likeliest.columns[i] == test.answers[i];
  return right / (2 * test.size);
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 5};
  if (const auto exit_code = options.read("heads", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  check_gradients();
  std::puts(csv ? "heads,d_k,right,lowest,highest" : "heads  d_k  right answers  lowest  highest");
  for (const Index heads : quick ? std::vector<Index>{1, 2} : std::vector<Index>{1, 2, 4, 8, 16}) {
    std::vector<double> right;
    for (Index seed = 1; seed <= seeds; ++seed) {
      right.push_back(right_after_training(heads, quick ? 600 : 1000, seed));
      std::fprintf(stderr, "%td heads, seed %td: done\n", heads, seed);
    }
    const auto [lowest, highest] = std::minmax_element(right.begin(), right.end());
    const double mean = std::accumulate(right.begin(), right.end(), 0.0) / seeds;
    std::printf(csv ? "%td,%td,%.4f,%.4f,%.4f\n" : "%5td%5td%15.3f%8.3f%9.3f\n", heads, 64 / heads, mean,
                *lowest, *highest);
  }
}
