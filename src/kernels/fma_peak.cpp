#include "kernels/fma_peak.h"

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>
#endif
#ifdef PLAINFORMER_NEON
#include <arm_neon.h>
#endif

namespace plainformer {
namespace {

// The chains are at most as many as the registers, minus two for the constants (except on 32-bit x86). Two units
// with a latency of four cycles need eight chains to stay busy. Each chain has a start of its own, because a
// compiler would compute equal chains only once. None starts at 2, the fixed point, which a compiler would not
// compute at all.

template <Index size>
FmaRun finished(const Real (&lanes)[size], Index steps) {
  FmaRun run = {.operations = 2.0 * static_cast<double>(size) * static_cast<double>(steps), .sum = 0};
  for (const Real lane : lanes) run.sum += lane;
  return run;
}

FmaRun scalar_chains(Index steps) {
  using Vector = VECTOR_OF(Real, 16);
  constexpr int kChains = 12, kLanes = 16 / sizeof(Real);
  Vector x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = Vector{} + static_cast<Real>(3 + i);
  const Vector half = Vector{} + Real{0.5}, one = Vector{} + Real{1};
  for (Index step = 0; step < steps; ++step) UNROLL(12)
  for (int i = 0; i < kChains; ++i) x[i] = x[i] * half + one;

  Real lanes[kChains * kLanes];
  for (int i = 0; i < kChains * kLanes; ++i) lanes[i] = x[i / kLanes][i % kLanes];
  return finished(lanes, steps);
}

#ifdef PLAINFORMER_X86
TARGET_AVX2 FmaRun avx2_chains(Index steps) {
  constexpr int kChains = 12, kLanes = 8;
  __m256 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm256_set1_ps(static_cast<float>(3 + i));
  const __m256 half = _mm256_set1_ps(0.5f), one = _mm256_set1_ps(1);
  for (Index step = 0; step < steps; ++step) UNROLL(12)
  for (int i = 0; i < kChains; ++i) x[i] = _mm256_fmadd_ps(x[i], half, one);

  float lanes[kChains * kLanes];
  for (int i = 0; i < kChains; ++i) _mm256_storeu_ps(lanes + i * kLanes, x[i]);
  return finished(lanes, steps);
}

TARGET_AVX512 FmaRun avx512_chains(Index steps) {
  constexpr int kChains = 24, kLanes = 16;
  __m512 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm512_set1_ps(static_cast<float>(3 + i));
  const __m512 half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1);
  for (Index step = 0; step < steps; ++step) UNROLL(24)
  for (int i = 0; i < kChains; ++i) x[i] = _mm512_fmadd_ps(x[i], half, one);

  float lanes[kChains * kLanes];
  for (int i = 0; i < kChains; ++i) _mm512_storeu_ps(lanes + i * kLanes, x[i]);
  return finished(lanes, steps);
}
#endif

#ifdef PLAINFORMER_NEON
FmaRun neon_chains(Index steps) {
  constexpr int kChains = 24, kLanes = 4;
  float32x4_t x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = vdupq_n_f32(static_cast<float>(3 + i));
  const float32x4_t half = vdupq_n_f32(0.5f), one = vdupq_n_f32(1);
  for (Index step = 0; step < steps; ++step) UNROLL(24)
  for (int i = 0; i < kChains; ++i) x[i] = vfmaq_f32(one, x[i], half);

  float lanes[kChains * kLanes];
  for (int i = 0; i < kChains; ++i) vst1q_f32(lanes + i * kLanes, x[i]);
  return finished(lanes, steps);
}
#endif

}  // namespace

FmaRun run_fma_chains(const Kernels& kernel_set, Index steps) {
#ifdef PLAINFORMER_AMX
  if (&kernel_set == &amx::kKernels) return avx512_chains(steps);
#endif
#ifdef PLAINFORMER_X86
  if (&kernel_set == &avx512::kKernels) return avx512_chains(steps);
  if (&kernel_set == &avx2::kKernels) return avx2_chains(steps);
#endif
#ifdef PLAINFORMER_NEON
  if (&kernel_set == &neon::kKernels) return neon_chains(steps);
#endif
  (void)kernel_set;
  return scalar_chains(steps);
}

}  // namespace plainformer
