// Sections 1 and 2, Introduction and Background (docs/1-before.md)
//
// What came before: a recurrent chain reads a word, and a second one writes it backwards. It knows the first chain's
// last state alone; or, before each letter, it looks at all of them (Bahdanau et al. 2015; here by equation (1), and
// scores.cpp has their additive score). The table has the share of right letters against the length of the word.
//
//   cmake --preset toy && cmake --build build/toy --target recurrent && build/toy/examples/experiments/recurrent
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
#include <stdexcept>

using namespace plainformer;

constexpr int kLetters = 26, kStart = kLetters;  // the writer reads kStart before its first letter

// tanh, and its backward: the slope of y = tanh(x) is 1 - y^2.
Tensor tanh_forward(WritableTensor x) {
  for (Index i = 0; i < x.size(); ++i) x(i) = std::tanh(x(i));
  return x;
}
Tensor tanh_backward(WritableTensor grad_y, const Tensor& y) {
  for (Index i = 0; i < y.size(); ++i) grad_y(i) *= 1 - y(i) * y(i);
  return grad_y;
}

struct Batch {
  Index size;
  std::vector<std::vector<int>> letters = {};  // [len][size]: at each position, the letters of all words

  static Batch draw(Index size, Index len, Random& random) {
    Batch batch = {.size = size, .letters = std::vector(len, std::vector<int>(size))};
    for (auto& position : batch.letters)
      for (int& letter : position) letter = int(random.below(kLetters));
    return batch;
  }
};

// Reader: m_t = tanh(x_t W + b + m_{t-1} U). Writer: s_t = tanh(y_t W + b + s_{t-1} U + c_t W_c), where y_t is the letter
// before, and c_t = Attention(s_{t-1} W_q, memory, memory) is left out if it does not attend. It begins with the last m.
struct Model {
  bool attends;
  Index d;
  Parameter table{Tensor::zeros({kLetters + 1, d})}, w_o{Tensor::zeros({d, kLetters})};
  Parameter w_read{Tensor::zeros({d, d})}, b_read{Tensor::zeros({d})}, u_read{Tensor::zeros({d, d})};
  Parameter w_write{Tensor::zeros({d, d})}, b_write{Tensor::zeros({d})}, u_write{Tensor::zeros({d, d})};
  Parameter w_c{Tensor::zeros({d, d})}, w_q{Tensor::zeros({d, d})};

  struct Result {
    double loss = 0, right = 0;  // of all letters
  };

  // Adds to the gradients of all parameters.
  Result forward_backward(const Batch& batch) {
    const Index len = std::ssize(batch.letters), size = batch.size;
    const auto x_at = [&](Index t) { return embedding_lookup_forward(batch.letters[t], table); };
    // Step 1. Read. m[t + 1] is the state after letter t.
    std::vector<Tensor> m = {Tensor::zeros({size, d})};
    WritableTensor memory({size, len, d});
    for (Index t = 0; t < len; ++t) {
      m.push_back(
          tanh_forward(add(linear_bias_forward(x_at(t), w_read, b_read), linear_forward(m[t], u_read))));
      for (Index b = 0; b < size; ++b)
        for (Index p = 0; p < d; ++p) memory(b, t, p) = m[t + 1](b, p);
    }
    const Tensor keys = memory.reshaped({size, 1, len, d});

    // Step 2. Write the word backwards: step t gives letter len - 1 - t.
    std::vector<Tensor> s = {m[len]}, c(len), logits;
    std::vector<AttentionCache> caches(len);
    const AttentionMask mask = {.key_lengths = std::vector<Index>(size, len)};
    const auto before = [&](Index t) {
      return t == 0 ? std::vector<int>(size, kStart) : batch.letters[len - t];
    };
    for (Index t = 0; t < len; ++t) {
      Tensor sum = add(linear_bias_forward(embedding_lookup_forward(before(t), table), w_write, b_write),
                       linear_forward(s[t], u_write));
      if (attends) {
        const Tensor q = linear_forward(s[t], w_q).reshaped({size, 1, 1, d});
        c[t] = attention_forward(q, keys, keys, mask, caches[t]).reshaped({size, d});
        sum = add(sum, linear_forward(c[t], w_c));
      }
      s.push_back(tanh_forward(sum));
      logits.push_back(linear_forward(s[t + 1], w_o));
    }

    // Step 2 was: write. State s_t was used by the output, and by the next step: as its old state and its question.
    Result result;
    Tensor grad_memory = Tensor::zeros(keys.shape());
    Tensor grad_s = Tensor::zeros({size, d});
    for (Index t = len - 1; t >= 0; --t) {
      const std::vector<int>& targets = batch.letters[len - 1 - t];
      result.loss += cross_entropy_forward(logits[t], targets, 0).loss;
      const TopK likeliest = top_k(logits[t], 0, 1);
      for (Index b = 0; b < size; ++b) result.right += likeliest.columns[b] == targets[b];
      grad_s = add(grad_s, linear_backward(cross_entropy_backward(1, logits[t], targets, 0), s[t + 1], w_o));
      const Tensor grad_sum = tanh_backward(Tensor(grad_s), s[t + 1]);
      embedding_lookup_backward(
          linear_bias_backward(grad_sum, embedding_lookup_forward(before(t), table), w_write, b_write),
          before(t), table);
      grad_s = linear_backward(grad_sum, s[t], u_write);
      if (!attends) continue;
      const Tensor grad_c = linear_backward(grad_sum, c[t], w_c).reshaped({size, 1, 1, d});
      const AttentionGradients grad = attention_backward(grad_c, caches[t]);
      grad_memory = add(grad_memory, add(grad.k, grad.v));
      grad_s = add(grad_s, linear_backward(grad.q.reshaped({size, d}), s[t], w_q));
    }

    // Step 1 was: read. State m_t was used by the next one and as memory; the last one also began the writing.
    for (Index t = len - 1; t >= 0; --t) {
      WritableTensor grad_m = Tensor(grad_s);
      for (Index b = 0; b < size; ++b)
        for (Index p = 0; p < d; ++p) grad_m(b, p) += grad_memory(b, 0, t, p);
      const Tensor grad_sum = tanh_backward(Tensor(grad_m), m[t + 1]);
      embedding_lookup_backward(linear_bias_backward(grad_sum, x_at(t), w_read, b_read), batch.letters[t],
                                table);
      grad_s = linear_backward(grad_sum, m[t], u_read);
    }
    return result;
  }

  ParameterList initialized_parameters(std::uint64_t seed) {
    ParameterList list = {{"table", &table},     {"w_o", &w_o},        {"w_read", &w_read},
                          {"b_read", &b_read},   {"u_read", &u_read},  {"w_write", &w_write},
                          {"b_write", &b_write}, {"u_write", &u_write}};
    if (attends) list.insert(list.end(), {{"w_c", &w_c}, {"w_q", &w_q}});
    initialize(list, seed, {{&table, 1}});
    return list;
  }
};

void check_gradients(bool attends) {
  Model model = {.attends = attends, .d = 4};
  const ParameterList parameters = model.initialized_parameters(/*seed=*/1);
  Random random(random_stream(/*seed=*/1, 0, 0));
  const Batch batch = Batch::draw(3, 5, random);
  model.forward_backward(batch);
  const auto gradients = checked_tensors(parameters);
  const auto loss = [&] { return model.forward_backward(batch).loss; };
  if (auto errors = gradient_errors(loss, gradients); !errors.empty()) throw std::logic_error(errors);
}

double right_after_training(bool attends, Index len, Index steps, std::uint64_t seed) {
  Model model = {.attends = attends, .d = 64};
  const ParameterList parameters = model.initialized_parameters(seed);
  Adam adam(parameters, {});
  Random random(random_stream(seed, 1, 0));
  for (Index step = 0; step < steps; ++step) {
    zero_gradients(parameters);
    model.forward_backward(Batch::draw(32, len, random));
    double squares = 0;
    for (const NamedParameter& each : parameters) squares += sum_of_squares(each.parameter->grad);
    const double mean = 1.0 / (32 * len),
                 clip = std::min(1.0, 1 / (mean * std::sqrt(squares)));  // to length 1
    adam.step(parameters, 0.003 * std::min(1.0, 2 - 2.0 * step / steps), mean * clip);
  }
  return model.forward_backward(Batch::draw(500, len, random)).right / (500 * len);
}

int main(int argc, char** argv) {
  TableOptions options = {.seeds = 3};
  if (const auto exit_code = options.read("recurrent", argc, argv)) return *exit_code;
  const auto [csv, quick, seeds] = options;
  for (const bool attends : {false, true}) check_gradients(attends);
  std::puts(csv ? "letters,without,with" : "letters  without attention  with attention");
  for (const Index len : quick ? std::vector<Index>{8} : std::vector<Index>{4, 8, 16}) {
    double right[2] = {};  // the means of the seeds
    for (const bool attends : {false, true})
      for (Index seed = 1; seed <= seeds; ++seed)
        right[attends] += right_after_training(attends, len, quick ? 300 : 1500, seed) / seeds;
    std::printf(csv ? "%td,%.4f,%.4f\n" : "%7td%19.3f%16.3f\n", len, right[0], right[1]);
    std::fprintf(stderr, "%td letters: done\n", len);
  }
}
