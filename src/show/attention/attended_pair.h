// A sentence pair and the attention between its words, ready to be shown.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "model_folder/notes.h"

namespace plainformer {

enum class AttentionKind { kEncoderSelf, kDecoderSelf, kEncoderDecoder };
inline constexpr AttentionKind kAttentionKinds[] = {AttentionKind::kEncoderSelf, AttentionKind::kDecoderSelf,
                                                    AttentionKind::kEncoderDecoder};

std::string option_name(AttentionKind kind);  // "encoder-decoder"
std::string title_of(AttentionKind kind);     // "Encoder-decoder attention"

// Which token names a row of the decoder. Position i reads token i of the input and, after the last layer,
// writes token i of the output.
enum class DecoderRows { kOutput, kInput };

// One kind of attention: the rows are its queries, the columns its keys.
struct AttentionOfKind {
  AttentionKind kind;
  std::vector<std::string> queries = {}, keys = {};  // special symbols included
  Index first_query_word = 0, first_key_word = 0;    // 1 if <s> stands before the first word
  std::vector<Index> layers = {}, heads = {};        // their numbers in the model, from 0
  std::vector<Tensor> weights = {};                  // of each layer: [heads, query_len, key_len]
};

// All three kinds, with all layers and heads, in the order of kAttentionKinds.
std::vector<AttentionOfKind> attention_of_pair(const Transformer& model, const Sentence& source,
                                               const Sentence& target, DecoderRows rows);

// Some layers and heads of a kind. An empty list keeps all; the numbers must be among the kind's own.
AttentionOfKind select(const AttentionOfKind& attention, const std::vector<Index>& layers,
                       const std::vector<Index>& heads);

}  // namespace plainformer
