// The number type of the counting build, which finds this header where others find src/core/real.h: a float that counts
// the multiply-adds of loops, `sum += a * b`. All its other arithmetic is float's.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/number_text.h"

namespace plainformer {

using Index = std::ptrdiff_t;

// All since the program began. (The plain way has one thread.)
inline std::int64_t loop_multiply_adds = 0;

// a * b, which a sum may take up.
struct Product {
  float value;
  constexpr operator float() const { return value; }
};

class Real {
 public:
  Real() = default;
  constexpr Real(Product product) : value_(product.value) {}
  template <typename Number>
  requires std::integral<Number> || std::floating_point<Number>
  constexpr Real(Number number) : value_(static_cast<float>(number)) {}
  constexpr operator float() const { return value_; }

  Real& operator+=(Product product) { return count(value_ + product.value); }
  Real& operator-=(Product product) { return count(value_ - product.value); }

  constexpr Real& operator+=(float term) { return *this = value_ + term; }
  constexpr Real& operator-=(float term) { return *this = value_ - term; }
  constexpr Real& operator*=(float factor) { return *this = value_ * factor; }
  constexpr Real& operator/=(float divisor) { return *this = value_ / divisor; }

 private:
  Real& count(float sum) {
    ++loop_multiply_adds;
    return *this = sum;
  }

  float value_;
};

// Files of elementwise work, which core/multiply_adds.h leaves out, lack this operator, and so multiply floats.
#ifndef ELEMENTWISE_WORK
template <typename Number>
concept Counted = std::same_as<Number, Real> || std::same_as<Number, Product>;

template <typename A, typename B>
requires(Counted<A> || Counted<B>) constexpr Product operator*(const A& a, const B& b) {
  return {static_cast<float>(a) * static_cast<float>(b)};
}
#endif

template <>
inline std::optional<Real> parse_number<Real>(std::string_view text) {
  return parse_number<float>(text);
}

}  // namespace plainformer

template <>
class std::numeric_limits<plainformer::Real> : public std::numeric_limits<float> {};
