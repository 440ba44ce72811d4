// A sentence pair and the attention between its words, ready to be shown: as text or on a page.
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "model_folder/notes.h"
#include "report/terminal.h"

namespace plainformer {

// One kind of attention: the rows are its queries, the columns its keys.
struct AttentionOfKind {
  std::string name, title;                           // "encoder-decoder", "Encoder-decoder attention"
  std::string rows, columns;                         // what they are: "target as written", "source"
  std::vector<std::string> queries = {}, keys = {};  // special symbols included
  std::vector<Index> layers = {}, heads = {};        // those to show, by their numbers in the model, from 0
  std::vector<Tensor> weights = {};  // of each layer of the model: [heads, query_len, key_len]
};

inline constexpr const char* kAttentionKinds[] = {"encoder-self", "decoder-self", "encoder-decoder"};

// All three kinds, to show all layers and heads, in the order of kAttentionKinds. A row of the decoder has
// the name of its output: position i reads token i of the input and, after the last layer, writes token i of
// the output.
std::vector<AttentionOfKind> attention_of_pair(const Transformer& model, const Sentence& source,
                                               const Sentence& target);

// How many weights the maps show. attention_json takes about 5 bytes for each.
Index weights_to_show(const std::vector<AttentionOfKind>& kinds);

// A map for each head of each layer.
std::string attention_text(const std::vector<AttentionOfKind>& kinds, AttentionMapStyle style);

// [{"name": ..., "attn": [layer][head][from][to], "left_text": [...], "right_text": [...]}, ...], in the form
// of BertViz, and also what rows and columns are, and the numbers of the layers and heads. Weights have three
// digits. The page reads it, and docs/lab/where_heads_look.py.
std::string attention_json(const std::vector<AttentionOfKind>& kinds);

}  // namespace plainformer
