// The WebAssembly kernels: matrix products with vectors, and everything else from the scalar set, whose loops the
// compiler turns into vectors itself. Matrix products still take half of a training step.
#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_WASM
namespace plainformer::wasm {
namespace {

Kernels with_vectors(Kernels kernels) {
  kernels.name = "wasm";
  kernels.tile_rows = kTileRows;
  kernels.tile_cols = kTileCols;
  kernels.row_tile_cols = kRowTileCols;
  kernels.micro_kernel = micro_kernel;
  kernels.pack = pack;
  kernels.pack_transposed = pack_transposed;
  return kernels;
}

}  // namespace

const Kernels kKernels = with_vectors(scalar::kKernels);

}  // namespace plainformer::wasm
#endif
