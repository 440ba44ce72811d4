#include "probe.h"

#include "data/byte_pair_learner.h"

namespace plainformer::course {
namespace {

// The bytes of the merges, as they stand in a file: "l o\nlo w</w>\n".
void show_merges(const char* name, const WordCounts& counts, Index merges = 10) {
  std::vector<double> bytes;
  for (const Merge& merge : learn_merges(counts, merges))
    for (const char byte : merge.first + " " + merge.second + "\n")
      bytes.push_back(static_cast<unsigned char>(byte));
  show(name, bytes);
}

void show_all() {
  show_merges("frequent pairs", {{"low", 3}, {"lower", 1}, {"newer", 2}});
  show_merges("a rare word", {{"abab", 2}, {"xy", 9}, {"xyz", 4}});
  show_merges("equal counts", {{"ab", 2}, {"ac", 2}, {"ba", 2}});
  show_merges("ends of words", {{"on", 3}, {"only", 2}});
  show_merges("overlaps", {{"aaaa", 2}, {"bb", 3}}, 1);
  show_merges("accents", {{"\xC3\xA4z", 2}, {"\xC3\xB6z", 3}});
  show_merges("pairs that occur once", {{"abc", 1}, {"xyz", 2}});
}

}  // namespace

std::vector<Stage> stages() {
  return {{"learn_merges", show_all}};
}

}  // namespace plainformer::course
