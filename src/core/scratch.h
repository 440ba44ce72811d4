// Working memory of one thread: taken piece by piece, returned all at once.
#pragma once

#include "core/real.h"

namespace plainformer {

// A thread's first memory, in elements: 16 MiB of floats, more than most operations need. The system backs
// only the touched pages.
inline constexpr Index kScratchOfThread = 1 << 22;

// Memory taken from a Scratch stays valid until the Scratch is destroyed. Scratches of one thread are nested:
// the last one made is destroyed first. The thread keeps the memory for its next Scratch, so a steady state
// allocates nothing.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // `count` elements, aligned to a cache line, contents unspecified.
  Real* take(Index count);

 private:
  std::size_t chunk_;  // the position in the thread's memory when this Scratch began
  Index used_;
};

// Allocates the calling thread's first memory now rather than at its first take(). The threads of the pool do
// this when they start, so memory use does not depend on the distribution of tasks over threads. If the
// allocation fails, nothing happens, and take() tries again.
void reserve_scratch();

}  // namespace plainformer
