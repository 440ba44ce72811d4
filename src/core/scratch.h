// Working memory of one thread: taken piece by piece, given back all at once.
#pragma once

#include "core/real.h"

namespace plainformer {

// What is taken from a Scratch stays valid while it lives. Scratches of one thread are nested: the last made
// goes first. The memory is kept for the thread's next one, so that a steady state allocates nothing.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // `count` elements, aligned to a cache line, contents unspecified.
  Real* take(Index count);

 private:
  std::size_t chunk_;  // where the thread's memory stood when this began
  Index used_;
};

// Gives the calling thread its first memory now, not when it first takes some: the threads of the pool do so
// when they start, so that it never matters which of them happens to run what. If there is none, nothing is
// given, and take() will ask again.
void reserve_scratch();

}  // namespace plainformer
