#include "beyond/batch_norm.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

constexpr Real kNewShare = static_cast<Real>(0.1);  // of the newest batch in the running moments

Index token_count(const std::vector<Index>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), Index(0));
}

// Calls f(row) for the row of each token that is not padding.
void for_each_token(const Tensor& x, const std::vector<Index>& lengths, const std::function<void(Index)>& f) {
  for (Index b = 0; b < x.dim(0); ++b)
    for (Index t = 0; t < lengths[b]; ++t) f(b * x.dim(1) + t);
}

}  // namespace

Tensor batch_norm_forward(const Tensor& x, const std::vector<Index>& lengths, const Parameter& gain,
                          const Parameter& bias, Real epsilon, BatchNormCache& cache) {
  const Index d = x.dim(-1), tokens = token_count(lengths);
  CHECK(x.rank() == 3 && std::ssize(lengths) == x.dim(0) && tokens >= 1, lengths.size(), " lengths of ",
        tokens, " tokens for ", x.shape().to_string());
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  const Real n = static_cast<Real>(tokens);

  // Step 1. Compute the mean of each column over the tokens, and the variance around it.
  WritableTensor mean(Tensor::zeros({d})), variance(Tensor::zeros({d})), rstd({d});
  for_each_token(x, lengths, [&](Index row) {
    for (Index j = 0; j < d; ++j) mean(j) += x(row, j) / n;
  });
  for_each_token(x, lengths, [&](Index row) {
    for (Index j = 0; j < d; ++j) variance(j) += (x(row, j) - mean(j)) * (x(row, j) - mean(j)) / n;
  });
  for (Index j = 0; j < d; ++j) rstd(j) = 1 / std::sqrt(variance(j) + epsilon);

  WritableTensor y(Tensor::zeros(x.shape()));
  for_each_token(x, lengths, [&](Index row) {
    for (Index j = 0; j < d; ++j) {
      // Step 2. Normalize: x_hat = (x - mean) rstd, with mean 0 and variance 1 in each column.
      const Real x_hat = (x(row, j) - mean(j)) * rstd(j);

      // Step 3. Scale and shift: y = gain x_hat + bias.
      y(row, j) = gain.value(j) * x_hat + bias.value(j);
    }
  });
  cache = {.x = x, .lengths = lengths, .mean = mean, .rstd = rstd, .variance = variance};
  return y;
}

Tensor batch_norm_backward(const Tensor& grad_y, const BatchNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Tensor &x = cache.x, &mean = cache.mean, &rstd = cache.rstd;
  const Index d = x.dim(-1);
  const Real n = static_cast<Real>(token_count(cache.lengths));
  CHECK(grad_y.shape() == x.shape(), grad_y.shape().to_string(), " for ", x.shape().to_string());
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);

  // Step 3 was: y = gain x_hat + bias. Every token used gain and bias, so their gradients sum over the tokens.
  WritableTensor sum_of_grad_y(Tensor::zeros({d}));
  WritableTensor sum_of_product(Tensor::zeros({d}));  // grad_y x_hat
  for_each_token(x, cache.lengths, [&](Index row) {
    for (Index j = 0; j < d; ++j) {
      sum_of_grad_y(j) += grad_y(row, j);
      sum_of_product(j) += grad_y(row, j) * (x(row, j) - mean(j)) * rstd(j);
    }
  });
  const TensorWriter grad_gain(gain.mutable_grad()), grad_bias(bias.mutable_grad());
  for (Index j = 0; j < d; ++j) {
    grad_gain(j) += sum_of_product(j);
    grad_bias(j) += sum_of_grad_y(j);
  }

  // Steps 2 and 1 were: x_hat = (x - mean) rstd, with the column's mean and variance. Every x_i changes both, and
  // through them every x_hat_k of the column: the mean by 1/n, and rstd by -rstd^2 x_hat_i / n. So, as in layer norm
  // with a column in the place of a row,
  //   grad_x_i = rstd (grad_x_hat_i - mean(grad_x_hat) - x_hat_i mean(grad_x_hat x_hat))
  // and grad_x_hat_i = gain grad_y_i, with one gain for the whole column.
  WritableTensor grad_x(Tensor::zeros(x.shape()));
  for_each_token(x, cache.lengths, [&](Index row) {
    for (Index j = 0; j < d; ++j) {
      const Real x_hat = (x(row, j) - mean(j)) * rstd(j);
      const Real centered = grad_y(row, j) - sum_of_grad_y(j) / n - x_hat * sum_of_product(j) / n;
      grad_x(row, j) = rstd(j) * gain.value(j) * centered;
    }
  });
  return grad_x;
}

void RunningMoments::update(const BatchNormCache& batch) {
  const Real n = static_cast<Real>(token_count(batch.lengths));
  const Real unbiased = n > 1 ? n / (n - 1) : 1;
  const TensorWriter running_mean(mean), running_variance(variance);
  for (Index j = 0; j < batch.mean.size(); ++j) {
    running_mean(j) += kNewShare * (batch.mean(j) - running_mean(j));
    running_variance(j) += kNewShare * (unbiased * batch.variance(j) - running_variance(j));
  }
}

Tensor batch_norm_inference(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                            const RunningMoments& moments) {
  const Index rows = row_count(x), d = x.dim(-1);
  CHECK_SHAPE(moments.mean, d);
  WritableTensor y(x.shape());
  for (Index j = 0; j < d; ++j) {
    const Real rstd = 1 / std::sqrt(moments.variance(j) + epsilon);
    for (Index row = 0; row < rows; ++row)
      y(row, j) = gain.value(j) * (x(row, j) - moments.mean(j)) * rstd + bias.value(j);
  }
  return y;
}

}  // namespace plainformer
