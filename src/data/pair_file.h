// A parallel text in one file: a pair on each line, in columns that a tab separates (TSV).
//
// A tab always ends a column, and a line feed always ends a pair: there is no quoting, so a quotation mark is a
// character of the text. Both LF and CR LF end a line, also in the same file.
#pragma once

#include <string>
#include <vector>

#include "data/corpus_files.h"

namespace plainformer {

// The two columns of a file, line by line. A side of a blank line is empty.
struct PairLines {
  std::vector<std::string> source, target;  // equally many
  std::vector<Index> open_quotes;  // lines, from 1, where a side begins with a quote that is never closed
};

// Lines may differ in their number of columns. input_error if the file is empty, if a line has no column of these
// numbers or more than 100 columns, if a carriage return stands within a line, or if LineReader refuses the line.
PairLines read_pair_file(const std::string& path, const PairColumns& columns);

// Reads standard input in the same way. It may be called again: the text is kept (standard_input).
PairLines read_pairs_of_standard_input(const PairColumns& columns);

}  // namespace plainformer
