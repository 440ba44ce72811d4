// Numbers of a file, whose least significant byte comes first, on every machine. Compilers turn each of these
// functions into one load or store.
#pragma once

#include <cstdint>
#include <cstring>

namespace plainformer {

inline std::uint32_t load_u32(const char* bytes) {
  const auto byte = [bytes](int i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
}

inline std::uint64_t load_u64(const char* bytes) {
  const auto byte = [bytes](int i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
  };
  return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24 | byte(4) << 32 | byte(5) << 40 |
         byte(6) << 48 | byte(7) << 56;
}

inline void store_u32(char* bytes, std::uint32_t value) {
  bytes[0] = static_cast<char>(value);
  bytes[1] = static_cast<char>(value >> 8);
  bytes[2] = static_cast<char>(value >> 16);
  bytes[3] = static_cast<char>(value >> 24);
}

inline void store_u64(char* bytes, std::uint64_t value) {
  store_u32(bytes, static_cast<std::uint32_t>(value));
  store_u32(bytes + 4, static_cast<std::uint32_t>(value >> 32));
}

inline float load_f32(const char* bytes) {
  const std::uint32_t bits = load_u32(bytes);
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

inline double load_f64(const char* bytes) {
  const std::uint64_t bits = load_u64(bytes);
  double number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

inline void store_f32(char* bytes, float number) {
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  store_u32(bytes, bits);
}

}  // namespace plainformer
