// Tasks for a single layer of attention: to find something among other things.
//
// Each position holds one or more symbols, numbers from 0 on. The model answers each query with classes.
#pragma once

#include <functional>
#include <vector>

#include "core/random.h"
#include "core/real.h"

namespace plainformer {

struct LookupBatch {
  Index batch = 0, query_len = 0, key_len = 0;
  Index query_parts = 1, key_parts = 1;  // symbols at a position
  bool causal = false;                   // the queries are the positions of the keys, and see no later ones
  std::vector<int> query_symbols;        // [batch, query_len, query_parts]
  std::vector<int> key_symbols;          // [batch, key_len, key_parts]
  std::vector<int> targets;              // [batch, query_len, answers]: a class, or kNoTarget
};

// Draws a batch of that many examples.
using LookupTask = std::function<LookupBatch(Index batch, Random& random)>;

// Associative recall: `pairs` pairs of a key and a value, then the question for the value of one of the keys,
// or for the values of several, in the order of the questions. The keys of an example differ, the values need
// not.
struct RecallTask {
  Index pairs, keys, values;  // pairs <= keys: how many different keys and values there are
  Index questions = 1;        // at most `pairs`

  // Key a is the symbol a, value c is keys + c, and key a in question q is keys + values + q * keys + a.
  Index symbols() const { return keys + values + questions * keys; }
  LookupBatch draw(Index batch, Random& random) const;
};

// Copying: `length` random values, a sign, and then the same values once more, each predicted from all
// positions before it. Position i holds a value (or the sign) and the symbol of the position itself; so the
// answer stands `length` positions back.
struct CopyTask {
  Index length, values;

  // Value c is the symbol c, the sign is `values`, and position i is values + 1 + i.
  Index symbols() const { return values + 1 + 2 * length; }
  LookupBatch draw(Index batch, Random& random) const;
};

}  // namespace plainformer
