// One matrix product, c = a b, from three loops to all that the machine can do: each step is faster than the
// one before. docs/appendix-matmul.md explains them; ops/fast/matmul.h is the last one.
//
// All matrices are square, n x n, row-major. Each step adds up an element's products in the same order. So
// naive, by rows and local sums give the bits of `multiply` with the scalar kernels, and the later steps its
// bits with the kernels in use.
#pragma once

#include <array>

#include "core/real.h"

namespace plainformer {

// The definition: each element of c by itself.
void multiply_naive(Index n, const Real* a, const Real* b, Real* c);

// The inner loop runs along the rows of b and c. Neighbors in a row are neighbors in memory, so
// each cache line is used whole, and the compiler can compute several columns in one instruction.
void multiply_by_rows(Index n, const Real* a, const Real* b, Real* c);

// The rows are computed 64 columns at a time: their sums stay in a small array until they are finished, so c
// is written once.
void multiply_with_local_sums(Index n, const Real* a, const Real* b, Real* c);

// The micro-kernel of kernels() computes c in tiles of several rows: vectors, fused multiply-adds, and sums
// in registers. A block of b is packed first, into the order in which the micro-kernel reads it.
void multiply_simd(Index n, const Real* a, const Real* b, Real* c);

// Each thread computes its share of the rows of c in this way.
void multiply_threaded(Index n, const Real* a, const Real* b, Real* c);

struct MatmulStep {
  const char* name;
  void (*multiply)(Index n, const Real* a, const Real* b, Real* c);
  const char* change;  // from the step before
};

inline constexpr std::array<MatmulStep, 5> kMatmulLadder = {{
    {"naive", multiply_naive, "three loops"},
    {"by rows", multiply_by_rows, "the inner loop runs along rows"},
    {"local sums", multiply_with_local_sums, "64 sums stay local until they are finished"},
    {"SIMD", multiply_simd, "tiles in vector registers, fused multiply-adds, b packed"},
    {"threads", multiply_threaded, "rows divided among threads"},
}};

}  // namespace plainformer
