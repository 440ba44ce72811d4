// The two ways of an operation, and the choice between them.
//
// A layer calls a function of ops/NAME.cpp. It checks its arguments, and one line leaves for the fast way.
// Below is the plain way: loops to read, each backward below its forward. The fast way (ops/fast/) computes
// the same with kernels and threads. Each call looks at `ways`, so the choice is made at run time. In gdb,
// `p plainformer::ways` shows it.
//
// Equation (1) holds no such line: transformer/multi_head_attention.cpp leaves before it splits the heads.
#pragma once

#include <string>
#include <type_traits>

namespace plainformer {

enum class Way { kFast, kPlain };

// The way of a group for which none is chosen: fast, but plain in the preset `debug`.
#ifdef PLAINFORMER_PLAIN_BY_DEFAULT
inline constexpr Way kDefaultWay = Way::kPlain;
#else
inline constexpr Way kDefaultWay = Way::kFast;
#endif

// Each member selects the implementation of one group of operations.
struct Ways {
  Way adam = kDefaultWay;           // ops/adam, and the sum of squares for clipping
  Way attention = kDefaultWay;      // equation (1) in all heads: MultiHeadAttention::attend
  Way byte_pairs = kDefaultWay;     // data/byte_pair_learner
  Way cross_entropy = kDefaultWay;  // the loss with its projection
  Way decoding = kDefaultWay;       // the search (fast: all hypotheses together); top_k_and_log_sum_exp
  Way elementwise = kDefaultWay;    // sums, ReLU, dropout
  Way layer_norm = kDefaultWay;
  Way linear = kDefaultWay;

  bool operator==(const Ways&) const = default;
};

// The ways in use. Do not change them while another thread computes.
extern Ways ways;

// The ways in which these groups are plain and the others fast. `names` is "all", "none", or names separated
// by commas. std::runtime_error, which names `where` and lists the groups, if a name is unknown or missing.
Ways plain_ways(const std::string& names, const std::string& where);

// Undoes plain_ways: "all", "none", or the names of the plain groups, "attention,layer_norm".
std::string plain_names(const Ways& ways);

// The ways in use, but attention is plain: only that keeps its weights.
Ways with_plain_attention();

// Makes another choice for as long as it lives.
template <auto& choice>
class InScope {
 public:
  using Choice = std::remove_reference_t<decltype(choice)>;
  explicit InScope(const Choice& chosen) : before_(choice) { choice = chosen; }
  ~InScope() { choice = before_; }
  InScope(const InScope&) = delete;
  InScope& operator=(const InScope&) = delete;

 private:
  Choice before_;
};
using WaysInScope = InScope<ways>;

// The precision of the fast way's matrix products in linear.h and cross_entropy.h, forward, backward and in
// decoding. All else is computed in float: sums, softmax, attention, norms, losses, residuals, Adam, weights.
enum class Precision { kFloat, kBf16 };

// The precision in use; kernels/bf16.h defines the products in bfloat16. Do not change it while another
// thread computes.
extern Precision product_precision;

std::string precision_name(Precision precision);  // "float" or "bf16"

using PrecisionInScope = InScope<product_precision>;

}  // namespace plainformer
