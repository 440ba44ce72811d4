#include "lab/table_3/variation_csv.h"

#include <cmath>
#include <iterator>
#include <optional>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/split.h"
#include "data/text.h"

namespace plainformer {

namespace {

const std::string kHeader = "row,variation,seed,perplexity,bleu,parameters,seconds";

constexpr double VariationResult::*kNumbers[] = {&VariationResult::perplexity, &VariationResult::bleu,
                                                 &VariationResult::parameters, &VariationResult::seconds};
constexpr std::size_t kColumns = 3 + std::size(kNumbers);

RecordedRun parse_line(const std::string& line, const std::string& where) {
  const std::string hint = "each line is " + kHeader + ", as plainformer variations writes it";
  const std::vector<std::string> fields = split_at(',', line);
  if (fields.size() != kColumns)
    throw input_error(where, "has " + std::to_string(fields.size()) + " columns", hint);
  const std::optional<Index> seed = parse_number<Index>(fields[2]);
  if (!seed || *seed < 0) throw input_error(where, "\"" + fields[2] + "\" is not a seed", hint);
  RecordedRun run = {.row = fields[0], .variation = fields[1], .seed = *seed, .result = {}};
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) {
    const std::optional<double> number = parse_number<double>(fields[3 + i]);
    if (!number || !std::isfinite(*number) || *number < 0)
      throw input_error(where, "\"" + fields[3 + i] + "\" is not a number from 0 on", hint);
    run.result.*kNumbers[i] = *number;
  }
  return run;
}

}  // namespace

std::string variation_csv(const std::vector<RecordedRun>& runs) {
  std::string csv = kHeader + "\n";
  for (const RecordedRun& run : runs) {
    csv += run.row + "," + run.variation + "," + std::to_string(run.seed);
    for (const auto number : kNumbers) csv += "," + shortest_text(run.result.*number);
    csv += "\n";
  }
  return csv;
}

std::vector<RecordedRun> read_variation_csv(const std::string& path) {
  const std::vector<std::string> lines = read_lines(path);
  if (lines.empty() || lines[0] != kHeader)
    throw input_error(path + ":1", "is not the first line of variations.csv", "it should be " + kHeader);
  std::vector<RecordedRun> runs;
  for (std::size_t i = 1; i < lines.size(); ++i)
    runs.push_back(parse_line(lines[i], path + ":" + std::to_string(i + 1)));
  return runs;
}

}  // namespace plainformer
