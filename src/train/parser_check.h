// Translating and parsing are one search (6.3), so the wrong kind of model would answer every line with nonsense.
#pragma once

#include "model_folder/model_folder.h"

namespace plainformer {

// Was the model trained to parse? The record of its run tells. Without a record, its vocabulary does: a parser's spells
// phrases that open and close, "(NP" and ")NP".
bool is_parser(const ModelFolder& folder, const Vocabulary& vocabulary);

// std::runtime_error if a model is a parser, or if it is none.
void require_translator(const ModelFolder& folder, const Vocabulary& vocabulary);
void require_parser(const ModelFolder& folder, const Vocabulary& vocabulary);

}  // namespace plainformer
