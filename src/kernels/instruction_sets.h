// The sets of kernels that this build holds, and how a function opts into an instruction set.
//
// An attribute switches an instruction set on for a single function, never for a file: otherwise a shared
// inline function compiled with AVX flags could become the one copy that the whole program uses. For the same
// reason a function with an attribute calls only intrinsics, functions with the same attribute, and the
// standard library.
#pragma once

#include "kernels/kernels.h"

#if defined(__x86_64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_X86 1
#define TARGET_AVX2 __attribute__((target("avx2,fma")))
#define TARGET_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma,bmi2")))
#elif defined(__aarch64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_NEON 1
#endif

#define ALWAYS_INLINE __attribute__((always_inline)) inline

namespace plainformer {

// <name>_matmul.cpp defines the first three functions, <name>.cpp the others and the set itself.
#define DECLARE_KERNELS(instruction_set, tile_rows, tile_cols, row_tile_cols)                         \
  namespace instruction_set {                                                                         \
  inline constexpr Index kTileRows = tile_rows, kTileCols = tile_cols, kRowTileCols = row_tile_cols;  \
  void micro_kernel(const MicroTile& tile);                                                           \
  void pack(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to); \
  void pack_transposed(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to);   \
  extern const Kernels kKernels;                                                                      \
  }

DECLARE_KERNELS(scalar, 4, 16, 64)
#ifdef PLAINFORMER_X86
DECLARE_KERNELS(avx2, 6, 16, 64)
DECLARE_KERNELS(avx512, 14, 32, 128)
#endif
#ifdef PLAINFORMER_NEON
DECLARE_KERNELS(neon, 8, 12, 48)
#endif

#undef DECLARE_KERNELS

}  // namespace plainformer
