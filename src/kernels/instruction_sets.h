// The sets of kernels that this build holds, and how a function opts into an instruction set.
//
// An attribute switches an instruction set on for a single function. Flags for a whole file would also
// compile inline functions of shared headers with AVX, and the linker may keep that copy for all callers. So
// an inline function in a header may use only instructions that all its includers have.
#pragma once

#include "kernels/kernels.h"
#include "platform/compiler.h"

#if defined(__x86_64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_X86 1
#define TARGET_AVX2 TARGET("avx2,fma")
#define TARGET_AVX512 TARGET("avx512f,avx512dq,avx512bw,avx512vl,fma,bmi2")
#define TARGET_AVX512_BF16 TARGET("avx512f,avx512dq,avx512bw,avx512vl,avx512bf16,fma,bmi2")
#elif defined(__aarch64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_NEON 1
#define TARGET_NEON  // every aarch64 has it
#elif defined(__wasm_simd128__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_WASM 1
#define TARGET_WASM  // a module has vectors everywhere or nowhere (-msimd128)
#endif

namespace plainformer {

// The struct of a set of kernels, and the size of its tiles. Those of scalar and wasm are in scalar.cpp, the
// others in vector_sets.cpp.
#define DECLARE_KERNELS(instruction_set, tile_rows, tile_cols, row_tile_cols)                        \
  namespace instruction_set {                                                                        \
  inline constexpr Index kTileRows = tile_rows, kTileCols = tile_cols, kRowTileCols = row_tile_cols; \
  extern const Kernels kKernels;                                                                     \
  }

DECLARE_KERNELS(scalar, 4, 16, 64)
#ifdef PLAINFORMER_X86
DECLARE_KERNELS(avx2, 6, 16, 64)
DECLARE_KERNELS(avx512, 14, 32, 128)
#endif
#ifdef PLAINFORMER_NEON
DECLARE_KERNELS(neon, 8, 12, 48)
#endif
#ifdef PLAINFORMER_WASM
DECLARE_KERNELS(wasm, 4, 8, 32)
#endif

#undef DECLARE_KERNELS

}  // namespace plainformer
