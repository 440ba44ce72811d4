// The most multiply-adds that the processor can do with a table's instructions: the limit of matrix products.
#pragma once

#include "kernels/kernels.h"

namespace plainformer {

struct FmaRun {
  double operations;  // two for each multiply-add of each lane
  double sum;         // of all lanes of all chains at the end: 2 a lane, once steps >= 100
};

// Multiply-adds and nothing else, x = x / 2 + 1, `steps` times in so many independent chains that the units
// never wait, all in registers. The scalar table multiplies and adds separately, so its chains do, on the
// vectors that every processor of this architecture has (16 bytes): what a compiler may make of plain loops.
FmaRun run_fma_chains(const Kernels& table, Index steps);

}  // namespace plainformer
