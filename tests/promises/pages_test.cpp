// The pages of the project stay true: their links lead somewhere, and the tests, files and functions that
// they name exist.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

Lines dead_links(const fs::path& page, const Lines& lines) {
  Lines problems;
  bool fenced = false;
  for (const std::string& line : lines) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (fenced) continue;
    for (std::string link : links_in(without_code(line))) {
      if (link.rfind("https://", 0) == 0) continue;
      link = link.substr(0, link.find('#'));
      if (!fs::exists(page.parent_path() / link)) problems.push_back(page.generic_string() + ": " + link);
    }
  }
  return problems;
}

// What a page writes as code exists: tests (`Suite.Name`), paths, `Class::member`, and
// names_with_underscores.
Lines dead_names(const Lines& page, const std::set<std::string>& tests, const std::string& code) {
  static const Pattern span("`([^`]+)`"), test("[A-Z]\\w*\\.[A-Z]\\w*");
  static const Pattern path("(?:src|tests|docs|\\.ci)/[\\w./-]*"), header("[a-z]+/\\w+\\.h");
  static const Pattern qualified("[A-Z]\\w*::\\w+"), name("([a-z]+(_[a-z]+)+)(\\(.*\\))?");
  Lines problems;
  bool fenced = false;
  for (const std::string& line : page) {
    if (line.rfind("```", 0) == 0) fenced = !fenced;
    if (fenced) continue;
    for (const std::string& text : all_matches(without_math(line), span)) {
      const std::string stem = text.substr(0, text.find('('));
      const std::string last = stem.substr(stem.rfind(':') + 1), first = stem.substr(0, stem.find(':'));
      const bool alive = test.matches(text)     ? tests.count(text) > 0
                         : path.matches(text)   ? fs::exists(kRoot / text)
                         : header.matches(text) ? fs::exists(kRoot / "src" / text)
                         : qualified.matches(stem)
                             ? code.find(first) != std::string::npos && code.find(last) != std::string::npos
                         : name.matches(text) ? code.find(stem) != std::string::npos
                                              : true;
      if (!alive) problems.push_back("`" + text + "`");
    }
  }
  return problems;
}

std::set<std::string> all_tests() {
  static const Pattern test("(?:GRADIENT_)?TEST(?:_F|_P)?\\((\\w+, \\w+)\\)");
  std::set<std::string> names;
  for (const std::string& path : files_under("tests", ".*\\.cpp")) {
    for (const std::string& line : lines_of(kRoot / path)) {
      for (const std::string& name : all_matches(line, test)) {
        const std::size_t comma = name.find(", ");
        names.insert(name.substr(0, comma) + "." + name.substr(comma + 2));
      }
    }
  }
  return names;
}

std::string all_code() {
  std::string code;
  for (const std::string folder : {"src", "examples"}) {
    for (const std::string& path : files_under(folder, ".*\\.(h|cpp)")) {
      for (const std::string& line : lines_of(kRoot / path)) code += line + '\n';
    }
  }
  return code;
}

TEST(Pages, LinksLeadSomewhere) {
  ASSERT_GT(all_pages().size(), 15u);
  for (const std::string& page : all_pages()) expect_none(dead_links(kRoot / page, lines_of(kRoot / page)));
}

TEST(Pages, NamesOfTestsFilesAndFunctionsExist) {
  const std::set<std::string> tests = all_tests();
  const std::string code = all_code();
  for (const std::string& page : all_pages()) {
    for (const std::string& problem : dead_names(lines_of(kRoot / page), tests, code))
      ADD_FAILURE() << page << ": " << problem;
  }
}

TEST(PageRules, ALinkOrANameThatLeadsNowhere) {
  const Lines links = {"[a](docs/no-such-page.md), [b](LICENSE)", "```", "[&](Index i) {}", "```",
                       "[`c`](no) `[](d)`"};
  EXPECT_EQ(dead_links(kRoot / "README.md", links).size(), 2u);
  const Lines page = {"`Suite.Name` `Suite.Other` `src/nothing.h` `src/core/tensor.h` `core/nothing.h`",
                      "`Tensor::size` `Tensor::nothing` `no_such_name(x)` `good_name(x)` `d_model = 2`",
                      "$`s_j`$ [$`a[i](j)`$](LICENSE) $`",
                      "```",
                      "`no_such_name`",
                      "```"};
  EXPECT_EQ(dead_names(page, {"Suite.Name"}, "class Tensor size good_name"),
            (Lines{"`Suite.Other`", "`src/nothing.h`", "`core/nothing.h`", "`Tensor::nothing`",
                   "`no_such_name(x)`"}));
}

}  // namespace
}  // namespace plainformer
