// Whoever copies a command finds its preset: those that the pages and the scripts name exist.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "io/json.h"
#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

Lines presets_named_in(const Lines& lines) {
  static const Pattern named("(?:--preset|test_preset (?:all|\"[^\"]*\")) ([a-z0-9]+)");
  Lines presets;
  for (const std::string& line : lines)
    for (const std::string& preset : all_matches(line, named)) presets.push_back(preset);
  return presets;
}

std::set<std::string> known_presets() {
  std::ostringstream text;
  text << std::ifstream(kRoot / "CMakePresets.json").rdbuf();
  const JsonValue document = parse_json(text.str(), "CMakePresets.json");
  std::set<std::string> names;
  for (const JsonValue& preset : *document.find("configurePresets")->array())
    names.insert(*preset.find("name")->string());
  return names;
}

TEST(Presets, OfPagesAndScriptsExist) {
  const std::set<std::string> known = known_presets();
  ASSERT_TRUE(known.count("test"));
  Lines pages = files_under("docs", ".*\\.md");
  for (const char* more : {"README.md", ".ci/run", ".github/workflows/ci.yml"}) pages.push_back(more);
  for (const std::string& page : files_under("examples", ".*\\.md")) pages.push_back(page);
  std::size_t named = 0;
  for (const std::string& page : pages) {
    for (const std::string& preset : presets_named_in(lines_of(kRoot / page))) {
      ++named;
      // The program has presets of its own: sizes of the model.
      const bool is_model =
          contains({"page", "nano", "toy", "parser", "tiny", "small", "base", "big"}, preset);
      EXPECT_TRUE(known.count(preset) || is_model) << page << " names preset " << preset;
    }
  }
  EXPECT_GT(named, 20u);
}

TEST(Presets, AreFoundInCommandsOfBothKinds) {
  EXPECT_EQ(presets_named_in({"cmake --workflow --preset test && x", "test_preset all asan",
                              "test_preset \"io ops\" tsan", "presets"}),
            (Lines{"test", "asan", "tsan"}));
}

}  // namespace
}  // namespace plainformer
