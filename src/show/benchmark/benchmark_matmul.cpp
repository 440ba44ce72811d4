// plainformer benchmark: matrix products, from three plain loops to the shapes of a Transformer.
#include <limits>

#include "core/check.h"
#include "core/random.h"
#include "core/thread_pool.h"
#include "ops/fast/matmul_ladder.h"
#include "ops/ways.h"
#include "show/benchmark/benchmark_sections.h"

namespace plainformer {

namespace {

Tensor random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Tensor matrix({rows, cols});
  Random random(random_stream(seed, 0, 0));
  Real* data = matrix.mutable_data();
  for (Index i = 0; i < matrix.size(); ++i) data[i] = static_cast<Real>(random.uniform() - 0.5);
  return matrix;
}

const std::vector<TableColumn> kRateColumns = {{"threads", ColumnKind::kNumber},
                                               {"GFLOP/s", ColumnKind::kNumber, 1},
                                               {"worst", ColumnKind::kNumber, 1},
                                               {"best", ColumnKind::kNumber, 1},
                                               {"of peak", ColumnKind::kShare}};

void append_rates(std::vector<TableCell>& row, int count, double operations, const Measurement& time) {
  for (const double cell : {double(count), operations / time.median / 1e9, operations / time.slowest / 1e9,
                            operations / time.fastest / 1e9, operations / time.median / time.limit})
    row.emplace_back(cell);
}

BenchmarkSection section_of(const std::string& title, const std::string& note,
                            std::vector<TableColumn> columns) {
  columns.insert(columns.end(), kRateColumns.begin(), kRateColumns.end());
  return {.title = title, .note = note, .table = {.columns = std::move(columns)}};
}

// "a b^T": the product, with its transposed factors.
std::string formula(const ProductShape& shape) {
  return std::string(shape.transpose_a == Transpose::kYes ? "a^T b" : "a b") +
         (shape.transpose_b == Transpose::kYes ? "^T" : "");
}

// Compares sums of n products between -1/4 and 1/4, with and without fused rounding: each of the n additions
// is off by at most a few units in the last place of 1.
void check_equal(const Tensor& c, const Tensor& expected, Index n) {
  const Real tolerance = 4 * static_cast<Real>(n) * std::numeric_limits<Real>::epsilon();
  for (Index i = 0; i < c.size(); ++i) {
    const Real difference = c.data()[i] - expected.data()[i];
    CHECK(difference <= tolerance && -difference <= tolerance, "a step of the ladder is wrong at ", i);
  }
}

}  // namespace

BenchmarkSection benchmark_ladder(const BenchmarkContext& context, Index n) {
  const PrecisionInScope in_float(Precision::kFloat);  // as all steps are
  const Tensor a = random_matrix(n, n, 1), b = random_matrix(n, n, 2);
  const double operations = 2.0 * static_cast<double>(n * n * n);
  Tensor expected({n, n}), c({n, n});
  multiply(as_matrix(a), Transpose::kNo, as_matrix(b), Transpose::kNo, expected.mutable_data(), false);
  Real* to = c.mutable_data();
  BenchmarkSection section = section_of(
      "The ladder of a matrix product",
      "[" + std::to_string(n) + ", " + std::to_string(n) + "] times the same; ops/fast/matmul_ladder.h",
      {{"step"}, {"what changed"}});
  const auto add = [&](const std::string& name, const std::string& change, int count, const auto& work) {
    context.announce("ladder: " + name);
    const Measurement time = context.measure_beside_peak(count, work);
    check_equal(c, expected, n);
    section.table.rows.push_back({name, change});
    append_rates(section.table.rows.back(), count, operations, time);
  };
  for (const MatmulStep& step : kMatmulLadder) {
    const int count = step.multiply == multiply_threaded ? context.threads : 1;
    add(step.name, step.change, count, [&] { step.multiply(n, a.data(), b.data(), to); });
  }
  add("multiply", "ops/fast/matmul.h: any shape, shared evenly", context.threads, [&] {
    multiply({a.data(), n, n, n}, Transpose::kNo, {b.data(), n, n, n}, Transpose::kNo, to, false);
  });
  return section;
}

std::vector<ProductShape> transformer_products() {
  constexpr Transpose no = Transpose::kNo, yes = Transpose::kYes;
  return {{"square-512", 512, 512, 512, no, no},    {"square-1024", 1024, 1024, 1024, no, no},
          {"projection", 2048, 512, 512, no, no},   {"ffn-up", 2048, 2048, 512, no, no},
          {"ffn-down", 2048, 512, 2048, no, no},    {"logits", 2048, 8000, 512, no, yes},
          {"grad-weight", 512, 512, 2048, yes, no}, {"tiny-projection", 2048, 128, 128, no, no},
          {"tiny-ffn", 2048, 256, 128, no, no},     {"head-64", 64, 64, 64, no, no},
          {"decode-32", 32, 512, 512, no, no},      {"decode-1", 1, 512, 512, no, no}};
}

BenchmarkSection benchmark_matmul(const BenchmarkContext& context, const std::vector<ProductShape>& shapes) {
  BenchmarkSection section = section_of("Matrix products", "[m, k] times [k, n], as stored",
                                        {{"shape"},
                                         {"m", ColumnKind::kNumber},
                                         {"n", ColumnKind::kNumber},
                                         {"k", ColumnKind::kNumber},
                                         {"c ="}});
  for (const ProductShape& shape : shapes) {
    const auto [name, m, n, k, transpose_a, transpose_b] = shape;
    const Tensor a = transpose_a == Transpose::kNo ? random_matrix(m, k, 1) : random_matrix(k, m, 1);
    const Tensor b = transpose_b == Transpose::kNo ? random_matrix(k, n, 2) : random_matrix(n, k, 2);
    Tensor c({m, n});
    const MatrixView a_view = {a.data(), a.dim(0), a.dim(1), a.dim(1)};
    const MatrixView b_view = {b.data(), b.dim(0), b.dim(1), b.dim(1)};
    const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n * k);
    for (const int count : context.thread_counts()) {
      context.announce(std::string(name) + ", threads: " + std::to_string(count));
      const Measurement time = context.measure_beside_peak(count, [&] {
        multiply(a_view, shape.transpose_a, b_view, shape.transpose_b, c.mutable_data(), false);
      });
      section.table.rows.push_back({name, double(m), double(n), double(k), formula(shape)});
      append_rates(section.table.rows.back(), count, operations, time);
    }
  }
  return section;
}

}  // namespace plainformer
