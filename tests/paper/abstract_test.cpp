// Paper: the abstract. A test for each sentence that says what the model is.
#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "promises/repository.h"
#include "support/pattern.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

bool names_recurrence_or_convolution(const std::string& line) {
  static const Pattern name("recurren|convol|lstm|(^|[^a-z])(rnn|cnn|gru)([^a-z]|$)",
                            Pattern::Case::kIgnored);
  return name.first_in(line).has_value();
}

// "We propose a new simple network architecture, the Transformer, based solely on attention mechanisms,
// dispensing with recurrence and convolutions entirely": no file, name or comment of the model has a word of
// them.
TEST(Abstract, DispensingWithRecurrenceAndConvolutionsEntirely) {
  const Lines files = files_under("src/transformer", ".*\\.(h|cpp)");
  ASSERT_GE(files.size(), 20u);
  for (const std::string& path : files) {
    EXPECT_FALSE(names_recurrence_or_convolution(path)) << path;
    for (const std::string& line : lines_of(kRoot / path))
      EXPECT_FALSE(names_recurrence_or_convolution(line)) << path << ": " << line;
  }
}

TEST(Abstract, TheRuleRejectsRecurrenceAndConvolutions) {
  for (const char* line :
       {"#include \"transformer/recurrent_layer.h\"", "ConvolutionLayer layer;", "// An LSTM",
        "src/transformer/rnn.h", "class RNN {", "Tensor gru_forward(Tensor x);"})
    EXPECT_TRUE(names_recurrence_or_convolution(line)) << line;
  for (const char* line : {"current", "src/transformer/encoder.h", "// The congruence of shapes"})
    EXPECT_FALSE(names_recurrence_or_convolution(line)) << line;
}

// Attention adds nothing: every W^O is 0.
void switch_attention_off(Transformer& model) {
  for (const NamedParameter& p : model.parameters())
    if (p.name.ends_with(".w_o")) *p.parameter = Parameter(Tensor::zeros(p.parameter->value.shape()));
}

// The positions of the target, and of the memory, whose vectors differ between two outputs.
std::vector<bool> positions_that_differ(const Tensor& x, const Tensor& y) {
  const Index len = x.dim(1), d = x.dim(2);
  std::vector<bool> differ(len);
  for (Index t = 0; t < len; ++t)
    differ[t] = !std::equal(x.data() + t * d, x.data() + (t + 1) * d, y.data() + t * d);
  return differ;
}

// "... based solely on attention mechanisms": attention alone carries anything from one position to another.
// With it, a word of the source reaches every position, and without it only its own in the encoder.
TEST(Abstract, BasedSolelyOnAttentionMechanisms) {
  const TokenBatch source = TokenBatch::from({{4, 5, 6, 7, 2}}),
                   changed = TokenBatch::from({{4, 5, 9, 7, 2}});
  const TokenBatch target = TokenBatch::from({{kStartId, 7, 8, 9}});
  const TokenBatch changed_target = TokenBatch::from({{kStartId, 10, 8, 9}});
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  Transformer::Cache cache;
  const auto encode = [&](const TokenBatch& tokens) { return model.encode(tokens); };
  const auto decode = [&](const TokenBatch& tokens, const TokenBatch& target_tokens) {
    return model.forward(tokens, target_tokens, dropout_of(0), cache);
  };
  using Positions = std::vector<bool>;
  const auto difference_of_memory = [&] { return positions_that_differ(encode(source), encode(changed)); };
  const auto by_source = [&] {
    return positions_that_differ(decode(source, target), decode(changed, target));
  };
  const auto by_target = [&] {
    return positions_that_differ(decode(source, target), decode(source, changed_target));
  };
  EXPECT_EQ(difference_of_memory(), Positions(5, true));
  EXPECT_EQ(by_source(), Positions(4, true));
  EXPECT_EQ(by_target(), (Positions{false, true, true, true}));

  switch_attention_off(model);
  EXPECT_EQ(difference_of_memory(), (Positions{false, false, true, false, false}));
  EXPECT_EQ(by_source(), Positions(4, false));
  EXPECT_EQ(by_target(), (Positions{false, true, false, false}));
}

}  // namespace
}  // namespace plainformer
