#include "driver.h"
#include "seed.h"

#include "data/byte_pair_learner.h"

namespace plainformer::course {
namespace {

// The merges, as they stand in a file: "l o\nlo w</w>\n".
void show_merges(const char* name, const WordCounts& counts, Index merges = 10) {
  std::string lines;
  for (const Merge& merge : learn_merges(counts, merges)) lines += merge.first + " " + merge.second + "\n";
  show_text(name, lines);
}

// Words of four letters, in which pairs overlap and are equally frequent.
WordCounts drawn_words() {
  Draw draw(1);
  WordCounts counts;
  for (int word = 0; word < 60; ++word) {
    std::string letters;
    for (Index length = draw.whole(2, 8); length > 0; --length)
      letters += static_cast<char>('a' + draw.whole(0, 3));
    counts[letters] += draw.whole(1, 9);
  }
  return counts;
}

void show_all() {
  show_merges("frequent pairs", {{"low", 3}, {"lower", 1}, {"newer", 2}});
  show_merges("a rare word", {{"abab", 2}, {"xy", 9}, {"xyz", 4}});
  show_merges("equal counts", {{"ab", 2}, {"ac", 2}, {"ba", 2}});
  show_merges("ends of words", {{"on", 3}, {"only", 2}});
  show_merges("overlaps", {{"aaaa", 2}, {"bb", 3}}, 1);
  show_merges("accents", {{"\xC3\xA4z", 2}, {"\xC3\xB6z", 3}});
  show_merges("pairs that occur once", {{"abc", 1}, {"xyz", 2}});
  show_merges("a drawn text", drawn_words(), 50);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"learn_merges", show_all}};
}

}  // namespace plainformer::course
