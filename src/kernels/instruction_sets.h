// The sets of kernels that this build holds, and how a function opts into an instruction set.
//
// An attribute switches an instruction set on for a single function. Flags for a whole file would also compile inline
// functions of shared headers with AVX, and the linker may keep that copy for everybody. So an inline function in a
// header may use only instructions that all its includers have.
#pragma once

#include "kernels/kernels.h"
#include "platform/compiler.h"

#if defined(__x86_64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_X86 1
#define TARGET_AVX2 TARGET("avx2,fma")
#define TARGET_AVX512 TARGET("avx512f,avx512dq,avx512bw,avx512vl,fma,bmi2")
#define TARGET_AVX512_BF16 TARGET("avx512f,avx512dq,avx512bw,avx512vl,avx512bf16,fma,bmi2")
#ifdef HAS_TILE_REGISTERS
#define PLAINFORMER_AMX 1
#define TARGET_AMX TARGET("avx512f,avx512dq,avx512bw,avx512vl,avx512bf16,fma,bmi2,amx-tile,amx-bf16")
#endif
#elif defined(__aarch64__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_NEON 1
#elif defined(__wasm_simd128__) && !defined(PLAINFORMER_DOUBLE)
#define PLAINFORMER_WASM 1  // a module has vectors everywhere or nowhere (-msimd128)
#endif

namespace plainformer {

// The functions and the structs of a set of kernels. <name>_matmul.cpp defines the three functions, <name>.cpp the
// set itself with its other kernels, <name>_bf16.cpp its products in half precision. (Sets without such a file take
// the products of another set; wasm is in scalar.cpp.)
#define DECLARE_KERNELS(instruction_set, tile_rows, tile_cols, row_tile_cols)                         \
  namespace instruction_set {                                                                         \
  inline constexpr Index kTileRows = tile_rows, kTileCols = tile_cols, kRowTileCols = row_tile_cols;  \
  void micro_kernel(const MicroTile& tile);                                                           \
  void pack(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to); \
  void pack_transposed(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to);   \
  extern const Kernels kKernels;                                                                      \
  extern const Bf16Kernels kBf16Kernels;                                                              \
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

namespace scalar {  // for the emulations
void pack_left_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride);
void pack_left_transposed_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride);
void pack_right_bf16(const Bf16Source& x, Bf16* to);
void pack_right_transposed_bf16(const Bf16Source& x, Bf16* to);
}  // namespace scalar

#ifdef PLAINFORMER_X86
namespace avx512 {
void multiply_pairs(const Bf16Block& block);           // with AVX512-BF16
void multiply_pairs_emulated(const Bf16Block& block);  // without it, the same bits
extern const Bf16Kernels kEmulatedBf16Kernels;         // those that kBf16Kernels takes without it
void pack_left_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride);
void pack_left_transposed_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride);
void pack_right_bf16(const Bf16Source& x, Bf16* to);
void pack_right_transposed_bf16(const Bf16Source& x, Bf16* to);
}  // namespace avx512
#endif
#ifdef PLAINFORMER_AMX
namespace amx {  // the kernels of avx512, but products in half precision by AMX (the set is in avx512.cpp)
extern const Kernels kKernels;
extern const Bf16Kernels kBf16Kernels;
}  // namespace amx
#endif

}  // namespace plainformer
