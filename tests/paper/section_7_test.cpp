// Paper: 7 Conclusion. A test for each sentence that says what the model is.
#include <gtest/gtest.h>

#include <set>

#include "support/pattern.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

// "the Transformer, the first sequence transduction model based entirely on attention, replacing the
// recurrent layers most commonly used in encoder-decoder architectures with multi-headed self-attention": a
// weight belongs to the embedding, or to an attention, a feed-forward network or a norm of a layer of one of
// the two stacks.
TEST(Section7, BasedEntirelyOnAttention) {
  static const Pattern name(
      "(encoder|decoder)\\.[01]\\.(self_attention|encoder_decoder_attention|feed_forward)(_norm)?\\.\\w+");
  Transformer model(small_config(), 1);
  std::set<std::string> sub_layers;
  for (const NamedParameter& p : model.parameters()) {
    if (p.name == "embedding") continue;
    const auto match = name.match(p.name);
    ASSERT_TRUE(match) << p.name;
    sub_layers.insert(match->groups[1] + " " + match->groups[2]);
  }
  EXPECT_EQ(sub_layers,
            (std::set<std::string>{"encoder self_attention", "encoder feed_forward", "decoder self_attention",
                                   "decoder encoder_decoder_attention", "decoder feed_forward"}));
}

// "... with multi-headed self-attention": each head of each self-attention has a share in the output.
TEST(Section7, SelfAttentionIsMultiHeaded) {
  EXPECT_GT(ModelConfig().heads, 1);
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  const TranslationBatch batch = small_batch();
  const Index d_model = small_config().d_model, heads = small_config().heads, d_v = d_model / heads;
  const Tensor logits = logits_of(model, batch.source, batch.target_input, dropout_of(0));
  Index attentions = 0;
  for (const NamedParameter& p : model.parameters()) {
    if (!p.name.ends_with("self_attention.w_o")) continue;
    ++attentions;
    for (Index head = 0; head < heads; ++head) {
      const Parameter whole = *p.parameter;
      Tensor without_head = whole.value;
      std::fill_n(without_head.mutable_data() + head * d_v * d_model, d_v * d_model, Real{0});
      *p.parameter = Parameter(without_head);
      EXPECT_FALSE(same_bits(logits_of(model, batch.source, batch.target_input, dropout_of(0)), logits))
          << p.name << ", head " << head;
      *p.parameter = whole;
    }
  }
  EXPECT_EQ(attentions, 2 + 2);
}

}  // namespace
}  // namespace plainformer
