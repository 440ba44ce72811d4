// plainformer benchmark: attention, the plain way and the fast one.
#include <algorithm>

#include "core/random.h"
#include "core/thread_pool.h"
#include "ops/scaled_dot_product_attention.h"
#include "show/benchmark/benchmark_sections.h"
#include "transformer/multi_head_attention.h"

namespace plainformer {

namespace {

constexpr Index kHeads = 8, kHeadWidth = 64;

Tensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Tensor tensor(shape);
  Random random(random_stream(seed, 0, 0));
  Real* data = tensor.mutable_data();
  for (Index i = 0; i < tensor.size(); ++i) data[i] = static_cast<Real>(2 * random.uniform() - 1);
  return tensor;
}

Measurement time_attention(const BenchmarkContext& context, Way way, Index batch, Index len, bool causal) {
  Ways chosen = ways;
  chosen.attention = way;
  const WaysInScope in_scope(chosen);
  const Shape shape = {batch, len, kHeads * kHeadWidth};
  const Tensor query = random_tensor(shape, 1), key = random_tensor(shape, 2),
               value = random_tensor(shape, 3);
  const Tensor grad_output = random_tensor(shape, 4);
  const AttentionMask mask = {.key_lengths = std::vector<Index>(batch, len), .causal = causal};
  const MultiHeadAttention attention(kHeads * kHeadWidth, kHeads);
  MultiHeadAttention::Cache cache;
  return context.measure_beside_peak(context.threads, [&] {
    attention.attend(query, key, value, mask, cache);
    attention.attend_backward(grad_output, cache);
  });
}

}  // namespace

BenchmarkSection benchmark_attention(const BenchmarkContext& context, const std::vector<Index>& lengths,
                                     Index tokens) {
  BenchmarkSection section = {
      .key = "attention",
      .title = "Attention, forward and backward",
      .note =
          "8 heads of 64, all threads; the share of the peak counts Q K^T and weights V, 2mnk forward and "
          "4mnk backward",
      .table = {.columns = {{"length", "length", ColumnKind::kNumber},
                            {"batch", "batch", ColumnKind::kNumber},
                            {"plain_milliseconds", "plain ms", ColumnKind::kNumber, 2},
                            {"fast_milliseconds", "fast ms", ColumnKind::kNumber, 2},
                            {"fast_fastest_milliseconds", "fastest", ColumnKind::kNumber, 2},
                            {"fast_slowest_milliseconds", "slowest", ColumnKind::kNumber, 2},
                            {"causal_milliseconds", "causal ms", ColumnKind::kNumber, 2},
                            {"plain_over_fast", "plain/fast", ColumnKind::kNumber, 2},
                            {"share_of_peak", "fast of peak", ColumnKind::kShare}},
                .rows = {}}};
  for (const Index len : lengths) {
    const Index batch = std::max<Index>(1, tokens / len);
    const std::string where = "attention over " + std::to_string(len) + ", ";
    context.announce(where + "plain");
    const Measurement plain = time_attention(context, Way::kPlain, batch, len, /*causal=*/false);
    context.announce(where + "fast");
    const Measurement fast = time_attention(context, Way::kFast, batch, len, /*causal=*/false);
    context.announce(where + "fast, causal");
    const Measurement causal = time_attention(context, Way::kFast, batch, len, /*causal=*/true);
    const double operations =
        2.0 * 6 * static_cast<double>(batch * kHeads * len) * static_cast<double>(len * kHeadWidth);
    section.table.rows.push_back({double(len), double(batch), 1e3 * plain.median, 1e3 * fast.median,
                                  1e3 * fast.fastest, 1e3 * fast.slowest, 1e3 * causal.median,
                                  plain.median / fast.median, operations / fast.median / fast.limit});
  }
  return section;
}

}  // namespace plainformer
