// plainformer benchmark: the limits of this machine.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/check.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "show/benchmark/benchmark_sections.h"

namespace plainformer {

namespace {

constexpr Index kChainSteps = 100'000;  // a few milliseconds at most
constexpr Index kTasksPerThread = 8;    // so that all wait only briefly for a thread that wakes late

double operations_of_chains(const Kernels& kernel_set, int thread_count) {
  std::vector<double> operations(static_cast<std::size_t>(kTasksPerThread * thread_count));  // of each task
  parallel_for(kTasksPerThread * thread_count, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const FmaRun run = kernel_set.fma_chains(kChainSteps);
      CHECK(run.operations == run.sum * kChainSteps, "a chain of multiply-adds ended at the wrong value");
      operations[static_cast<std::size_t>(task)] = run.operations;
    }
  });
  return std::accumulate(operations.begin(), operations.end(), 0.0);
}

struct Rate {
  double best, median, worst;  // operations a second
};

Rate peak_rate(const Kernels& kernel_set, int thread_count, double seconds) {
  set_threads(thread_count);
  double operations = 0;
  const Measurement time =
      measure(seconds, [&] { operations = operations_of_chains(kernel_set, thread_count); });
  return {operations / time.fastest, operations / time.median, operations / time.slowest};
}

}  // namespace

std::vector<int> BenchmarkContext::thread_counts() const {
  return threads == 1 ? std::vector<int>{1} : std::vector<int>{1, threads};
}

double peak_now(int threads) {
  double operations = 0;
  const double seconds = measure_once([&] { operations = operations_of_chains(kernels(), threads); });
  return operations / seconds;
}

Measurement BenchmarkContext::measure_beside_peak(int thread_count, const std::function<void()>& work) const {
  set_threads(thread_count);
  return measure(seconds, work, [&] { return peak(thread_count); });
}

double best_peak(int threads, double seconds) {
  return peak_rate(kernels(), threads, seconds).best;
}

BenchmarkSection benchmark_peak(const BenchmarkContext& context) {
  BenchmarkSection section = {.key = "peak",
                              .title = "Multiply-add peak",
                              .note =
                                  "independent chains of multiply-adds in registers, which set the limit of "
                                  "all products; shares below "
                                  "are of\nthe peak of " +
                                  std::string(kernels().name) +
                                  " measured beside each sample, because the clock changes with the load",
                              .table = {.columns = {{"kernels", "kernels"},
                                                    {"threads", "threads", ColumnKind::kNumber},
                                                    {"gflops", "GFLOP/s", ColumnKind::kNumber, 1},
                                                    {"gflops_worst", "worst", ColumnKind::kNumber, 1},
                                                    {"gflops_best", "best", ColumnKind::kNumber, 1}},
                                        .rows = {}}};
  for (const std::string& name : supported_kernels()) {
    for (const int count : context.thread_counts()) {
      context.announce("FMA peak of " + name + ", threads: " + std::to_string(count));
      const Rate rate = peak_rate(find_kernels(name), count, context.seconds);
      section.table.rows.push_back(
          {name, double(count), rate.median / 1e9, rate.worst / 1e9, rate.best / 1e9});
    }
  }
  return section;
}

namespace {

// y += x on two arrays.
class Traffic {
 public:
  explicit Traffic(Index elements) : x_(Tensor::filled({elements}, 1)), y_(Tensor::zeros({elements})) {}

  double bytes() const { return 3.0 * sizeof(Real) * static_cast<double>(x_.size()); }
  void pass() {
    const Real* from = x_.data();
    Real* to = y_.mutable_data();
    parallel_for(x_.size(), 1 << 16,
                 [&](Index begin, Index end) { kernels().add(end - begin, from + begin, to + begin); });
  }

 private:
  Tensor x_, y_;
};

}  // namespace

BenchmarkSection benchmark_memory(const BenchmarkContext& context, Index elements) {
  Traffic traffic(elements);
  BenchmarkSection section = {
      .key = "memory",
      .title = "Memory bandwidth",
      .note = "y += x on two arrays of " + std::to_string(elements * Index{sizeof(Real)} / (1 << 20)) +
              " MiB: two numbers read and one written for each element",
      .table = {.columns = {{"threads", "threads", ColumnKind::kNumber},
                            {"gigabytes_per_second", "GB/s", ColumnKind::kNumber, 1},
                            {"gigabytes_per_second_worst", "worst", ColumnKind::kNumber, 1},
                            {"gigabytes_per_second_best", "best", ColumnKind::kNumber, 1}},
                .rows = {}}};
  for (const int count : context.thread_counts()) {
    context.announce("memory bandwidth, threads: " + std::to_string(count));
    set_threads(count);
    const Measurement time = measure(context.seconds, [&] { traffic.pass(); });
    const double bytes = traffic.bytes();
    section.table.rows.push_back(
        {double(count), bytes / time.median / 1e9, bytes / time.slowest / 1e9, bytes / time.fastest / 1e9});
  }
  return section;
}

}  // namespace plainformer
