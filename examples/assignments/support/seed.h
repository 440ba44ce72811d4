// The teacher's seed, and the extents and values that a variant's tests draw from it.
#pragma once

#include <cstdlib>
#include <vector>

#include "core/random.h"

namespace plainformer::course {

// PLAINFORMER_COURSE_SEED, which `course` sets; 1 without it.
inline unsigned seed() {
  const char* const text = std::getenv("PLAINFORMER_COURSE_SEED");
  return text ? static_cast<unsigned>(std::strtoull(text, nullptr, 10)) : 1;
}

// Draws the same on every machine. Each `purpose` has draws of its own.
class Draw {
 public:
  explicit Draw(unsigned purpose) : random_(random_stream(seed(), 0, purpose)) {}

  // least .. most
  Index whole(Index least, Index most) { return least + random_.below(most - least + 1); }

  // Pairwise different numbers of least .. most: with equal extents, a transposition may pass unnoticed.
  std::vector<Index> extents(Index count, Index least, Index most) {
    std::vector<Index> all;
    for (Index extent = least; extent <= most; ++extent) all.push_back(extent);
    shuffle(all, random_);
    return {all.begin(), all.begin() + count};
  }

  double value(double least = -2, double most = 2) { return least + (most - least) * random_.uniform(); }

  std::vector<double> values(Index count, double least = -2, double most = 2) {
    std::vector<double> drawn;
    for (Index i = 0; i < count; ++i) drawn.push_back(value(least, most));
    return drawn;
  }

 private:
  Random random_;
};

}  // namespace plainformer::course
