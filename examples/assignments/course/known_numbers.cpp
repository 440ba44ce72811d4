#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/input_error.h"
#include "core/number_text.h"
#include "recognition.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kRelative = 1e-9, kAbsolute = 1e-12;
constexpr const char* kHint = "write it with `course verify --write`";

bool same_number(double number, double other) {
  if (std::isnan(number) || std::isnan(other)) return std::isnan(number) && std::isnan(other);
  if (std::isinf(number) || std::isinf(other)) return number == other;
  return std::abs(number - other) <=
         std::max(kAbsolute, kRelative * std::max(std::abs(number), std::abs(other)));
}

bool same_word(const std::string& word, const std::string& other) {
  const auto number = parse_number<double>(word), other_number = parse_number<double>(other);
  return number && other_number ? same_number(*number, *other_number) : word == other;
}

// "softmax_forward: y of large x 0.25 0.75" -> its stage, its quantity, and where its numbers begin.
struct LineParts {
  std::string stage, quantity;
  std::vector<double> numbers;
};

LineParts parts_of(const std::string& line) {
  LineParts parts;
  const std::size_t colon = line.find(": ");
  if (colon != std::string::npos) parts.stage = line.substr(0, colon);
  std::istringstream words(colon == std::string::npos ? line : line.substr(colon + 2));
  for (std::string word; words >> word;) {
    if (const auto number = parse_number<double>(word))
      parts.numbers.push_back(*number);
    else
      parts.quantity += (parts.quantity.empty() ? "" : " ") + word;
  }
  return parts;
}

// Weights between 0.5 and 1.5 that look like random numbers.
double weight(std::size_t i, double frequency) {
  return 1 + 0.5 * std::sin(frequency * static_cast<double>(i + 1) * static_cast<double>(i + 2));
}

// What is no number takes part as one that nobody computes.
double finite(double number) {
  if (std::isnan(number)) return 71.0625;
  return std::isinf(number) ? std::copysign(83.03125, number) : number;
}

}  // namespace

ProbeLines probe_lines(const std::string& report) {
  ProbeLines lines;
  std::size_t begin = 0;
  for (std::size_t end = report.find('\n'); end != std::string::npos; end = report.find('\n', begin)) {
    lines.push_back(report.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Probes load_probes(const std::string& path) {
  std::ifstream file(path_of(path));
  if (!file) throw input_error(path, "cannot be read", kHint);
  Probes probes;
  ProbeLines* lines = nullptr;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string where = path + ":" + std::to_string(number);
    if (line.starts_with('[') && line.ends_with(']')) {
      const auto [entry, is_new] = probes.try_emplace(line.substr(1, line.size() - 2));
      if (!is_new) throw input_error(where, "a second " + line, kHint);
      lines = &entry->second;
    } else if (lines) {
      lines->push_back(line);
    } else {
      throw input_error(where, "numbers before the first [name]", kHint);
    }
  }
  return probes;
}

std::string to_text(const Probes& probes) {
  std::string text;
  for (const auto& [name, lines] : probes) {
    text += "[" + name + "]\n";
    for (const std::string& line : lines) text += line + "\n";
  }
  return text;
}

bool same_numbers(const std::string& line, const std::string& other) {
  std::istringstream words(line), other_words(other);
  std::string word, other_word;
  while (words >> word)
    if (!(other_words >> other_word) || !same_word(word, other_word)) return false;
  return !(other_words >> other_word);
}

Fingerprint fingerprint_of(const std::vector<double>& numbers) {
  Fingerprint result;
  result.count = static_cast<long>(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = finite(numbers[i]);
    result.sum += weight(i, 1.7) * number;
    result.other_sum += weight(i, 2.9) * number;
    result.scale += std::abs(number);
  }
  return result;
}

Fingerprint fingerprint_of(const std::string& line) {
  return fingerprint_of(parts_of(line).numbers);
}

bool is_all_nan(const Fingerprint& line) {
  if (line.count <= 0) return false;
  return same_fingerprint(
      line, fingerprint_of(std::vector<double>(static_cast<std::size_t>(line.count), std::nan(""))));
}

bool same_fingerprint(const Fingerprint& found, const Fingerprint& known) {
  if (found.count != known.count) return false;
  const double tolerance = std::max(kAbsolute, kRelative * std::max(found.scale, std::abs(known.sum)));
  return std::abs(found.sum - known.sum) <= tolerance &&
         std::abs(found.other_sum - known.other_sum) <= tolerance;
}

KnownNumbers::KnownNumbers(const Probes& probes, const std::vector<Bug>& bugs) {
  const auto reference = probes.find("reference");
  if (reference == probes.end()) return;
  for (const std::string& line : reference->second) {
    const LineParts parts = parts_of(line);
    if (stages_.empty() || stages_.back().name != parts.stage)
      stages_.push_back({parts.stage, reference_.size(), reference_.size()});
    ++stages_.back().last;
    quantities_.push_back(parts.quantity);
    reference_.push_back(fingerprint_of(line));
  }
  for (const Bug& bug : bugs) {
    const auto lines = probes.find(bug.name);
    if (lines == probes.end()) continue;
    mistakes_.push_back({.numbers_of = bug.numbers_of,
                         .read = bug.read,
                         .name = bug.name,
                         .numbers = aligned(lines->second)});
  }
}

void KnownNumbers::set_functions(const std::string& bug, const std::vector<std::string>& functions) {
  for (KnownMistake& mistake : mistakes_)
    if (mistake.name == bug) mistake.functions = functions;
}

std::vector<Fingerprint> KnownNumbers::aligned(const ProbeLines& lines) const {
  std::vector<Fingerprint> numbers(reference_.size());
  for (const Stage& stage : stages_) {
    std::size_t at = stage.first;
    bool fits = true;
    for (const std::string& line : lines) {
      const LineParts parts = parts_of(line);
      if (parts.stage != stage.name) continue;
      fits = fits && at < stage.last && parts.quantity == quantities_[at];
      if (fits) numbers[at++] = fingerprint_of(line);
    }
    if (!fits)  // numbers of nobody, which no mistake has
      for (std::size_t i = stage.first; i < stage.last; ++i) numbers[i] = {.count = Fingerprint::kNoLine - 1};
  }
  return numbers;
}

KnownNumbers::KnownNumbers(const Exercise& exercise)
    : KnownNumbers(load_probes(text_of(exercise.folder / "probe.txt")), exercise.bugs) {}

}  // namespace plainformer::course
