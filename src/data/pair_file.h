// The files of a parallel text: two files for each part, line i opposite line i, or one file with a pair on
// each line, in columns that a tab separates (TSV).
//
// In the second kind, a tab always ends a column, and a line feed always ends a pair: there is no quoting, so
// a quotation mark is a character of the text. Both LF and CR LF end a line, also in the same file.
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
  std::vector<std::string> pairs;           // tab-separated (read_pair_file); "-" is standard input
  PairColumns columns = {};                 // of every file in `pairs`

  bool empty() const { return source.empty() && target.empty() && pairs.empty(); }
};

// The two columns of a file, line by line. A side of a blank line is empty.
struct PairLines {
  std::vector<std::string> source, target;  // equally many
  std::vector<Index> open_quotes;  // lines, from 1, where a side begins with a quote that is never closed
};

// Lines may differ in their number of columns. input_error if the file is empty, if a line has no column of
// these numbers or more than 100 columns, if a carriage return is within a line, or if LineReader refuses
// the line.
PairLines read_pair_file(const std::string& path, const PairColumns& columns);

// Reads standard input in the same way. It may be called again: the text is kept (standard_input).
PairLines read_pairs_of_standard_input(const PairColumns& columns);

}  // namespace plainformer
