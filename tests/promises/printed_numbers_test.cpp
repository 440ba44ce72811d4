// The output of an example that a page prints is the output that the example's test expects: below the line
// <!-- printed by: NAME -->, a fenced block consists of lines that follow each other in tests/examples/expected/NAME.txt.
#include <gtest/gtest.h>

#include <algorithm>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

struct PrintedBlock {
  std::string example;
  Lines lines;
};

std::vector<PrintedBlock> printed_blocks(const Lines& page) {
  static const Pattern marker("<!-- printed by: (\\w+) -->");
  std::vector<PrintedBlock> blocks;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const auto match = marker.match(page[i]);
    if (!match) continue;
    blocks.push_back({match->groups[1], {}});
    if (++i == page.size() || page[i] != "```") continue;  // a block without lines, which is a problem
    while (++i < page.size() && page[i] != "```") blocks.back().lines.push_back(page[i]);
  }
  return blocks;
}

bool is_in(const Lines& block, const Lines& output) {
  return !block.empty() &&
         std::search(output.begin(), output.end(), block.begin(), block.end()) != output.end();
}

TEST(PrintedNumbers, AreThoseThatTheExamplePrints) {
  std::size_t blocks = 0;
  for (const std::string& page : files_under("docs", ".*\\.md")) {
    for (const PrintedBlock& block : printed_blocks(lines_of(kRoot / page))) {
      ++blocks;
      EXPECT_TRUE(is_in(block.lines, lines_of(kRoot / ("tests/examples/expected/" + block.example + ".txt"))))
          << page << ", printed by " << block.example << ":\n"
          << (block.lines.empty() ? "no lines" : block.lines.front());
    }
  }
  EXPECT_GT(blocks, 3u);
}

TEST(PrintedNumberRules, ABlockThatTheExampleDoesNotPrint) {
  const Lines page = {"<!-- printed by: a -->", "```",      "x 1", "y 2", "```", "```", "z", "```",
                      "<!-- printed by: b -->", "No fence."};
  const std::vector<PrintedBlock> blocks = printed_blocks(page);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].example, "a");
  EXPECT_TRUE(is_in(blocks[0].lines, {"w 0", "x 1", "y 2"}));
  EXPECT_FALSE(is_in(blocks[0].lines, {"x 1", "w 0", "y 2"}));
  EXPECT_FALSE(is_in(blocks[0].lines, {"x 1", "y 3"}));
  EXPECT_FALSE(is_in(blocks[1].lines, {"No fence."}));
}

}  // namespace
}  // namespace plainformer
