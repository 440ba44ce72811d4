// Section 7, Conclusion (docs/7-conclusion.md)
//
// "Decoder only" from top to bottom: a model that predicts the next letter of a name, and then writes names.
// This is Andrej Karpathy's exercise microgpt (2026), with its layer, sizes and rates. Here each forward pass
// has its backward pass below it, and a small grammar makes the names, unless you give a file.
//
//   cmake --preset toy && cmake --build build/toy --target microgpt && build/toy/examples/microgpt
#include <plainformer/core/input_error.h>
#include <plainformer/core/strings.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/data/text.h>
#include <plainformer/ops/adam.h>
#include <plainformer/ops/cross_entropy.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/embedding_lookup.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/softmax.h>
#include <plainformer/transformer/multi_head_attention.h>
#include <plainformer/transformer/positional_encoding.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <set>

using namespace plainformer;
using Strings = std::vector<std::string>;
constexpr Index kContext = 16, kModel = 16, kHeads = 4, kFeedForward = 64, kSteps = 1000;

// Two syllables and an end, such as "bre-lo-shi".
std::string made_up_name(Random& random) {
  static const Strings onsets = split_at(' ', "b br d f g k l m n r s sh t th tr v");
  static const Strings vowels = split_at(' ', "a e i o u ai ia"), ends = split_at(' ', "  n l ra lin dor");
  std::string name;
  for (const Strings* parts : {&onsets, &vowels, &onsets, &vowels, &ends}) name += random.any_of(*parts);
  return name;
}

// RMS norm (Zhang & Sennrich 2019) without a gain: y = r x with r = 1 / sqrt(mean(x x) + epsilon).
Real inverse_rms(const Tensor& x, Index row) {
  Real mean = 0;
  for (Index j = 0; j < kModel; ++j) mean += x(row, j) * x(row, j) / kModel;
  return 1 / std::sqrt(mean + Real(1e-5));
}

Tensor rms_norm_forward(const Tensor& x) {  // [1, len, d_model]
  WritableTensor y(x.shape());
  for (Index row = 0; row < x.dim(1); ++row) {
    const Real r = inverse_rms(x, row);
    for (Index j = 0; j < kModel; ++j) y(row, j) = r * x(row, j);
  }
  return y;
}

// x_j also changes r, by -r^3 x_j / d. So grad_x = r (grad_y - r x mean(grad_y r x)).
Tensor rms_norm_backward(const Tensor& grad_y, const Tensor& x) {
  WritableTensor grad_x(x.shape());
  for (Index row = 0; row < x.dim(1); ++row) {
    const Real r = inverse_rms(x, row);
    Real mean = 0;
    for (Index j = 0; j < kModel; ++j) mean += grad_y(row, j) * r * x(row, j) / kModel;
    for (Index j = 0; j < kModel; ++j) grad_x(row, j) = r * (grad_y(row, j) - r * x(row, j) * mean);
  }
  return grad_x;
}

struct MicroGpt {
  std::u32string alphabet;
  Index vocab = std::ssize(alphabet) + 1;
  Parameter embedding{Tensor::zeros({vocab, kModel})}, pre_softmax = embedding;  // not shared, unlike in 3.4
  PositionalEncoding positions{kContext, kModel, Positions::kLearned};
  MultiHeadAttention attention{kModel, kHeads};
  Parameter w_1{Tensor::zeros({kModel, kFeedForward})}, w_2{Tensor::zeros({kFeedForward, kModel})};

  Tensor sum = {}, x = {}, y = {}, n = {}, hidden = {};  // forward keeps them for backward
  MultiHeadAttention::Cache cache = {};

  // A token is the place of a letter in the alphabet, or the edge: the beginning and the end of a name.
  int edge() const { return int(alphabet.size()); }
  std::vector<int> tokens_of(const std::string& name) const {
    std::vector<int> tokens = {edge()};
    for (const Character& c : characters_in(name)) tokens.push_back(int(alphabet.find(c.value)));
    tokens.push_back(edge());
    return tokens;
  }

  ParameterList parameters() {
    ParameterList list = {{"embedding", &embedding}, {"positions", &positions.table}};
    attention.append_parameters("attention", list);
    list.insert(list.end(), {{"w_1", &w_1}, {"w_2", &w_2}, {"pre_softmax", &pre_softmax}});
    return list;
  }

  Tensor forward(std::span<const int> tokens) {  // -> [1, len, d_model]
    // Step 1. x = RMSNorm(sum) with sum = embedding + position.
    const Tensor embedded = embedding_lookup_forward(tokens, embedding);  // [len, d_model]
    sum = positions.forward(embedded.reshaped({1, embedded.dim(0), kModel}));
    x = rms_norm_forward(sum);

    // Step 2. y = x + MultiHead(m, m, m) with m = RMSNorm(x). The causal mask hides all later tokens.
    const Tensor m = rms_norm_forward(x);
    y = add(attention.forward(m, m, m, {.key_lengths = {m.dim(1)}, .causal = true}, cache), x);

    // Step 3. output = y + max(0, n W_1) W_2 with n = RMSNorm(y).
    n = rms_norm_forward(y);
    hidden = relu_forward(linear_forward(n, w_1));
    return add(linear_forward(hidden, w_2), y);
  }

  void backward(const Tensor& grad_output, std::span<const int> tokens) {
    // Step 3 was: output = y + max(0, n W_1) W_2 with n = RMSNorm(y). y was used twice.
    const Tensor grad_hidden = relu_backward(linear_backward(grad_output, hidden, w_2), hidden);
    const Tensor grad_n = linear_backward(grad_hidden, n, w_1);
    const Tensor grad_y = add(rms_norm_backward(grad_n, y), grad_output);

    // Step 2 was: y = x + MultiHead(m, m, m) with m = RMSNorm(x). x was used twice, m three times.
    const auto grad = attention.backward(grad_y, cache);
    const Tensor grad_m = add(grad.query, add(grad.key, grad.value));
    const Tensor grad_x = add(rms_norm_backward(grad_m, x), grad_y);

    // Step 1 was: x = RMSNorm(sum) with sum = embedding + position.
    const Tensor grad_sum = rms_norm_backward(grad_x, sum);
    positions.backward(grad_sum);
    embedding_lookup_backward(grad_sum, tokens, embedding);
  }
};

// Learns a name in each step, from each token the next. Returns the number of tokens.
Index train(MicroGpt& model, const Strings& names) {
  const ParameterList parameters = model.parameters();
  Adam adam(parameters, {.beta_1 = 0.85, .beta_2 = 0.99, .epsilon = 1e-8});
  Index all_tokens = 0;
  double loss = 0;  // the mean over the last 100 names
  for (Index step = 0; step < kSteps; ++step) {
    const std::vector<int> tokens = model.tokens_of(names[step % std::ssize(names)]);
    const Index len = std::min(kContext, std::ssize(tokens) - 1);
    const std::span inputs(tokens.data(), len), targets(tokens.data() + 1, len);

    zero_gradients(parameters);
    Tensor output = model.forward(inputs), grad_output;
    const auto sums = projected_cross_entropy_forward_backward(Real(1) / len, output, model.pre_softmax,
                                                               targets, 0, grad_output);
    model.backward(grad_output, inputs);
    adam.step(parameters, /*learning_rate=*/0.01 * (1 - double(step) / kSteps), /*grad_scale=*/1);
    all_tokens += len;
    loss += sums.loss / len / 100;
    if (step % 100 == 99) std::fprintf(stderr, "step %td   loss %.3f\n", step + 1, std::exchange(loss, 0));
  }
  return all_tokens;
}

// Draws a name, each letter from softmax(logits / temperature). For brevity it caches no keys and values.
std::string sample(MicroGpt& model, Real temperature, Random& random) {
  std::string name;
  std::vector<int> tokens = {model.edge()};
  while (std::ssize(tokens) <= kContext) {
    const Tensor logits = linear_transposed_forward(model.forward(tokens), model.pre_softmax);
    const Tensor p = softmax_forward(scale(logits, 1 / temperature), std::vector(tokens.size(), model.vocab));
    const Index last = std::ssize(tokens) - 1;  // its row of p, [1, len, vocab], predicts the next token
    double left = random.uniform();
    int token = 0;
    while (token < model.edge() && (left -= p(last, token)) > 0) ++token;
    if (token == model.edge()) break;
    append_utf8(name, model.alphabet[token]);
    tokens.push_back(token);
  }
  return name;
}

int main(int argc, char** argv) try {
  Random random(random_stream(/*seed=*/1, 1, 0));
  Strings names = argc > 1 ? read_lines(argv[1]) : Strings(kSteps);
  if (argc == 1) std::generate(names.begin(), names.end(), [&] { return made_up_name(random); });
  std::erase_if(names, is_blank);
  if (names.empty()) throw input_error(argv[1], "no names", "write one on each line");
  shuffle(names, random);
  std::set<char32_t> letters;
  for (const std::string& name : names)
    for (const Character& c : characters_in(name)) letters.insert(c.value);

  MicroGpt model = {.alphabet = {letters.begin(), letters.end()}};
  for (const NamedParameter& p : model.parameters())
    std::generate_n(p.parameter->value.mutable_data(), p.parameter->value.size(),
                    [&] { return Real(0.08 * random.normal()); });
  const std::clock_t start = std::clock();  // processor time
  const Index tokens = train(model, names);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;

  for (const double temperature : {0.5, 1.0, 2.0})
    for (int i = 0; i < 7; ++i)
      std::printf("temperature %.1f   %s\n", temperature, sample(model, temperature, random).c_str());
  std::printf("\nmodel                        ms/step  tokens/s\n");
  std::printf("microgpt                     %7.4f  %8.0f\n", 1e3 * seconds / kSteps, tokens / seconds);
  std::printf("enjector/microgpt-c, double        -    616000\n");  // as its page says
} catch (const std::exception& error) {
  std::fprintf(stderr, "microgpt: %s\n", error.what());
  return 1;
}
