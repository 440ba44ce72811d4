// How far a verb moves between the languages of the built-in grammar: "... that the queen buys this book" has the verb
// third from the end, "... dass die Königin dieses Buch kauft" has it last.
#pragma once

#include "data/toy/toy_grammar.h"

namespace plainformer {

// The largest difference between the place of a verb's first word among the English words and that of its German form
// among the German ones, over the verbs of the sentence. Commas count as words. A verb that comes apart (macht ... auf)
// stands where its first part does. std::logic_error if the pair is not one of the grammar's.
Index verb_distance(const ToyPair& pair);

}  // namespace plainformer
