// Recognizes known bugs by their numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exercise.h"

namespace plainformer::course {

// The lines that a probe printed: "output 0.25 0.75".
using ProbeLines = std::vector<std::string>;

// By the bug's name; the reference's under "reference".
using Probes = std::map<std::string, ProbeLines>;

ProbeLines probe_lines(const std::string& report);  // complete lines only

// probe.txt: "[name]" and the lines of each.
Probes load_probes(const std::string& path);
std::string to_text(const Probes& probes);

// Are two lines the same to 1e-9 of their numbers (and at least 1e-12)?
bool same_numbers(const std::string& line, const std::string& other);

// The bugs of a submission, as far as its numbers tell.
struct Recognition {
  std::vector<const Bug*> bugs;
  bool all_at_once = false;  // each has changed lines of its own; else it is one of these
};

// One bug: its numbers equal these in every line that was printed, and differ from the reference's in one.
// There may be several such bugs, which differ only in what was not printed. Otherwise several bugs at once:
// every line that differs from the reference's is that of a bug, and no other line of these bugs differs.
Recognition recognize(const ProbeLines& found, const Probes& probes, const std::vector<Bug>& bugs);

}  // namespace plainformer::course
