#include "recognition.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/input_error.h"
#include "core/number_text.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr double kRelative = 1e-9, kAbsolute = 1e-12;

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

// Is `found` the beginning of `known`, or all of it?
bool begins_with(const ProbeLines& known, const ProbeLines& found) {
  return found.size() <= known.size() && std::equal(found.begin(), found.end(), known.begin(), same_numbers);
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
  const std::string hint = "write it with `course verify --write`";
  std::ifstream file(path_of(path));
  if (!file) throw input_error(path, "cannot be read", hint);
  Probes probes;
  ProbeLines* lines = nullptr;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string where = path + ":" + std::to_string(number);
    if (line.starts_with('[') && line.ends_with(']')) {
      const auto [entry, is_new] = probes.try_emplace(line.substr(1, line.size() - 2));
      if (!is_new) throw input_error(where, "a second " + line, hint);
      lines = &entry->second;
    } else if (lines) {
      lines->push_back(line);
    } else {
      throw input_error(where, "numbers before the first [name]", hint);
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

namespace {

// Bugs that differ from the reference only in lines that are as found. Together they explain what was found
// if each of its lines is the reference's or one of theirs.
std::vector<const Bug*> bugs_at_once(const ProbeLines& found, const ProbeLines& reference,
                                     const Probes& probes, const std::vector<Bug>& bugs) {
  std::vector<const Bug*> present;
  std::vector<bool> explained(found.size());
  const auto lines = std::min(found.size(), reference.size());
  for (std::size_t i = 0; i < lines; ++i) explained[i] = same_numbers(found[i], reference[i]);
  for (const Bug& bug : bugs) {
    const auto known = probes.find(bug.name);
    if (known == probes.end() || known->second.size() < lines) continue;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < lines; ++i)
      if (!same_numbers(known->second[i], reference[i])) changed.push_back(i);
    const auto is_found = [&](std::size_t i) { return same_numbers(known->second[i], found[i]); };
    if (changed.empty() || !std::all_of(changed.begin(), changed.end(), is_found)) continue;
    present.push_back(&bug);
    for (const std::size_t i : changed) explained[i] = true;
  }
  const bool is_all = std::all_of(explained.begin(), explained.end(), [](bool is) { return is; });
  return is_all ? present : std::vector<const Bug*>();
}

}  // namespace

Recognition recognize(const ProbeLines& found, const Probes& probes, const std::vector<Bug>& bugs) {
  const auto reference = probes.find("reference");
  if (reference == probes.end() || begins_with(reference->second, found)) return {};
  Recognition recognition;
  for (const Bug& bug : bugs) {
    const auto known = probes.find(bug.name);
    if (known != probes.end() && begins_with(known->second, found)) recognition.bugs.push_back(&bug);
  }
  if (recognition.bugs.empty())
    recognition = {.bugs = bugs_at_once(found, reference->second, probes, bugs), .all_at_once = true};
  return recognition;
}

}  // namespace plainformer::course
