// The tables that this build holds, and how a function opts into an instruction set.
//
// Instruction sets are switched on for single functions, never for a file: a shared inline function compiled
// with AVX flags could otherwise end up as the one copy that the whole program uses. For the same reason the
// functions below the attributes call only intrinsics, functions that carry the attribute themselves, and
// the standard library's.
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

// <name>_matmul.cpp defines the matrix products of each table, <name>.cpp the rest and the table itself.
#define DECLARE_KERNELS(instruction_set, tile_rows, tile_cols, row_cols)                              \
  namespace instruction_set {                                                                         \
  inline constexpr Index kTileRows = tile_rows, kTileCols = tile_cols, kRowCols = row_cols;           \
  void multiply_tile(const Tile& tile);                                                               \
  void pack(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to); \
  void pack_transposed(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to);   \
  extern const Kernels kTable;                                                                        \
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
