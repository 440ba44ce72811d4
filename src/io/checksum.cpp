#include "io/checksum.h"

#include <algorithm>

namespace plainformer {

namespace {

// 2^64 / golden ratio: odd, with its bits well spread.
constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;

// A bijection in which every bit reaches every other: a multiplication carries bits upward, a shift to the
// right carries them downward.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= kMultiplier;
  x ^= x >> 29;
  x *= kMultiplier;
  x ^= x >> 32;
  return x;
}

}  // namespace

void Checksum::add_stripe(std::array<std::uint64_t, kLanes>& lanes, const char* bytes) {
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = mix(lanes[i] ^ load<std::uint64_t>(bytes + 8 * i));
}

Checksum& Checksum::add(std::string_view bytes) {
  // Complete the stripe that the last piece began.
  const std::size_t begun = length_ % kStripe;
  length_ += bytes.size();
  if (begun > 0) {
    const std::size_t taken = std::min(bytes.size(), kStripe - begun);
    std::copy_n(bytes.data(), taken, pending_.data() + begun);
    bytes.remove_prefix(taken);
    if (begun + taken < kStripe) return *this;
    add_stripe(lanes_, pending_.data());
  }

  // All whole stripes, with the lanes in registers.
  std::array<std::uint64_t, kLanes> lanes = lanes_;
  for (; bytes.size() >= kStripe; bytes.remove_prefix(kStripe)) add_stripe(lanes, bytes.data());
  lanes_ = lanes;

  std::copy(bytes.begin(), bytes.end(), pending_.begin());
  return *this;
}

std::string Checksum::hex() const {
  // The last stripe is padded with zeros; the length distinguishes it from one that really ends in zeros.
  std::array<std::uint64_t, kLanes> lanes = lanes_;
  std::array<char, kStripe> last = {};
  std::copy_n(pending_.begin(), length_ % kStripe, last.begin());
  add_stripe(lanes, last.data());

  std::uint64_t value = mix(length_);
  for (std::uint64_t lane : lanes) value = mix(value ^ lane);
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value >>= 4)
    *digit = "0123456789abcdef"[value & 15];
  return digits;
}

}  // namespace plainformer
