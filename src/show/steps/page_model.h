// The model of docs/page-model, in the program itself: so small that every number of it can be checked by hand.
#pragma once

#include "model_folder/model_folder.h"

namespace plainformer {

// The clause that the chapters follow through it.
inline constexpr const char* kPageClause = "that the queen buys a book";

// Equal to load_model("docs/page-model"), without a file.
LoadedModel page_model();

}  // namespace plainformer
