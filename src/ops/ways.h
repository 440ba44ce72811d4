// The two ways of each operation, and the choice between them.
//
// Every operation that needs speed exists twice under one header. The plain way (ops/plain/) consists of
// loops to read, each backward below its forward. The fast way (ops/fast/) computes the same with kernels and
// threads. seam.cpp looks at `ways` in every call, so the choice is made for each operation, at run time. In
// gdb, `p plainformer::ways` shows it.
#pragma once

#include <string>

namespace plainformer {

enum class Way { kFast, kPlain };

// The way of an operation for which none is chosen: fast, but plain in the preset `debug`.
#ifdef PLAINFORMER_PLAIN_BY_DEFAULT
inline constexpr Way kDefaultWay = Way::kPlain;
#else
inline constexpr Way kDefaultWay = Way::kFast;
#endif

// One for each operation, named after its header, with two exceptions: `attention` is equation (1), in
// scaled_dot_product_attention.h; `decoding` is the search (decoding/), whose fast way caches keys and
// values.
struct Ways {
  Way adam = kDefaultWay;
  Way add_rows = kDefaultWay;
  Way attention = kDefaultWay;
  Way cross_entropy = kDefaultWay;
  Way decoding = kDefaultWay;
  Way dropout = kDefaultWay;
  Way elementwise = kDefaultWay;
  Way embedding_lookup = kDefaultWay;
  Way layer_norm = kDefaultWay;
  Way linear = kDefaultWay;
  Way linear_attention = kDefaultWay;
  Way log_sum_exp = kDefaultWay;
  Way neighbor_attention = kDefaultWay;
  Way r_drop = kDefaultWay;
  Way relu = kDefaultWay;
  Way sum_of_squares = kDefaultWay;
  Way top_k = kDefaultWay;

  bool operator==(const Ways&) const = default;
};

// The ways in use. Do not change them while another thread computes.
extern Ways ways;

// The ways in which these operations are plain and the others fast. `names` is "all", "none", or names
// separated by commas.
// std::runtime_error, which names `where` and lists the operations, if a name is unknown or missing.
Ways plain_ways(const std::string& names, const std::string& where);

// Undoes plain_ways: "all", "none", or the names of the plain operations, "attention,layer_norm".
std::string plain_names(const Ways& ways);

// Chooses other ways for as long as it lives.
class WaysInScope {
 public:
  explicit WaysInScope(const Ways& chosen) : before_(ways) { ways = chosen; }
  ~WaysInScope() { ways = before_; }
  WaysInScope(const WaysInScope&) = delete;
  WaysInScope& operator=(const WaysInScope&) = delete;

 private:
  Ways before_;
};

}  // namespace plainformer
