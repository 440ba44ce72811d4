// The register of random streams: every site that draws numbers, so that no two draw the same ones.
//
// random_stream(seed, step, site) names a stream. The seed is the run's. The step counts what the draws of a
// site belong to:
//
//   step                            sites
//   0                               weights, and a built-in grammar
//   attempt * 2^16 + batch          dropout
//   epoch                           order of the batches
//
// The weights, the first site of dropout, the order of the batches and the grammars share site 0 for as long as
// runs must repeat: in step 0 all four read (seed, 0, 0), and the numbers of neighboring parameters, sites and
// lines of text coincide as well. This is harmless, because each turns its numbers into something else: a weight,
// a mask, a permutation, a sentence. The sites that came later share nothing.
#pragma once

#include <cstdint>

namespace plainformer::random_site {

// The sites of step 0.
inline constexpr std::uint64_t kFirstWeight = 0;  // and one more for each parameter of the list
inline constexpr std::uint64_t kGrammar = 0;      // data/toy, parsing

// The site of an epoch.
inline constexpr std::uint64_t kShuffle = 0;  // the order of the batches

// The sites of a batch in an attempt at a training step. Dropout takes a site in each input and in each sub-layer.
inline constexpr int kSourceInput = 0, kTargetInput = 1, kFirstLayer = 2;

}  // namespace plainformer::random_site
