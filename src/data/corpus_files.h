// The files of a parallel text: two files for each part, line i opposite line i, or one file with a pair on each line.
#pragma once

#include <string>
#include <vector>

#include "core/real.h"

namespace plainformer {

// The columns of a file of pairs that hold the two sides, counted from 1.
struct PairColumns {
  Index source = 1, target = 2;
};

// The text is read in this order: the sources with their targets, then the files of pairs.
struct CorpusFiles {
  std::vector<std::string> source, target;  // equally many; the i-th source belongs to the i-th target
  std::vector<std::string> pairs;           // tab-separated (data/pair_file.h); "-" is standard input
  PairColumns columns = {};                 // of every file in `pairs`

  bool empty() const { return source.empty() && target.empty() && pairs.empty(); }
};

}  // namespace plainformer
