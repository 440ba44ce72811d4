// Counter-based random numbers: the number at an index is a pure function of (seed, step, site, index).
// Nothing is stored and nothing depends on the order of the draws, so a dropout mask can be drawn again in
// the backward pass, by any number of threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/real.h"

namespace plainformer {

// One independent stream of 2^32 numbers.
struct RandomStream {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

// A bijection of 32-bit words in which each input bit flips each output bit with a probability close to one
// half (two multiply-xorshift rounds; multipliers from C. Wellons, "Prospecting for Hash Functions", 2018).
inline std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

// 32 random bits: two keyed bijections of the index.
inline std::uint32_t random_bits(RandomStream stream, std::uint32_t index) {
  return mix(mix(index ^ stream.first) ^ stream.second);
}

// The stream of one seed, training step and site (for example, one dropout in one layer).
inline RandomStream random_stream(std::uint64_t seed, std::uint64_t step, std::uint64_t site) {
  RandomStream stream;
  for (std::uint64_t word : {seed, step, site}) {
    const auto low = static_cast<std::uint32_t>(word);
    const auto high = static_cast<std::uint32_t>(word >> 32);
    stream = {mix(random_bits(stream, low) + high + 0x9e3779b9u),
              mix(random_bits({stream.second, stream.first}, high) + low)};
  }
  return stream;
}

// A sequence of draws from one stream, for initial weights and shuffles.
class Random {
 public:
  explicit Random(RandomStream stream) : stream_(stream) {}

  std::uint32_t bits() { return random_bits(stream_, next_++); }
  double uniform() { return (bits() + 0.5) / 4294967296.0; }  // in (0, 1)
  double normal();                                            // mean 0, variance 1 (Box-Muller)
  Index below(Index bound);                                   // uniform in 0 .. bound - 1; bound in 1 .. 2^31
  bool happens(Index percent) { return below(100) < percent; }  // an event of this probability

  // One of the elements of a vector, an array or a span; at least one.
  template <typename Elements>
  const auto& any_of(const Elements& elements) {
    return elements[below(std::ssize(elements))];
  }

 private:
  RandomStream stream_;
  std::uint32_t next_ = 0;
};

// Puts the elements in random order (Fisher & Yates).
template <typename Element>
void shuffle(std::vector<Element>& elements, Random& random) {
  for (Index i = std::ssize(elements); i > 1; --i) std::swap(elements[i - 1], elements[random.below(i)]);
}

}  // namespace plainformer

// The register of random streams: every site of a training run that draws numbers.
//
// random_stream(seed, step, site) names a stream. The seed is the run's. The step counts what the draws of a
// site belong to:
//
//   step                            sites
//   0                               weights, and a built-in grammar
//   attempt * 2^16 + batch          dropout
//   epoch                           order of the batches, and fresh copies
//
// The weights, the first site of dropout, the order of the batches and the grammars share site 0 for as long
// as runs must repeat: in step 0 all four read (seed, 0, 0), and the numbers of neighboring parameters, sites
// and lines of text coincide as well. This is harmless, because each turns its numbers into something else: a
// weight, a mask, a permutation, a sentence. The sites that came later share nothing.
namespace plainformer::random_site {

// The sites of step 0.
inline constexpr std::uint64_t kFirstWeight = 0;  // parameter i of the list has site kFirstWeight + i
inline constexpr std::uint64_t kGrammar = 0;      // data/toy, parsing

// The sites of an epoch.
inline constexpr std::uint64_t kShuffle = 0;        // the order of the batches
inline constexpr std::uint64_t kCopies = 1u << 20;  // with_fresh_copies; dropout and weights have fewer sites

// The sites of a batch in an attempt at a training step. Dropout takes a site in each input and in each
// sub-layer.
inline constexpr int kSourceInput = 0, kTargetInput = 1, kFirstLayer = 2;

}  // namespace plainformer::random_site
