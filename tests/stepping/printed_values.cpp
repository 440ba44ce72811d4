// Values for a debugger to print: printed_values.txt holds what it must show for each.
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "core/tensor.h"
#include "data/vocabulary.h"
#include "ops/attention_mask.h"
#include "ops/ways.h"
#include "transformer/token_batch.h"

namespace {

using plainformer::AttentionMask;
using plainformer::Index;
using plainformer::Parameter;
using plainformer::ParameterList;
using plainformer::Real;
using plainformer::Shape;
using plainformer::Tensor;
using plainformer::TokenBatch;
using plainformer::Vocabulary;
using plainformer::Ways;

// 0, 1, 2, ... quarters.
Tensor counted(const Shape& shape) {
  Tensor x = Tensor::zeros(shape);
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = static_cast<Real>(i) / 4;
  return x;
}

// Memory in which no object was ever built. The debugger looks at it as if there were one.
template <typename T>
union NeverBuilt {
  unsigned char bytes[sizeof(T)];
  T object;

  explicit NeverBuilt(int byte) { std::memset(bytes, byte, sizeof bytes); }
  ~NeverBuilt() {}

  void put(std::size_t offset, const std::vector<Index>& values) {
    std::memcpy(bytes + offset, values.data(), values.size() * sizeof(Index));
  }
};

struct Printed {
  Tensor vector = counted({7});
  Tensor matrix = counted({2, 3});
  Tensor of_rank_3 = counted({2, 3, 5});
  Tensor of_rank_4 = counted({2, 3, 2, 2});
  Tensor wide = counted({2, 1000});
  Tensor large = counted({600, 700});
  Tensor never_assigned;
  Tensor no_rows = Tensor::zeros({0, 3});
  Tensor source_of_move = counted({2, 3});
  Tensor target_of_move = std::move(source_of_move);
  Tensor with_nan = counted({2, 3});
  Tensor all_nan = Tensor::filled({2, 3}, std::numeric_limits<Real>::quiet_NaN());
  Shape shape = {2, 3, 5, 7};
  Parameter fresh = Parameter(counted({2, 2}));
  Parameter trained = Parameter(counted({2, 2}));
  ParameterList parameters = {{"encoder.0.w_1", &trained}, {"embedding", &fresh}};
  AttentionMask padded = {{3, 5, 2}, false};
  AttentionMask causal = {{3, 2}, true};
  AttentionMask fully_masked = {{0, 0}, false};
  AttentionMask no_sentence;
  TokenBatch tokens = TokenBatch::from({{4, 5, 2}, {6, 2}});
  TokenBatch no_tokens;
  TokenBatch moved_tokens = TokenBatch::from({{4, 5, 2}});
  TokenBatch taken_tokens = std::move(moved_tokens);
  Ways all_plain, two_plain;

  Printed() {
    Real* const x = with_nan.mutable_data();
    x[0] = std::numeric_limits<Real>::quiet_NaN();
    x[4] = -std::numeric_limits<Real>::infinity();
    trained.grad = Tensor::from({2, 2}, {3, 0, 0, -4});
    all_plain = plainformer::plain_ways("all", "");
    two_plain = plainformer::plain_ways("attention,layer_norm", "");
  }
};

// What a debugger meets before a constructor has run, after a destructor, and after a write out of bounds.
struct Broken {
  NeverBuilt<Tensor> garbage = NeverBuilt<Tensor>(0xa5);
  NeverBuilt<Tensor> dangling = NeverBuilt<Tensor>(0);
  NeverBuilt<Tensor> negative = NeverBuilt<Tensor>(0);
  NeverBuilt<Tensor> misplaced = NeverBuilt<Tensor>(0);
  NeverBuilt<Tensor> destroyed = NeverBuilt<Tensor>(0);
  NeverBuilt<Shape> shape = NeverBuilt<Shape>(0xa5);
  NeverBuilt<Parameter> parameter = NeverBuilt<Parameter>(0xa5);
  NeverBuilt<AttentionMask> mask = NeverBuilt<AttentionMask>(0xa5);
  NeverBuilt<TokenBatch> tokens = NeverBuilt<TokenBatch>(0xa5);
  NeverBuilt<Ways> ways = NeverBuilt<Ways>(0xa5);

  Broken() {
    // A tensor is its shape, then its block and its data. A shape that could be, and a pointer to nowhere.
    dangling.put(0, {1 << 20, 1 << 15, 0, 0, 2});
    dangling.put(sizeof(Shape), {0x4000, 0x4040});
    // A negative extent, and data that is not behind its block.
    negative.put(0, {-2, -3, 0, 0, 2});
    negative.put(sizeof(Shape), {0x4000, 0x4040});
    misplaced.put(0, {2, 3, 0, 0, 2});
    misplaced.put(sizeof(Shape), {0x4000, 0x8000});
    new (&destroyed.object) Tensor(counted({2, 3}));
    destroyed.object.~Tensor();
  }
};

}  // namespace

std::array<const void*, 3> shown;

// The debugger stops here.
int show(const Printed& printed, const Broken& broken, const Vocabulary& vocabulary) {
  shown = {&printed, &broken, &vocabulary};
  return broken.mask.bytes[0];
}

int main() {
  const Vocabulary vocabulary = Vocabulary::from_counts({{"the", 3}, {"schöne", 2}, {"\x1b[31m", 1}});
  const Printed printed;
  const Broken broken;
  int (*volatile call)(const Printed&, const Broken&, const Vocabulary&) = show;  // no optimizer looks inside
  return call(printed, broken, vocabulary) == 0xa5 ? 0 : 1;
}
