// plainformer benchmark: how long work takes, and the limits of this machine.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/check.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "show/benchmark/benchmark_sections.h"

namespace plainformer {

namespace {

constexpr double kShortestSample = 0.005;  // seconds

double time_of(const std::function<void()>& work, Index calls, const Clock& now) {
  const double begin = now();
  for (Index i = 0; i < calls; ++i) work();
  return (now() - begin) / static_cast<double>(calls);
}

}  // namespace

Measurement measure(double seconds, const std::function<void()>& work, const std::function<double()>& limit,
                    const Clock& now) {
  time_of(work, kWarmUpCalls - 1, now);
  const double call = std::max(time_of(work, 1, now), 1e-9);
  const auto calls = static_cast<Index>(std::ceil(std::min(seconds, kShortestSample) / call));

  std::vector<double> samples, limits;
  for (const double begin = now(); std::ssize(samples) < kLeastSamples || now() - begin < seconds;) {
    samples.push_back(time_of(work, std::max<Index>(calls, 1), now));
    if (limit) limits.push_back(limit());
  }
  std::sort(samples.begin(), samples.end());
  std::sort(limits.begin(), limits.end());
  return {.median = samples[samples.size() / 2],
          .fastest = samples.front(),
          .slowest = samples.back(),
          .samples = std::ssize(samples),
          .limit = limit ? limits[limits.size() / 2] : 0};
}

// ---- the peak

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
  const double seconds =
      time_of([&] { operations = operations_of_chains(kernels(), threads); }, 1, steady_seconds);
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
  BenchmarkSection section = {.title = "Multiply-add peak",
                              .note =
                                  "independent chains of multiply-adds in registers, which set the limit of "
                                  "all products; shares below "
                                  "are of\nthe peak of " +
                                  std::string(kernels().name) +
                                  " measured beside each sample, because the clock changes with the load",
                              .table = {.columns = {{"kernels"},
                                                    {"threads", ColumnKind::kNumber},
                                                    {"GFLOP/s", ColumnKind::kNumber, 1},
                                                    {"worst", ColumnKind::kNumber, 1},
                                                    {"best", ColumnKind::kNumber, 1}}}};
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

}  // namespace plainformer
