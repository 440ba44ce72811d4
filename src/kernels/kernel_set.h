// The struct of a set of kernels, from the functions that its namespace holds. Each set includes this file
// once, with SET as its namespace. So it has no guard. Without an initializer for each kernel it does not
// compile (-Wmissing-field-initializers).

namespace plainformer::SET {
namespace {

constexpr Kernels kernels_of_set(const char* name, void (*micro_kernel)(const MicroTile&),
                                 void (*micro_kernel_bf16)(const MicroTile&)) {
  return {
      .name = name,
      .tile_rows = kTileRows,
      .tile_cols = kTileCols,
      .row_tile_cols = kRowTileCols,
      .micro_kernel = micro_kernel,
      .pack = pack,
      .pack_transposed = pack_transposed,
      .micro_kernel_bf16 = micro_kernel_bf16,
      .pair_neighbors = pair_neighbors,
      .pair_rows = pair_rows,
      .add = add,
      .scale = scale,
      .scale_and_shift = scale_and_shift,
      .sum = sum,
      .dot = dot,
      .sum_of_squares = sum_of_squares,
      .dropout = dropout,
      .adam = adam,
      .softmax_gradient = softmax_gradient,
      .largest = largest,
      .exp_sum = exp_sum,
      .layer_norm = layer_norm,
      .layer_norm_backward = layer_norm_backward,
      .layer_norm_backward_parameters = layer_norm_backward_parameters,
      .fma_chains = fma_chains,
  };
}

}  // namespace
}  // namespace plainformer::SET
