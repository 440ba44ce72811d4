#include "data/pair_file.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/check.h"
#include "core/input_error.h"
#include "core/strings.h"
#include "data/text.h"

namespace plainformer {

namespace {

constexpr Index kMostColumns = 100;  // a table with more is not a table of sentence pairs

// True for "\"Stop, he said." and false for "\"Stop\", he said."
bool has_open_quote(std::string_view text) {
  return text.starts_with('"') && std::count(text.begin(), text.end(), '"') % 2 == 1;
}

// The input_error of a line that has too few columns. The line before it may have opened a quote.
std::runtime_error lacks_column(const std::string& where, const std::vector<std::string>& fields,
                                const PairColumns& columns, bool follows_open_quote) {
  const Index last = std::max(columns.source, columns.target);
  const bool has_one = fields.size() == 1;
  std::string hint = "a tab must stand between the sentences; --columns says which columns to read";
  if (has_one && fields.front().find(';') != std::string::npos)
    hint = "a tab must stand between the sentences, not a semicolon";
  if (follows_open_quote || std::any_of(fields.begin(), fields.end(), has_open_quote))
    hint = "a quote opens here or in the line before, but quotes join no lines: write each pair on one line";
  return input_error(where,
                     "has " + std::to_string(fields.size()) + (has_one ? " column" : " columns") +
                         ", but column " + std::to_string(last) + " is asked for",
                     hint);
}

void check_fields(const std::string& where, const std::vector<std::string>& fields,
                  const PairColumns& columns, bool follows_open_quote) {
  if (std::ssize(fields) > kMostColumns) {
    throw input_error(
        where, "has " + std::to_string(fields.size()) + " columns, more than " + std::to_string(kMostColumns),
        "is it a table of sentence pairs?");
  }
  if (std::ssize(fields) < std::max(columns.source, columns.target))
    throw lacks_column(where, fields, columns, follows_open_quote);
}

PairLines read_pairs(LineReader reader, const PairColumns& columns) {
  CHECK(columns.source >= 1 && columns.target >= 1, columns.source, " and ", columns.target);
  PairLines lines;
  for (std::string line; reader.next(line);) {
    if (line.find('\r') != std::string::npos) {
      throw input_error(reader.where(), "has a carriage return within the line",
                        "end each line with LF or CR LF; tr '\\r' '\\n' converts old line ends");
    }
    std::string& source = lines.source.emplace_back();
    std::string& target = lines.target.emplace_back();
    if (is_blank(line)) continue;
    std::vector<std::string> fields = split_at('\t', line);
    const bool follows_open_quote =
        !lines.open_quotes.empty() && lines.open_quotes.back() == reader.line_number() - 1;
    check_fields(reader.where(), fields, columns, follows_open_quote);
    source = fields[columns.source - 1];
    target = fields[columns.target - 1];
    if (has_open_quote(source) || has_open_quote(target)) lines.open_quotes.push_back(reader.line_number());
  }
  return lines;
}

}  // namespace

PairLines read_pair_file(const std::string& path, const PairColumns& columns) {
  std::ifstream file = open_text_file(path);
  PairLines lines = read_pairs(LineReader(file, path), columns);
  if (lines.source.empty())
    throw input_error(path, "is empty", "write a pair on each line, with a tab between the sentences");
  return lines;
}

PairLines read_pairs_of_standard_input(const PairColumns& columns) {
  std::istringstream text(standard_input());
  PairLines lines = read_pairs(LineReader(text, kStandardInputName), columns);
  if (lines.source.empty())
    throw input_error(kStandardInputName, "is empty",
                      "pairs are read from it, by a resumed run once more: ... --pairs - < pairs.tsv");
  return lines;
}

}  // namespace plainformer
