// The numbers of a file, and a checksum of its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace plainformer {

// Numbers of a file: the least significant byte comes first, on every machine. Compilers make one load or
// store of each.
template <typename Number>
using BitsOf = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;

template <typename Number>
Number load(const char* bytes) {
  BitsOf<Number> bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i)
    bits |= static_cast<BitsOf<Number>>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  Number number;
  std::memcpy(&number, &bits, sizeof number);  // as std::bit_cast, which the browser's library lacks
  return number;
}

template <typename Number>
void store(char* bytes, Number number) {
  BitsOf<Number> bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  for (std::size_t i = 0; i < sizeof bits; ++i) bytes[i] = static_cast<char>(bits >> 8 * i);
}

// A 64-bit checksum against accidents (a flipped bit, a lost block, an edited file), not against forgers.
//
// Little-endian 64-bit words go to four lanes in turn, so that the processor multiplies for all four at once.
// A word w changes its lane from s to mix(xor(s, w)), where mix is a bijection. So a change within one word
// changes its lane in all later steps, and is always detected. Other accidents go undetected about once in
// 2^64.
class Checksum {
 public:
  Checksum& add(std::string_view bytes);  // in pieces of any length: only the sequence of all bytes matters
  std::string hex() const;                // 16 digits

 private:
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);  // bytes

  static void add_stripe(std::array<std::uint64_t, kLanes>& lanes, const char* bytes);

  // The first 256 bits of the fraction of pi.
  std::array<std::uint64_t, kLanes> lanes_ = {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u,
                                              0x082efa98ec4e6c89u};
  std::array<char, kStripe> pending_ = {};  // the first length_ % kStripe bytes of the next stripe
  std::uint64_t length_ = 0;
};

}  // namespace plainformer
