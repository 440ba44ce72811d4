// The parts of `plainformer benchmark`. Each measures one kind of work and returns a table. Rates are
// medians, beside the limit of this machine: the peak of the multiply-add units with the kernels in use,
// measured after each sample.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/fast/matmul.h"
#include "report/numbers.h"
#include "report/progress_bar.h"
#include "training/training_loop.h"
#include "transformer/config.h"
#include "transformer/token_batch.h"

namespace plainformer {

// ---- measuring how long something takes: after a warm-up, repeatedly, with its spread

using Clock = std::function<double()>;  // seconds since some moment

struct Measurement {
  double median = 0, fastest = 0, slowest = 0;  // seconds a call
  Index samples = 0;
  double limit = 0;  // the median of `limit`, measured beside the samples
};

// Calls that are not counted. The first ones meet cold caches and new memory. The last one shows how many
// calls make a sample long enough for the clock.
inline constexpr Index kWarmUpCalls = 3;
inline constexpr Index kLeastSamples = 7;

// Repeats `work` for about `seconds`, and for at least kLeastSamples samples. `limit`, if any, measures the
// machine after each sample. A share of the limit needs both numbers from the same moment, because the clock
// can change by a third from one second to the next.
Measurement measure(double seconds, const std::function<void()>& work,
                    const std::function<double()>& limit = {}, const Clock& now = steady_seconds);

// ---- the machine and the sections

// Multiply-adds alone, by the kernels in use on `threads` threads of the pool: operations a second. Takes
// some milliseconds.
double peak_now(int threads);

// The best of several such measurements, because other programs can only slow the machine down.
double best_peak(int threads, double seconds);

struct BenchmarkContext {
  double seconds = 1;  // for each measurement
  int threads = 1;
  std::function<double(int threads)> peak = peak_now;
  std::function<void(const std::string& name)> announce = [](const std::string&) {};  // before a measurement

  // Measures `work` on that number of threads, which the pool keeps, beside their peak.
  Measurement measure_beside_peak(int thread_count, const std::function<void()>& work) const;
  std::vector<int> thread_counts() const;  // 1, and `threads` if it is more
};

struct BenchmarkSection {
  std::string title;  // "Matrix products"
  std::string note;   // explains the measurement
  Table table;
};

// The peak of every set of kernels that this processor can run.
BenchmarkSection benchmark_peak(const BenchmarkContext& context);

// The steps of matmul_ladder.h on matrices [n, n].
BenchmarkSection benchmark_ladder(const BenchmarkContext& context, Index n);

struct ProductShape {
  const char* name;
  Index m, n, k;
  Transpose transpose_a, transpose_b;
};
// The products of a Transformer.
std::vector<ProductShape> transformer_products();
BenchmarkSection benchmark_matmul(const BenchmarkContext& context, const std::vector<ProductShape>& shapes);

struct TrainingShape {
  std::string name;
  Index layers, d_model, heads, d_ff, vocab;
  Index batch, source_len, target_len;

  ModelConfig model_config() const;
  Index tokens() const { return batch * (source_len + target_len); }
};
std::vector<TrainingShape> training_shapes();  // nano, toy, tiny, small, base, long

// Random sentences of these lengths, </s> or <s> included, without padding.
TranslationBatch random_batch(Index vocab, Index batch, Index source_len, Index target_len);

// Trains up to step `steps` on the same batch, with the defaults of everything else. std::logic_error if a
// step is not finite.
void train_on(const TranslationBatch& batch, Transformer& model, Adam& adam, Index steps, bool recompute,
              const std::function<void(const StepReport&)>& after_step = {});

// Whole steps: forward with dropout 0.1, loss with smoothing 0.1, backward, Adam.
BenchmarkSection benchmark_training(const BenchmarkContext& context,
                                    const std::vector<TrainingShape>& shapes);

}  // namespace plainformer
