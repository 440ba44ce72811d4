#include "core/random.h"

#include <cmath>
#include <numbers>

#include "core/check.h"

namespace plainformer {

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  return radius * std::cos(angle);
}

Index Random::below(Index bound) {
  CHECK(bound > 0 && static_cast<std::int64_t>(bound) <= std::int64_t{1} << 31, "bound ", bound);
  // The high half of bits * bound is nearly uniform. Redrawing the lowest few products, which would favor
  // some values, makes it exactly uniform.
  const auto limit = static_cast<std::uint32_t>(bound);
  const std::uint32_t too_low = (0u - limit) % limit;
  while (true) {
    const std::uint64_t product = std::uint64_t{bits()} * limit;
    if (static_cast<std::uint32_t>(product) >= too_low) return static_cast<Index>(product >> 32);
  }
}

}  // namespace plainformer
