#include "core/input_error.h"

#include "core/number_text.h"

namespace plainformer {

std::runtime_error input_error(const std::string& where, const std::string& problem,
                               const std::string& hint) {
  const std::string line = where + ": " + problem + " (hint: " + hint + ")";
  std::string shown;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const bool is_c1_control = byte == 0xC2 && i + 1 < line.size() && (line[i + 1] & 0xE0) == 0x80;
    if (is_c1_control) ++i;
    shown += is_c1_control || byte < 0x20 || byte == 0x7F ? '?' : line[i];
  }
  return std::runtime_error(shown);
}

void require_between(const std::string& name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  throw input_error(name, std::to_string(value) + " is out of range",
                    "choose " + std::to_string(least) + " to " + std::to_string(most));
}

void require_at_least(const std::string& name, Index value, Index least) {
  if (value >= least) return;
  throw input_error(name, std::to_string(value) + " is out of range",
                    "choose at least " + std::to_string(least));
}

void require_below_one(const std::string& name, double value) {
  if (value >= 0 && value < 1) return;
  throw input_error(name, shortest_text(value) + " is out of range", kChooseBelowOne);
}

}  // namespace plainformer
