// The two ways, and which of them each operation takes.
//
// Every operation exists twice under one header. The plain way (ops/plain/) is loops to be read, forward beside
// backward. The fast way (ops/fast/) computes the same on kernels and threads. seam.cpp asks `ways` at every
// call, so the choice is made operation by operation, at run time. In gdb, `p plainformer::ways` shows it.
#pragma once

#include <string>

namespace plainformer {

enum class Way { kFast, kPlain };

// What an operation takes unless told otherwise: the fast way, but the plain one in the preset `debug`.
#ifdef PLAINFORMER_PLAIN_BY_DEFAULT
inline constexpr Way kDefaultWay = Way::kPlain;
#else
inline constexpr Way kDefaultWay = Way::kFast;
#endif

// One for each operation, named after its header. Two are made of operations: `attention` is equation (1), and
// `decoding` is the search, whose fast way keeps keys and values.
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
  Way log_sum_exp = kDefaultWay;
  Way relu = kDefaultWay;
  Way sum_of_squares = kDefaultWay;
  Way top_k = kDefaultWay;

  bool operator==(const Ways&) const = default;
};

// The ways in use. Not to be changed while another thread computes.
extern Ways ways;

// "all", "none", or names with commas between: those operations are plain, the others fast.
// std::runtime_error that names `where` and lists the operations if a name is unknown or the text is empty.
Ways plain_ways(const std::string& names, const std::string& where);

// The same in words: "all", "none", or the names of the plain operations, "attention,layer_norm".
std::string plain_names(const Ways& ways);

// Chooses ways for as long as it lives.
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
