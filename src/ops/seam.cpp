// The seam: every operation that has two ways checks its arguments here, once for both, then takes the chosen
// way.
// The plain way's multiply-adds are counted here, so that its loops show nothing but their equation.
#include <cstdint>

#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "ops/fast/fast.h"
#include "ops/operations.h"
#include "ops/plain/plain.h"
#include "ops/plain/products.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

void check_same_shape(const Tensor& x, const Tensor& y) {
  CHECK(x.shape() == y.shape(), x.shape().to_string(), " for ", y.shape().to_string());
}

void check_ids(std::span<const int> ids, Index entries) {
  for (const int id : ids) CHECK(id >= 0 && id < entries, "id ", id, " of ", entries);
}

void check_rows(const Tensor& x, const Tensor& rows, Index first_row) {
  const Index batch = x.dim(0), len = x.dim(1), count = rows.dim(0), d = rows.dim(1);
  CHECK_SHAPE(rows, count, d);
  CHECK_SHAPE(x, batch, len, d);
  CHECK(first_row >= 0 && first_row + len <= count, "rows ", first_row, " to ", first_row + len - 1, " of ",
        count);
}

void check_neighbors(const NeighborMask& mask, Index len) {
  CHECK(mask.neighbors > 0 && (mask.causal || mask.neighbors % 2 == 1), "a window of ", mask.neighbors,
        mask.causal ? " neighbors" : " neighbors cannot be centered");
  CHECK(mask.global >= 0, "global ", mask.global);
  for (const Index length : mask.key_lengths)
    CHECK(length >= 0 && length <= len, "key length ", length, " of ", len);
}

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     Index heads) {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1);
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && value.dim(-1) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(-1) / heads, d_v = value.dim(-1) / heads;
  CHECK_SHAPE(query, batch, query_len, heads * d_k);
  CHECK_SHAPE(key, batch, key_len, heads * d_k);
  CHECK_SHAPE(value, batch, key_len, heads * d_v);
  for (const Index key_length : mask.key_lengths)
    CHECK(key_length >= 0 && key_length <= key_len, "key length ", key_length, " of ", key_len);
}

void check_dropout(Real probability, Index size) {
  CHECK(probability >= 0 && probability < 1, "dropout probability ", probability);
  CHECK(static_cast<std::int64_t>(size) <= std::int64_t{1} << 32, "a stream has 2^32 numbers, the tensor ",
        size, " elements");
}

void check_regularization(const AttentionRegularization& regularization, const Shape& weights) {
  check_dropout(regularization.weight_dropout, weights.elements());
  check_dropout(regularization.head_dropout, weights.elements());
  CHECK(regularization.penalty >= 0, "penalty on attention weights ", regularization.penalty);
  if (regularization.penalty == 0) return;
  CHECK(std::ssize(regularization.query_lengths) == weights[0], "query lengths of ",
        regularization.query_lengths.size(), " sentences, not ", weights[0]);
  for (const Index length : regularization.query_lengths)
    CHECK(length >= 0 && length <= weights[2], "query length ", length, " of ", weights[2]);
}

void check_targets(Index rows, Index classes, std::span<const int> targets, double smoothing) {
  CHECK(classes > 0, "no classes");
  CHECK(std::ssize(targets) == rows, targets.size(), " targets for ", rows, " rows");
  CHECK(smoothing >= 0 && smoothing < 1, "label smoothing ", smoothing);
  for (const int target : targets)
    CHECK(target == kNoTarget || (target >= 0 && target < classes), "target ", target, " of ", classes);
}

void check_projection(const Tensor& x, const Parameter& table, std::span<const int> targets,
                      double smoothing) {
  const Index classes = table.value.dim(0), d = x.dim(-1);
  CHECK_SHAPE(table.value, classes, d);
  check_targets(row_count(x), classes, targets, smoothing);
}

// grad_y [..., out] has as many rows as x [..., in].
void check_linear_gradient(const Tensor& grad_y, const Tensor& x) {
  CHECK(row_count(grad_y) == row_count(x), grad_y.shape().to_string(), " for input ", x.shape().to_string());
}

}  // namespace

void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamUpdate& update) {
  const Shape& shape = parameter.value.shape();
  CHECK(parameter.grad.shape() == shape && first_moment.shape() == shape && second_moment.shape() == shape,
        "gradient ", parameter.grad.shape().to_string(), ", moments ", first_moment.shape().to_string(),
        " and ", second_moment.shape().to_string(), " for ", shape.to_string());
  if (ways.adam == Way::kPlain) return plain::adam_update(parameter, first_moment, second_moment, update);
  return fast::adam_update(parameter, first_moment, second_moment, update);
}

Tensor add_rows_forward(Tensor x, const Tensor& rows, Index first_row) {
  check_rows(x, rows, first_row);
  if (ways.add_rows == Way::kPlain) return plain::add_rows_forward(std::move(x), rows, first_row);
  return fast::add_rows_forward(std::move(x), rows, first_row);
}

void add_rows_backward(const Tensor& grad_y, Tensor& grad_rows, Index first_row) {
  check_rows(grad_y, grad_rows, first_row);
  if (ways.add_rows == Way::kPlain) return plain::add_rows_backward(grad_y, grad_rows, first_row);
  return fast::add_rows_backward(grad_y, grad_rows, first_row);
}

Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache) {
  count_operation_call();
  check_attention(query, key, value, mask, heads);
  const bool is_regularized = cache.regularization.is_on();
  if (is_regularized)
    check_regularization(cache.regularization, {mask.batch(), heads, query.dim(1), key.dim(1)});
  if (ways.attention == Way::kPlain) {
    count_multiply_adds(plain::attention_products(query, key, value));
    if (is_regularized) return plain::regularized_attention_forward(query, key, value, mask, heads, cache);
    return plain::attention_forward(query, key, value, mask, heads, cache);
  }
  if (is_regularized) return fast::regularized_attention_forward(query, key, value, mask, heads, cache);
  return fast::attention_forward(query, key, value, mask, heads, cache);
}

AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  count_operation_call();
  // Take the way of the forward pass, because only that way can read its cache.
  const bool is_plain = cache.way == Way::kPlain, is_regularized = cache.regularization.is_on();
  const Index batch = cache.query.dim(0), query_len = cache.query.dim(is_plain ? 2 : 1);
  const Index width = is_plain ? cache.heads * cache.value.dim(3) : cache.value.dim(2);
  CHECK_SHAPE(grad_output, batch, query_len, width);
  if (is_plain) {
    // Both factors of both products of forward get a gradient.
    count_multiply_adds(2 * std::int64_t{cache.weights.size()} * (cache.query.dim(3) + cache.value.dim(3)));
    if (is_regularized) return plain::regularized_attention_backward(grad_output, cache);
    return plain::attention_backward(grad_output, cache);
  }
  if (is_regularized) return fast::regularized_attention_backward(grad_output, cache);
  return fast::attention_backward(grad_output, cache);
}

CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing) {
  check_projection(x, table, targets, smoothing);
  if (ways.cross_entropy == Way::kPlain)
    return plain::projected_cross_entropy_forward(x, table, targets, smoothing);
  return fast::projected_cross_entropy_forward(x, table, targets, smoothing);
}

CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x) {
  check_projection(x, table, targets, smoothing);
  if (ways.cross_entropy == Way::kPlain)
    return plain::projected_cross_entropy_forward_backward(grad_loss, x, table, targets, smoothing, grad_x);
  return fast::projected_cross_entropy_forward_backward(grad_loss, x, table, targets, smoothing, grad_x);
}

Tensor dropout_forward(Tensor x, Real probability, RandomStream stream) {
  check_dropout(probability, x.size());
  if (probability == 0) return x;
  if (ways.dropout == Way::kPlain) return plain::dropout_forward(std::move(x), probability, stream);
  return fast::dropout_forward(std::move(x), probability, stream);
}

Tensor dropout_backward(Tensor grad_y, Real probability, RandomStream stream) {
  check_dropout(probability, grad_y.size());
  if (probability == 0) return grad_y;
  if (ways.dropout == Way::kPlain) return plain::dropout_backward(std::move(grad_y), probability, stream);
  return fast::dropout_backward(std::move(grad_y), probability, stream);
}

Tensor add(Tensor x, const Tensor& y) {
  check_same_shape(x, y);
  if (ways.elementwise == Way::kPlain) return plain::add(std::move(x), y);
  return fast::add(std::move(x), y);
}

Tensor scale(Tensor x, Real factor) {
  if (ways.elementwise == Way::kPlain) return plain::scale(std::move(x), factor);
  return fast::scale(std::move(x), factor);
}

Tensor embedding_lookup_forward(std::span<const int> ids, const Parameter& table) {
  const Index entries = table.value.dim(0), d = table.value.dim(1);
  CHECK_SHAPE(table.value, entries, d);
  check_ids(ids, entries);
  if (ways.embedding_lookup == Way::kPlain) return plain::embedding_lookup_forward(ids, table);
  return fast::embedding_lookup_forward(ids, table);
}

void embedding_lookup_backward(const Tensor& grad_y, std::span<const int> ids, Parameter& table) {
  const Index count = std::ssize(ids), entries = table.value.dim(0), d = table.value.dim(1);
  CHECK(grad_y.size() == count * d, grad_y.shape().to_string(), " for ", count, " ids");
  check_ids(ids, entries);
  if (ways.embedding_lookup == Way::kPlain) return plain::embedding_lookup_backward(grad_y, ids, table);
  return fast::embedding_lookup_backward(grad_y, ids, table);
}

Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index d = x.dim(-1);
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  if (ways.layer_norm == Way::kPlain) return plain::layer_norm_forward(x, gain, bias, epsilon, cache);
  return fast::layer_norm_forward(x, gain, bias, epsilon, cache);
}

Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index d = cache.x.dim(-1);
  check_same_shape(grad_y, cache.x);
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  if (ways.layer_norm == Way::kPlain) return plain::layer_norm_backward(grad_y, cache, gain, bias);
  return fast::layer_norm_backward(grad_y, cache, gain, bias);
}

Tensor linear_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                const AttentionMask& mask, Index heads, LinearAttentionCache& cache) {
  count_operation_call();
  check_attention(query, key, value, mask, heads);
  if (ways.linear_attention == Way::kPlain) {
    Tensor output = plain::linear_attention_forward(query, key, value, mask, heads, cache);
    count_multiply_adds(plain::forward_products(cache));
    return output;
  }
  return fast::linear_attention_forward(query, key, value, mask, heads, cache);
}

AttentionGradients linear_attention_backward(const Tensor& grad_output, const LinearAttentionCache& cache) {
  count_operation_call();
  // Take the way of the forward pass, because only that way can read its cache.
  const bool is_plain = cache.way == Way::kPlain;
  const Index batch = cache.query.dim(0), query_len = cache.query.dim(is_plain ? 2 : 1);
  const Index width = is_plain ? cache.heads * cache.value.dim(3) : cache.value.dim(2);
  CHECK_SHAPE(grad_output, batch, query_len, width);
  if (is_plain) {
    count_multiply_adds(plain::backward_products(cache));
    return plain::linear_attention_backward(grad_output, cache);
  }
  return fast::linear_attention_backward(grad_output, cache);
}

Tensor linear_forward(const Tensor& x, const Parameter& w) {
  count_operation_call();
  const Index in = row_length(x), out = w.value.dim(-1);
  CHECK_SHAPE(w.value, in, out);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(plain::linear_products(x, w));
    return plain::linear_forward(x, w);
  }
  return fast::linear_forward(x, w);
}

Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  count_operation_call();
  const Index in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, in, out);
  check_linear_gradient(grad_y, x);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(2 * plain::linear_products(x, w));
    return plain::linear_backward(grad_y, x, w);
  }
  return fast::linear_backward(grad_y, x, w);
}

Tensor linear_bias_forward(const Tensor& x, const Parameter& w, const Parameter& b) {
  count_operation_call();
  const Index in = row_length(x), out = w.value.dim(-1);
  CHECK_SHAPE(w.value, in, out);
  CHECK_SHAPE(b.value, out);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(plain::linear_products(x, w));
    return plain::linear_bias_forward(x, w, b);
  }
  return fast::linear_bias_forward(x, w, b);
}

Tensor linear_bias_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b) {
  count_operation_call();
  const Index in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, in, out);
  CHECK_SHAPE(b.value, out);
  check_linear_gradient(grad_y, x);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(2 * plain::linear_products(x, w));
    return plain::linear_bias_backward(grad_y, x, w, b);
  }
  return fast::linear_bias_backward(grad_y, x, w, b);
}

Tensor linear_transposed_forward(const Tensor& x, const Parameter& w) {
  count_operation_call();
  const Index in = row_length(x), out = w.value.dim(0);
  CHECK_SHAPE(w.value, out, in);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(plain::linear_products(x, w));
    return plain::linear_transposed_forward(x, w);
  }
  return fast::linear_transposed_forward(x, w);
}

Tensor linear_transposed_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  count_operation_call();
  const Index in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, out, in);
  check_linear_gradient(grad_y, x);
  if (ways.linear == Way::kPlain) {
    count_multiply_adds(2 * plain::linear_products(x, w));
    return plain::linear_transposed_backward(grad_y, x, w);
  }
  return fast::linear_transposed_backward(grad_y, x, w);
}

Tensor log_sum_exp(const Tensor& x) {
  if (ways.log_sum_exp == Way::kPlain) return plain::log_sum_exp(x);
  return fast::log_sum_exp(x);
}

Tensor neighbor_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                  const NeighborMask& mask, Index heads, NeighborAttentionCache& cache) {
  // The global positions do not wait for the window. Their attention is counted for both.
  if (mask.global == 0) count_operation_call();
  const Index batch = mask.batch(), len = query.dim(1);
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && value.dim(-1) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(-1) / heads, d_v = value.dim(-1) / heads;
  CHECK_SHAPE(query, batch, len, heads * d_k);
  CHECK_SHAPE(key, batch, len, heads * d_k);
  CHECK_SHAPE(value, batch, len, heads * d_v);
  check_neighbors(mask, len);
  if (ways.neighbor_attention == Way::kPlain) {
    count_multiply_adds(plain::visible_pairs(mask, heads, len) * (d_k + d_v));
    return plain::neighbor_attention_forward(query, key, value, mask, heads, cache);
  }
  return fast::neighbor_attention_forward(query, key, value, mask, heads, cache);
}

AttentionGradients neighbor_attention_backward(const Tensor& grad_output,
                                               const NeighborAttentionCache& cache) {
  if (cache.mask.global == 0) count_operation_call();
  check_same_shape(grad_output, cache.value);
  // The way of the forward pass, because only that way can read its cache.
  if (cache.way == Way::kPlain) {
    const Index len = cache.query.dim(1), width = (cache.query.dim(2) + cache.value.dim(2)) / cache.heads;
    count_multiply_adds(2 * plain::visible_pairs(cache.mask, cache.heads, len) * width);
    return plain::neighbor_attention_backward(grad_output, cache);
  }
  return fast::neighbor_attention_backward(grad_output, cache);
}

CrossEntropy r_drop_forward_backward(Real grad_loss, const RDropOptions& options, const Tensor& x,
                                     Parameter& table, std::span<const int> targets, Tensor& grad_x) {
  const Index classes = table.value.dim(0), d = x.dim(-1);
  CHECK(options.alpha >= 0, "alpha ", options.alpha);
  CHECK_SHAPE(table.value, classes, d);
  CHECK(row_count(x) == 2 * std::ssize(targets), targets.size(), " targets for two passes over ",
        x.shape().to_string());
  check_targets(std::ssize(targets), classes, targets, options.smoothing);
  if (ways.r_drop == Way::kPlain)
    return plain::r_drop_forward_backward(grad_loss, options, x, table, targets, grad_x);
  return fast::r_drop_forward_backward(grad_loss, options, x, table, targets, grad_x);
}

Tensor relu_forward(Tensor x) {
  if (ways.relu == Way::kPlain) return plain::relu_forward(std::move(x));
  return fast::relu_forward(std::move(x));
}

Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  check_same_shape(grad_y, y);
  if (ways.relu == Way::kPlain) return plain::relu_backward(std::move(grad_y), y);
  return fast::relu_backward(std::move(grad_y), y);
}

double sum_of_squares(const Tensor& x) {
  if (ways.sum_of_squares == Way::kPlain) return plain::sum_of_squares(x);
  return fast::sum_of_squares(x);
}

TopK top_k(const Tensor& x, Index first_column, Index k) {
  CHECK(first_column >= 0 && k >= 1 && k <= row_length(x) - first_column, "the ", k, " largest of ",
        row_length(x), " columns from ", first_column, " on");
  if (ways.top_k == Way::kPlain) return plain::top_k(x, first_column, k);
  return fast::top_k(x, first_column, k);
}

}  // namespace plainformer
