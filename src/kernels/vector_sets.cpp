// The kernels of the instruction sets with vectors. They are written once, in vector_tile.h, vector_pack.h
// and vector_kernels.h, and compiled here for each set: in its namespace (SET), over its Vector, and with its
// attribute on every function (TARGET_OF_SET).
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "kernels/avx2_vector.h"
#include "kernels/avx512_vector.h"
#include "kernels/instruction_sets.h"
#include "kernels/neon_vector.h"

#ifdef PLAINFORMER_X86
// --- AVX2 ---

#define SET avx2
#define TARGET_OF_SET TARGET_AVX2
#include "kernels/vector_kernels.h"

namespace plainformer::avx2 {
constexpr Kernels kKernels =
    kernels_of_set("avx2", micro_kernel_of<FloatProducts>, micro_kernel_of<PairProducts>);
}
#undef SET
#undef TARGET_OF_SET

// --- AVX512-BF16: a step of vdpbf16ps adds the products of a pair, the second one first ---

namespace plainformer::avx512_bf16 {
using namespace avx512;
}

#define SET avx512_bf16
#define TARGET_OF_SET TARGET_AVX512_BF16
#include "kernels/vector_tile.h"

namespace plainformer::avx512_bf16 {
namespace {

struct PairInstruction {
  TARGET_AVX512_BF16 static ALWAYS_INLINE Vector add(Vector a, Vector b, Vector sum) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
};

void micro_kernel_of_pairs(const MicroTile& tile) {
  micro_kernel_of<PairInstruction>(tile);
}

}  // namespace
}  // namespace plainformer::avx512_bf16
#undef SET
#undef TARGET_OF_SET

// --- AVX-512 ---

#define SET avx512
#define TARGET_OF_SET TARGET_AVX512
#include "kernels/vector_kernels.h"

namespace plainformer::avx512 {
namespace {

// By the instruction where the processor has it.
void micro_kernel_bf16(const MicroTile& tile) {
  static const bool has_instruction = CPU_SUPPORTS("avx512bf16");
  if (has_instruction)
    avx512_bf16::micro_kernel_of_pairs(tile);
  else
    micro_kernel_of<PairProducts>(tile);
}

}  // namespace

constexpr Kernels kKernels = kernels_of_set("avx512", micro_kernel_of<FloatProducts>, micro_kernel_bf16);

}  // namespace plainformer::avx512
#undef SET
#undef TARGET_OF_SET
#endif

#ifdef PLAINFORMER_NEON
#define SET neon
#define TARGET_OF_SET TARGET_NEON
#include "kernels/vector_kernels.h"

namespace plainformer::neon {
constexpr Kernels kKernels =
    kernels_of_set("neon", micro_kernel_of<FloatProducts>, micro_kernel_of<PairProducts>);
}
#undef SET
#undef TARGET_OF_SET
#endif
