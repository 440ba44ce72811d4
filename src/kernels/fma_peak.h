// How many multiply-adds a processor can do with the instructions of a set of kernels: the limit of matrix
// products.
#pragma once

#include "kernels/kernels.h"

namespace plainformer {

struct FmaRun {
  double operations;  // two for each multiply-add of each lane
  double sum;         // of all lanes of all chains at the end: 2 for each lane, once steps >= 100
};

// Runs nothing but multiply-adds in registers, x = x / 2 + 1, `steps` times, in enough independent chains to keep
// the units busy. The scalar kernels multiply and add separately, and so do their chains: on vectors of 16
// bytes, which every processor of this architecture has, and which a compiler may use for plain loops.
FmaRun run_fma_chains(const Kernels& kernel_set, Index steps);

}  // namespace plainformer
