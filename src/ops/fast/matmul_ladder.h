// One matrix product, c = a b, from three loops to the full speed of the machine: each step changes one
// thing. docs/appendix-matmul.md explains the steps; ops/matmul.h holds the final version.
//
// All matrices are square, n x n, row-major. Every step adds the products of an element in the same order. So
// the steps from naive to packed give the same bits as `multiply` with the scalar kernels, and the later
// steps give its bits with the kernels in use.
#pragma once

#include <array>

#include "core/real.h"

namespace plainformer {

// The definition: each element of c by itself.
void multiply_naive(Index n, const Real* a, const Real* b, Real* c);

// The same sums with the inner loop along the rows of b and c: neighbors in memory, so that each cache line
// is used whole, and the compiler can compute several columns in one instruction.
void multiply_by_rows(Index n, const Real* a, const Real* b, Real* c);

// The same in blocks: a block of b stays in the cache while all rows of a are multiplied by it.
void multiply_blocked(Index n, const Real* a, const Real* b, Real* c);

// The same with b copied first, into the order in which it is read, and c computed in tiles that stay in
// registers from the first product to the last. The tiles are plain loops (kernels/scalar_matmul.cpp).
void multiply_packed(Index n, const Real* a, const Real* b, Real* c);

// The same with tiles in the instruction set of kernels().
void multiply_simd(Index n, const Real* a, const Real* b, Real* c);

// The same with the rows of c divided among the threads.
void multiply_threaded(Index n, const Real* a, const Real* b, Real* c);

struct MatmulStep {
  const char* name;
  void (*multiply)(Index n, const Real* a, const Real* b, Real* c);
  const char* change;  // compared with the step before
};

inline constexpr std::array<MatmulStep, 6> kMatmulLadder = {{
    {"naive", multiply_naive, "three loops"},
    {"by rows", multiply_by_rows, "the inner loop runs along rows"},
    {"blocked", multiply_blocked, "a block of b stays in the cache"},
    {"packed", multiply_packed, "b in the order of reading, sums in registers"},
    {"SIMD", multiply_simd, "vectors and fused multiply-adds"},
    {"threads", multiply_threaded, "rows divided among threads"},
}};

}  // namespace plainformer
