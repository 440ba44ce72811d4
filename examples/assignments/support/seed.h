// The teacher's seed, and the extents and values that a variant's tests draw from it.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.h"

namespace plainformer::course {

// PLAINFORMER_COURSE_SEED, or 1 without it.    std::runtime_error unless it is a whole number of 32 bits
inline unsigned seed() {
  const char* const text = std::getenv("PLAINFORMER_COURSE_SEED");
  if (text == nullptr) return 1;
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
  if (!is_number || number > std::numeric_limits<unsigned>::max())
    throw std::runtime_error("PLAINFORMER_COURSE_SEED: '" + std::string(text) +
                             "' is not a seed\nhint: give a number from 0 to 4294967295");
  return static_cast<unsigned>(number);
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
