// Every system can check the repository out: Windows refuses some names of files, and two that differ in case only
// are one file there and on macOS.
#include <gtest/gtest.h>

#include <map>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

Lines all_files() {
  Lines files;
  for (const char* folder : {"src", "tests", "docs", "examples", ".ci", ".github", ".vscode", ".debugger"}) {
    const Lines more = files_under(folder, ".*");
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

std::string lowercase(std::string text) {
  for (char& c : text) {
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Problems of paths on other systems.
Lines unusable_names(const Lines& paths) {
  static const Pattern reserved("(.*/)?(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\.[^/]*)?(/.*)?",
                                Pattern::Case::kIgnored);
  static const Pattern forbidden(".*[<>:\"|?*\\\\].*|.*[. ](/.*)?");
  Lines problems;
  std::map<std::string, std::string> seen;
  for (const std::string& path : paths) {
    if (reserved.matches(path)) problems.push_back(path + " has a name that Windows reserves");
    if (forbidden.matches(path)) problems.push_back(path + " has a character that Windows refuses");
    const auto [other, is_new] = seen.emplace(lowercase(path), path);
    if (!is_new) problems.push_back(path + " and " + other->second + " differ in case only");
  }
  return problems;
}

TEST(Checkout, HasNamesThatEverySystemTakes) {
  const Lines files = all_files();
  EXPECT_GT(files.size(), 500u);
  expect_none(unusable_names(files));
}

TEST(Checkout, FindsNamesThatSomeSystemRefuses) {
  for (const char* path : {"nul", "a/NUL", "a/aux.h", "com1/a", "a/b:c", "a./b", "a/b ", "a/what?"})
    EXPECT_EQ(unusable_names({path}).size(), 1u) << path;
  EXPECT_EQ(unusable_names({"a/B", "A/b"}).size(), 1u);
  EXPECT_EQ(unusable_names({"a/null", "a/console.h", ".ci/run", "a.b/c"}), Lines());
}

}  // namespace
}  // namespace plainformer
