// Attention Is All You Need (arXiv:1706.03762): the whole paper in one file.
//
//   g++ -O2 -std=c++20 attention_is_all_you_need.cpp && ./a.out
//
// It trains the paper's Transformer to translate numbers into German, which says the units before the tens:
//
//   eighty seven thousand six hundred fifty four  ->  siebenundachtzigtausendsechshundertvierundfünfzig
//
// Read it from top to bottom with the paper beside it. The headings are the paper's sections in the paper's
// order, except that 3.1 and 3 come after their parts. Below each forward is its backward. Forward numbers
// its steps; backward takes them in reverse and quotes them. grad_x is the loss's gradient with respect to x.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// The paper's names. Its base model has N = 6, d_model = 512, d_ff = 2048, h = 8, and takes 100,000 steps.
constexpr int N = 2, d_model = 32, d_ff = 64, h = 4, d_k = d_model / h, d_v = d_k;
constexpr int steps = 900, warmup_steps = 300, batch = 32;
constexpr double p_drop = 0.1, epsilon_ls = 0.1;

// --- Matrices ----------------------------------------------------------------------------------------------
// A sentence is a matrix with a row for each token. A vector is a matrix with one row.
struct Matrix {
  int rows, columns;
  std::vector<double> elements;  // row by row

  explicit Matrix(int r = 0, int c = 0, double value = 0) : rows(r), columns(c), elements(r * c, value) {}
  double& operator()(int i, int j) { return elements[i * columns + j]; }
  double operator()(int i, int j) const { return elements[i * columns + j]; }

  friend Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
      for (int k = 0; k < a.columns; ++k)
        for (int j = 0; j < b.columns; ++j) product(i, j) += a(i, k) * b(k, j);
    return product;
  }
  friend Matrix transposed(const Matrix& x) {
    Matrix y(x.columns, x.rows);
    for (int i = 0; i < x.rows; ++i)
      for (int j = 0; j < x.columns; ++j) y(j, i) = x(i, j);
    return y;
  }

  // Sums, differences and a % b work element by element. If b has one row, it is used for all rows of a.
  Matrix& operator+=(const Matrix& b) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) (*this)(i, j) += b(b.rows == 1 ? 0 : i, j);
    return *this;
  }
  friend Matrix operator%(Matrix a, const Matrix& b) {
    for (int i = 0; i < a.rows; ++i)
      for (int j = 0; j < a.columns; ++j) a(i, j) *= b(b.rows == 1 ? 0 : i, j);
    return a;
  }
  friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
  friend Matrix operator-(Matrix a, const Matrix& b) { return a += -1 * b; }
  friend Matrix operator*(double factor, const Matrix& x) { return x % Matrix(1, x.columns, factor); }
  friend Matrix operator/(const Matrix& x, double divisor) { return 1 / divisor * x; }

  Matrix sum_of_rows() const { return Matrix(1, rows, 1) * *this; }
  Matrix row_sums() const { return *this * Matrix(columns, 1, 1) * Matrix(1, columns, 1); }  // in all columns
};

// Weights and their gradient.
struct Parameter {
  Matrix value, grad;
  Matrix m = grad, v = grad, average = grad;  // m and v for Adam (5.3), average for the checkpoints (6.1)
  Parameter(int rows, int columns, double start = 0) : value(rows, columns, start), grad(rows, columns) {}
};
using Parameters = std::vector<Parameter*>;

// Forward was y = x W, that is, y_ij = sum over k of x_ik w_kj. Both factors get a gradient:
//   grad_x_ik = sum over j of grad_y_ij w_kj          grad_w_kj = sum over i of x_ik grad_y_ij
Matrix product_backward(const Matrix& grad_y, const Matrix& x, Parameter& w) {
  w.grad += transposed(x) * grad_y;
  return grad_y * transposed(w.value);
}

// --- 3.2.1 Scaled Dot-Product Attention --------------------------------------------------------------------
// y_ij = exp(x_ij) / sum over k of exp(x_ik). Subtracting the largest x cancels out, and prevents overflow.
Matrix softmax_forward(const Matrix& x) {
  Matrix y(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i) {
    double largest = x(i, 0);
    for (int j = 0; j < x.columns; ++j) largest = std::max(largest, x(i, j));
    for (int j = 0; j < x.columns; ++j) y(i, j) = std::exp(x(i, j) - largest);
    double sum = 0;
    for (int j = 0; j < x.columns; ++j) sum += y(i, j);
    for (int j = 0; j < x.columns; ++j) y(i, j) /= sum;
  }
  return y;
}

// Through the sum, each x_ij changes the whole row: the derivative of y_ik is y_ik ([k = j] - y_ij).
Matrix softmax_backward(const Matrix& grad_y, const Matrix& y) {
  return y % (grad_y - (grad_y % y).row_sums());
}

struct QKV {  // queries, keys and values; or their gradients
  Matrix q, k, v;
};
enum class Mask { kNone, kCausal };  // A sentence is computed by itself, so there is no padding to mask.

// Equation (1), in the order of Figure 2 (left): Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
struct Attention {
  QKV kept;  // for backward, and so are the weights
  Matrix weights;
  Matrix forward(const Matrix& q, const Matrix& k, const Matrix& v, Mask mask) {
    kept = {q, k, v};
    Matrix scores = q * transposed(k);  // Step 1. MatMul: scores = Q K^T, one for each query and key.
    scores = scores / std::sqrt(d_k);   // Step 2. Scale: scores = scores / sqrt(d_k).
    if (mask == Mask::kCausal)          // Step 3. Mask: a query sees no later key.
      for (int i = 0; i < scores.rows; ++i)
        for (int j = i + 1; j < scores.columns; ++j) scores(i, j) = -INFINITY;
    weights = softmax_forward(scores);  // Step 4. SoftMax: weights = softmax(scores). Each row sums to 1.
    return weights * v;                 // Step 5. MatMul: output = weights V, averages of the values.
  }

  QKV backward(const Matrix& grad_output) const {
    const Matrix grad_weights = grad_output * transposed(kept.v);  // Step 5 was: output = weights V.
    const Matrix grad_v = transposed(weights) * grad_output;       // Both factors get a gradient.
    Matrix grad_scores = softmax_backward(grad_weights, weights);  // Step 4 was: weights = softmax(scores).
    // Step 3 was: a query sees no later key. Those weights are 0, so the gradients of their scores are 0.
    grad_scores = grad_scores / std::sqrt(d_k);  // Step 2 was: scores = scores / sqrt(d_k).
    // Step 1 was: scores = Q K^T.
    return {grad_scores * kept.k, transposed(grad_scores) * kept.q, grad_v};
  }
};

// --- 3.2.2 Multi-Head Attention ----------------------------------------------------------------------------
// Concat(head_1, ..., head_h) W^O = sum of head_i W_i^O, where W_i^O is the i-th block of d_v rows of W^O.
struct Head {
  Parameter w_q{d_model, d_k}, w_k{d_model, d_k}, w_v{d_model, d_v}, w_o{d_v, d_model};
  Attention attention;
  Matrix output;  // kept for backward
  Parameters parameters() { return {&w_q, &w_k, &w_v, &w_o}; }
};

// MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O, with head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
struct MultiHeadAttention {
  Head heads[h];
  QKV kept;  // for backward
  Matrix forward(const Matrix& q, const Matrix& k, const Matrix& v, Mask mask) {
    kept = {q, k, v};
    Matrix output(q.rows, d_model);
    for (Head& head : heads) {
      // Step 1. head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).
      head.output = head.attention.forward(q * head.w_q.value, k * head.w_k.value, v * head.w_v.value, mask);
      output += head.output * head.w_o.value;  // Step 2. output = sum of head_i W_i^O.
    }
    return output;
  }

  QKV backward(const Matrix& grad_output) {
    QKV grad = {Matrix(kept.q.rows, d_model), Matrix(kept.k.rows, d_model), Matrix(kept.v.rows, d_model)};
    for (Head& head : heads) {
      // Step 2 was: output = sum of head_i W_i^O.
      const Matrix grad_head = product_backward(grad_output, head.output, head.w_o);
      // Step 1 was: head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V). All heads used Q, K and V.
      const QKV grad_i = head.attention.backward(grad_head);
      grad.q += product_backward(grad_i.q, kept.q, head.w_q);
      grad.k += product_backward(grad_i.k, kept.k, head.w_k);
      grad.v += product_backward(grad_i.v, kept.v, head.w_v);
    }
    return grad;
  }
};

// --- 3.3 Position-wise Feed-Forward Networks ---------------------------------------------------------------
// Equation (2): FFN(x) = max(0, x W_1 + b_1) W_2 + b_2
struct FeedForward {
  Parameter w_1{d_model, d_ff}, b_1{1, d_ff}, w_2{d_ff, d_model}, b_2{1, d_model};
  Matrix x, hidden;  // kept for backward
  Parameters parameters() { return {&w_1, &b_1, &w_2, &b_2}; }
  Matrix forward(const Matrix& input) {
    x = input;
    hidden = x * w_1.value + b_1.value;                      // Step 1. Linear: hidden = x W_1 + b_1.
    for (double& e : hidden.elements) e = std::max(0.0, e);  // Step 2. ReLU: hidden = max(0, hidden).
    return hidden * w_2.value + b_2.value;                   // Step 3. Linear: output = hidden W_2 + b_2.
  }

  Matrix backward(const Matrix& grad_output) {
    b_2.grad += grad_output.sum_of_rows();  // Step 3 was: output = hidden W_2 + b_2. Every row used b_2.
    Matrix grad_hidden = product_backward(grad_output, hidden, w_2);
    for (std::size_t e = 0; e < hidden.elements.size(); ++e)  // Step 2 was: hidden = max(0, hidden).
      if (hidden.elements[e] == 0) grad_hidden.elements[e] = 0;
    b_1.grad += grad_hidden.sum_of_rows();  // Step 1 was: hidden = x W_1 + b_1. Every row used b_1.
    return product_backward(grad_hidden, x, w_1);
  }
};

// --- 3.1 Encoder and Decoder Stacks ------------------------------------------------------------------------
const auto uniform = [](std::mt19937& random) { return random() / 4294967296.0; };  // in [0, 1)

// Residual dropout (5.4): an element becomes 0 with this probability. The others grow, so the mean stays.
struct Dropout {
  double probability = 0;
  std::mt19937 random;
  Matrix mask(int rows) {
    Matrix mask(rows, d_model, 1 / (1 - probability));
    for (double& e : mask.elements) e = uniform(random) < probability ? 0 : e;
    return mask;
  }
};

// "Add & Norm" in Figure 1: LayerNorm(x + Dropout(Sublayer(x)))
struct ResidualLayerNorm {
  Parameter gain{1, d_model, 1}, bias{1, d_model};
  Matrix mask, rstd, x_hat;  // kept for backward
  Parameters parameters() { return {&gain, &bias}; }
  Matrix forward(const Matrix& x, const Matrix& sublayer_output, Dropout& dropout) {
    mask = dropout.mask(x.rows);
    const Matrix sum = x + sublayer_output % mask;  // Step 1. sum = x + Dropout(Sublayer(x)).
    // Step 2. x_hat = (sum - mean) % rstd, rstd = 1 / sqrt(variance). Each row gets mean 0 and variance 1.
    const Matrix centered = sum - sum.row_sums() / d_model;
    rstd = (centered % centered).row_sums() / d_model;
    for (double& e : rstd.elements) e = 1 / std::sqrt(e + 1e-6);
    x_hat = centered % rstd;
    return x_hat % gain.value + bias.value;  // Step 3. output = x_hat % gain + bias.
  }

  std::array<Matrix, 2> backward(const Matrix& grad_output) {  // the gradients of x and of Sublayer(x)
    // Step 3 was: output = x_hat % gain + bias. Every row used gain and bias.
    bias.grad += grad_output.sum_of_rows();
    gain.grad += (grad_output % x_hat).sum_of_rows();
    const Matrix grad_x_hat = grad_output % gain.value;
    // Step 2 was: x_hat = (sum - mean) % rstd. Mean and rstd depend on the whole row.
    const Matrix through_row = grad_x_hat.row_sums() + x_hat % (grad_x_hat % x_hat).row_sums();
    const Matrix grad_sum = (grad_x_hat - through_row / d_model) % rstd;
    // Step 1 was: sum = x + Dropout(Sublayer(x)).
    return {grad_sum, grad_sum % mask};
  }
};

struct EncoderLayer {  // Figure 1, the left block
  MultiHeadAttention self_attention;
  FeedForward feed_forward;
  ResidualLayerNorm self_attention_norm, feed_forward_norm;
  Matrix forward(const Matrix& x, Dropout& dropout) {
    // Step 1. y = LayerNorm(x + Dropout(MultiHead(x, x, x))).
    const Matrix attended = self_attention.forward(x, x, x, Mask::kNone);
    const Matrix y = self_attention_norm.forward(x, attended, dropout);
    // Step 2. output = LayerNorm(y + Dropout(FFN(y))).
    return feed_forward_norm.forward(y, feed_forward.forward(y), dropout);
  }

  Matrix backward(const Matrix& grad_output) {
    // Step 2 was: output = LayerNorm(y + Dropout(FFN(y))). y was used twice, so two gradients add up.
    auto [grad_y, grad_transformed] = feed_forward_norm.backward(grad_output);
    grad_y += feed_forward.backward(grad_transformed);
    // Step 1 was: y = LayerNorm(x + Dropout(MultiHead(x, x, x))). x was used four times.
    const auto [grad_x, grad_attended] = self_attention_norm.backward(grad_y);
    const QKV grad = self_attention.backward(grad_attended);
    return grad_x + grad.q + grad.k + grad.v;
  }
};

struct DecoderLayer {  // Figure 1, the right block, with the attentions of 3.2.3
  MultiHeadAttention self_attention, encoder_decoder_attention;
  FeedForward feed_forward;
  ResidualLayerNorm self_attention_norm, encoder_decoder_attention_norm, feed_forward_norm;
  Matrix forward(const Matrix& x, const Matrix& memory, Dropout& dropout) {
    // Step 1. y = LayerNorm(x + Dropout(MultiHead(x, x, x))), where no position sees a later one.
    const Matrix attended = self_attention.forward(x, x, x, Mask::kCausal);
    const Matrix y = self_attention_norm.forward(x, attended, dropout);
    // Step 2. z = LayerNorm(y + Dropout(MultiHead(y, memory, memory))). The memory is the encoder's output.
    const Matrix found = encoder_decoder_attention.forward(y, memory, memory, Mask::kNone);
    const Matrix z = encoder_decoder_attention_norm.forward(y, found, dropout);
    // Step 3. output = LayerNorm(z + Dropout(FFN(z))).
    return feed_forward_norm.forward(z, feed_forward.forward(z), dropout);
  }

  Matrix backward(const Matrix& grad_output, Matrix& grad_memory) {
    // Step 3 was: output = LayerNorm(z + Dropout(FFN(z))).
    auto [grad_z, grad_transformed] = feed_forward_norm.backward(grad_output);
    grad_z += feed_forward.backward(grad_transformed);
    // Step 2 was: z = LayerNorm(y + Dropout(MultiHead(y, memory, memory))). All layers used the memory.
    auto [grad_y, grad_found] = encoder_decoder_attention_norm.backward(grad_z);
    const QKV grad_inputs = encoder_decoder_attention.backward(grad_found);
    grad_y += grad_inputs.q;
    grad_memory += grad_inputs.k + grad_inputs.v;
    // Step 1 was: y = LayerNorm(x + Dropout(MultiHead(x, x, x))).
    const auto [grad_x, grad_attended] = self_attention_norm.backward(grad_y);
    const QKV grad = self_attention.backward(grad_attended);
    return grad_x + grad.q + grad.k + grad.v;
  }
};

// --- 3.4 Embeddings and Softmax ----------------------------------------------------------------------------
using Tokens = std::vector<int>;  // places in the vocabulary
// A row for each token, with a 1 in the token's column. Its product with the embedding looks up the rows.
Matrix one_hot(const Tokens& tokens, int vocab) {
  Matrix x(tokens.size(), vocab);
  for (int i = 0; i < x.rows; ++i) x(i, tokens[i]) = 1;
  return x;
}

// --- 3.5 Positional Encoding -------------------------------------------------------------------------------
// PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))
Matrix positional_encoding(int length) {
  Matrix pe(length, d_model);
  for (int pos = 0; pos < length; ++pos)
    for (int j = 0; j < d_model; ++j) {
      const double angle = pos / std::pow(10000, j / 2 * 2.0 / d_model);
      pe(pos, j) = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  return pe;
}

// --- 3 Model Architecture ----------------------------------------------------------------------------------
struct Transformer {    // Figure 1
  Parameter embedding;  // [vocab, d_model], in three places: source, target and logits (3.4)
  EncoderLayer encoder[N];
  DecoderLayer decoder[N];
  Matrix source, target, source_mask, target_mask, decoder_output;  // kept for backward
  explicit Transformer(int vocab) : embedding(vocab, d_model) {}

  Parameters parameters() {
    Parameters all = {&embedding};
    const auto add = [&](const Parameters& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (EncoderLayer& layer : encoder) {
      for (Head& head : layer.self_attention.heads) add(head.parameters());
      add(layer.feed_forward.parameters());
      add(layer.self_attention_norm.parameters());
      add(layer.feed_forward_norm.parameters());
    }
    for (DecoderLayer& layer : decoder) {
      for (Head& head : layer.self_attention.heads) add(head.parameters());
      for (Head& head : layer.encoder_decoder_attention.heads) add(head.parameters());
      add(layer.feed_forward.parameters());
      add(layer.self_attention_norm.parameters());
      add(layer.encoder_decoder_attention_norm.parameters());
      add(layer.feed_forward_norm.parameters());
    }
    return all;
  }

  Matrix embedded(const Matrix& tokens) const {  // sqrt(d_model) Embedding(tokens) + PE
    return std::sqrt(d_model) * tokens * embedding.value + positional_encoding(tokens.rows);
  }

  Matrix encode(const Tokens& tokens, Dropout& dropout) {
    source = one_hot(tokens, embedding.value.rows);
    source_mask = dropout.mask(source.rows);
    Matrix x = embedded(source) % source_mask;  // Step 1. x = Dropout(embedded source).
    for (EncoderLayer& layer : encoder) x = layer.forward(x, dropout);  // Step 2. memory = Encoder(x).
    return x;
  }

  Matrix decode(const Tokens& tokens, const Matrix& memory, Dropout& dropout) {
    target = one_hot(tokens, embedding.value.rows);
    target_mask = dropout.mask(target.rows);
    Matrix x = embedded(target) % target_mask;  // Step 3. x = Dropout(embedded target).
    for (DecoderLayer& layer : decoder) x = layer.forward(x, memory, dropout);  // Step 4. x = Decoder(x).
    decoder_output = x;
    return x * transposed(embedding.value);  // Step 5. logits = x Embedding^T.
  }

  void backward(const Matrix& grad_logits) {
    embedding.grad += transposed(grad_logits) * decoder_output;  // Step 5 was: logits = x Embedding^T.
    Matrix grad_x = grad_logits * embedding.value;
    // Step 4 was: x = Decoder(x). All its layers used the memory.
    Matrix grad_memory(source.rows, d_model);
    for (int i = N; i-- > 0;) grad_x = decoder[i].backward(grad_x, grad_memory);
    // Step 3 was: x = Dropout(embedded target).
    product_backward(std::sqrt(d_model) * grad_x % target_mask, target, embedding);
    // Step 2 was: memory = Encoder(x).
    for (int i = N; i-- > 0;) grad_memory = encoder[i].backward(grad_memory);
    // Step 1 was: x = Dropout(embedded source).
    product_backward(std::sqrt(d_model) * grad_memory % source_mask, source, embedding);
  }
};

// --- 5.1 Training Data and Batching ------------------------------------------------------------------------
// 1,000,000 sentences: the numbers from 0 to 999,999. Training never sees the 142,858 multiples of 7.
constexpr int kHeldOut = 7, kStart = 0, kEnd = 1, kEnglish = 8, kGerman = kEnglish + 28;

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// One vocabulary for both languages. The words for 0 to 19, 20, 30, ..., 90 begin at kEnglish and kGerman.
const std::vector<std::string> kVocabulary = split(
    "<s> </s> hundred thousand hundert tausend und eins zero one two three four five six seven eight nine "
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty "
    "fifty sixty seventy eighty ninety null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf "
    "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig "
    "siebzig achtzig neunzig");

std::string english(int n) {
  if (n >= 1000) return english(n / 1000) + " thousand" + (n % 1000 > 0 ? " " + english(n % 1000) : "");
  if (n >= 100) return english(n / 100) + " hundred" + (n % 100 > 0 ? " " + english(n % 100) : "");
  if (n >= 20) return kVocabulary[kEnglish + 18 + n / 10] + (n % 10 > 0 ? " " + english(n % 10) : "");
  return kVocabulary[kEnglish + n];
}

std::string german(int n, const std::string& one = "eins") {  // "ein" where another word follows
  const int unit = n % 10;
  if (n >= 1000) return german(n / 1000, "ein") + " tausend" + (n % 1000 > 0 ? " " + german(n % 1000) : "");
  if (n >= 100) return german(n / 100, "ein") + " hundert" + (n % 100 > 0 ? " " + german(n % 100, one) : "");
  if (n >= 20) return (unit > 0 ? german(unit, "ein") + " und " : "") + kVocabulary[kGerman + 18 + n / 10];
  return n == 1 ? one : kVocabulary[kGerman + n];
}

Tokens tokens_of(const std::string& sentence) {
  Tokens tokens;
  for (const std::string& word : split(sentence))
    tokens.push_back(std::find(kVocabulary.begin(), kVocabulary.end(), word) - kVocabulary.begin());
  return tokens;
}

// A number for training. Each group of three digits is a random one from 0 to 999, more often a small one.
int training_number(std::mt19937& random) {
  const auto group = [&] { return static_cast<int>(1000 * std::pow(uniform(random), 2.5)); };
  int n = 0;
  while (n % kHeldOut == 0) n = 1000 * group() + group();
  return n;
}

// --- 5.3 Optimizer -----------------------------------------------------------------------------------------
double learning_rate(int step) {  // equation (3)
  return std::pow(d_model, -0.5) * std::min(std::pow(step, -0.5), step * std::pow(warmup_steps, -1.5));
}

// Adam [Kingma & Ba 2015]. It divides by the gradient's size, so a batch's sum works as well as its mean.
void adam(Parameter& w, int step) {
  constexpr double beta_1 = 0.9, beta_2 = 0.98, epsilon = 1e-9;
  // m and v began at 0, so the weights of the gradients in them do not yet sum to 1, but to these shares.
  const double m_share = 1 - std::pow(beta_1, step), v_share = 1 - std::pow(beta_2, step);
  const double lrate = learning_rate(step);
  for (std::size_t e = 0; e < w.value.elements.size(); ++e) {
    double &g = w.grad.elements[e], &m = w.m.elements[e], &v = w.v.elements[e];
    m = beta_1 * m + (1 - beta_1) * g;
    v = beta_2 * v + (1 - beta_2) * g * g;
    w.value.elements[e] -= lrate * (m / m_share) / (std::sqrt(v / v_share) + epsilon);
    g = 0;
  }
}

// --- 5.4 Regularization ------------------------------------------------------------------------------------
// Label smoothing. In q all tokens share epsilon_ls equally, and the right one also gets the rest.
Matrix smoothed(const Tokens& target, int vocab) {
  return (1 - epsilon_ls) * one_hot(target, vocab) + Matrix(1, vocab, epsilon_ls / vocab);
}

// loss = - sum of q log p. If p = softmax(logits), then grad_logits = p - q.
double cross_entropy(const Matrix& p, const Matrix& q) {
  double loss = 0;
  for (std::size_t e = 0; e < p.elements.size(); ++e) loss -= q.elements[e] * std::log(p.elements[e]);
  return loss;
}

// --- 6.1 Machine Translation -------------------------------------------------------------------------------
// Greedy search: append the most likely token until </s>, with the paper's limit of input length + 50.
Tokens translate(Transformer& model, const Tokens& source) {
  Dropout none;
  const Matrix memory = model.encode(source, none);
  Tokens output = {kStart};
  while (output.back() != kEnd && output.size() < source.size() + 50) {
    const Matrix logits = model.decode(output, memory, none);
    const auto end = logits.elements.end(), last_row = end - logits.columns;
    output.push_back(std::max_element(last_row, end) - last_row);
  }
  return output;
}

// --- The program -------------------------------------------------------------------------------------------
// Adds the gradients of a batch of sentence pairs to the parameters' gradients. Returns the loss of a token.
double loss_forward_backward(Transformer& model, std::mt19937& random, Dropout& dropout) {
  double loss = 0, tokens = 0;
  for (int pair = 0; pair < batch; ++pair) {
    const int n = training_number(random);
    const Tokens target_input = tokens_of("<s> " + german(n));
    const Tokens target = tokens_of(german(n) + " </s>");
    const Matrix memory = model.encode(tokens_of(english(n) + " </s>"), dropout);
    const Matrix p = softmax_forward(model.decode(target_input, memory, dropout));
    const Matrix q = smoothed(target, p.columns);
    model.backward(p - q);
    loss += cross_entropy(p, q);
    tokens += q.rows;
  }
  return loss / tokens;
}

std::string joined(const Tokens& tokens) {  // as one word, cut if it is too long
  std::string text;
  for (const int token : tokens)
    if (token > kEnd && text.size() < 72) text += kVocabulary[token];
  return text;
}

void train(Transformer& model, std::mt19937& random) {
  Dropout dropout = {p_drop, std::mt19937(random())};
  for (int step = 1; step <= steps; ++step) {
    const double loss = loss_forward_backward(model, random, dropout);
    for (Parameter* w : model.parameters()) {
      adam(*w, step);
      if (step > steps - 200 && step % 40 == 0) w->average += w->value / 5;  // the last 5 checkpoints (6.1)
      if (step == steps) w->value = w->average;
    }
    if (step % 75 > 0) continue;
    const double seconds = 1.0 * std::clock() / CLOCKS_PER_SEC;
    const std::string output = joined(translate(model, tokens_of(english(87'654) + " </s>")));
    std::printf("%4d  %.4f  %.3f  %7.1f  %s\n", step, learning_rate(step), loss, seconds, output.c_str());
  }
}

// The weights of the last translation, averaged over the heads. Rows: target. Columns: source.
void print_attention(const MultiHeadAttention& attention, const Tokens& source, const Tokens& target) {
  const char* const shades[] = {"·", "░", "▒", "▓", "█", "█"};  // for weights of 0, 0.2, ..., 1
  for (const int token : source) std::printf("%s ", kVocabulary[token].c_str());
  for (std::size_t i = 1; i < target.size(); ++i) {
    std::printf("\n");
    for (std::size_t j = 0; j < source.size(); ++j) {
      double weight = 0;
      for (const Head& head : attention.heads) weight += head.attention.weights(i - 1, j) / h;
      for (std::size_t c = 0; c < kVocabulary[source[j]].size(); ++c)
        std::printf("%s", shades[std::lround(5 * weight)]);
      std::printf(" ");
    }
    std::printf("%s", kVocabulary[target[i]].c_str());
  }
  std::printf("\n");
}

// Translates `count` held-out numbers, prints the first five, and returns how many are right.
int count_right(Transformer& model, std::mt19937& random, int count) {
  int right = 0;
  for (int i = 0; i < count; ++i) {
    const int n = kHeldOut * static_cast<int>(uniform(random) * 1'000'000 / kHeldOut);
    const Tokens output = translate(model, tokens_of(english(n) + " </s>"));
    const bool is_right = output == tokens_of("<s> " + german(n) + " </s>");
    right += is_right;
    if (i < 5) std::printf("%s\n  %s %s\n", english(n).c_str(), is_right ? "=" : "!", joined(output).c_str());
  }
  return right;
}

int main(int argc, char** argv) {
  std::mt19937 random(argc > 1 ? std::stoi(argv[1]) : 1);
  Transformer model(kVocabulary.size());
  for (Parameter* w : model.parameters())
    for (double& e : w->value.elements)
      if (w->value.rows > 1) e = (2 * uniform(random) - 1) / std::sqrt(d_model);
  std::printf("step  rate    loss   seconds  eighty seven thousand six hundred fifty four\n");
  train(model, random);
  const int count = 1000, right = count_right(model, random, count);
  const Tokens source = tokens_of(english(87'654) + " </s>"), output = translate(model, source);
  print_attention(model.decoder[N - 1].encoder_decoder_attention, source, output);
  std::printf("Held-out exact match: %.1f %% (%d of %d)\n", 100.0 * right / count, right, count);
}
