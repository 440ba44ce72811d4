// The mode of arithmetic in which a fused multiply-add rounds as a step of vdpbf16ps does. Only for the emulations of
// this instruction.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>

namespace plainformer {

// The mode of floating-point arithmetic for as long as this object lives: round to nearest, subnormal inputs and
// results are zeros, no exceptions.
//
// Call what computes in this mode through a volatile pointer, which no compiler knows, so that none moves an addition
// out of the mode.
class ZerosForSubnormals {
 public:
  ZerosForSubnormals() : before_(_mm_getcsr()) {
    constexpr unsigned kFlushResults = 0x8000, kMaskExceptions = 0x1f80, kFlushInputs = 0x0040;
    _mm_setcsr(kFlushResults | kMaskExceptions | kFlushInputs);
  }
  ~ZerosForSubnormals() { _mm_setcsr(before_); }
  ZerosForSubnormals(const ZerosForSubnormals&) = delete;
  ZerosForSubnormals& operator=(const ZerosForSubnormals&) = delete;

 private:
  const unsigned before_;
};

}  // namespace plainformer
#endif
