// plainformer benchmark: attention, as equation (1) is read and as it is computed.
#include <algorithm>

#include "app/benchmark/benchmark_measure.h"
#include "app/benchmark/benchmark_sections.h"
#include "core/random.h"
#include "core/thread_pool.h"
#include "transformer/fused_attention.h"
#include "transformer/scaled_dot_product_attention.h"

namespace plainformer {

namespace {

constexpr Index kHeads = 8, kHeadWidth = 64;

Tensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Tensor tensor(shape);
  Random random(random_key(seed, 0, 0));
  Real* data = tensor.mutable_data();
  for (Index i = 0; i < tensor.size(); ++i) data[i] = static_cast<Real>(2 * random.uniform() - 1);
  return tensor;
}

struct Inputs {
  Tensor query, key, value, grad_output;
};

Inputs random_inputs(const Shape& shape) {
  return {random_tensor(shape, 1), random_tensor(shape, 2), random_tensor(shape, 3), random_tensor(shape, 4)};
}

Measurement time_plain(const BenchmarkContext& context, Index batch, Index len) {
  const Inputs inputs = random_inputs({batch, kHeads, len, kHeadWidth});
  const AttentionMask mask = {.key_lengths = std::vector<Index>(batch, len), .causal = false};
  AttentionCache cache;
  return context.measure_beside_peak(context.threads, [&] {
    scaled_dot_product_attention_forward(inputs.query, inputs.key, inputs.value, mask, cache);
    scaled_dot_product_attention_backward(inputs.grad_output, cache);
  });
}

Measurement time_fused(const BenchmarkContext& context, Index batch, Index len, bool causal) {
  const Inputs inputs = random_inputs({batch, len, kHeads * kHeadWidth});
  const AttentionMask mask = {.key_lengths = std::vector<Index>(batch, len), .causal = causal};
  FusedAttentionCache cache;
  return context.measure_beside_peak(context.threads, [&] {
    fused_attention_forward(inputs.query, inputs.key, inputs.value, mask, kHeads, cache);
    fused_attention_backward(inputs.grad_output, cache);
  });
}

}  // namespace

BenchmarkSection benchmark_attention(const BenchmarkContext& context, const std::vector<Index>& lengths,
                                     Index tokens) {
  using Kind = TableColumn::Kind;
  BenchmarkSection section = {
      .key = "attention",
      .title = "Attention, forward and backward",
      .note =
          "8 heads of 64, all threads; the share of the peak counts Q K^T and weights V, 2mnk forward and "
          "4mnk backward",
      .table = {.columns = {{"length", "length", Kind::kNumber},
                            {"batch", "batch", Kind::kNumber},
                            {"plain_milliseconds", "plain ms", Kind::kNumber, 2},
                            {"fused_milliseconds", "fused ms", Kind::kNumber, 2},
                            {"fused_fastest_milliseconds", "fastest", Kind::kNumber, 2},
                            {"fused_slowest_milliseconds", "slowest", Kind::kNumber, 2},
                            {"causal_milliseconds", "causal ms", Kind::kNumber, 2},
                            {"plain_over_fused", "plain/fused", Kind::kNumber, 2},
                            {"share_of_peak", "fused of peak", Kind::kShare}},
                .rows = {}}};
  for (const Index len : lengths) {
    const Index batch = std::max<Index>(1, tokens / len);
    const std::string where = "attention over " + std::to_string(len) + ", ";
    context.announce(where + "plain");
    const Measurement plain = time_plain(context, batch, len);
    context.announce(where + "fused");
    const Measurement fused = time_fused(context, batch, len, /*causal=*/false);
    context.announce(where + "fused, causal");
    const Measurement causal = time_fused(context, batch, len, /*causal=*/true);
    const double operations = 2.0 * 6 * static_cast<double>(batch * kHeads * len * len * kHeadWidth);
    section.table.rows.push_back({double(len), double(batch), 1e3 * plain.median, 1e3 * fused.median,
                                  1e3 * fused.fastest, 1e3 * fused.slowest, 1e3 * causal.median,
                                  plain.median / fused.median, operations / fused.median / fused.limit});
  }
  return section;
}

}  // namespace plainformer
