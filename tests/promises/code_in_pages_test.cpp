// The code that the pages show is the code of the program, byte for byte.
//
// A page names a file and what it shows of it (promises/selector.h); PLAINFORMER_UPDATE_PAGES=1 in the environment
// writes the pages again.
#include <gtest/gtest.h>

#include <string>

#include "promises/marked_block.h"
#include "promises/source_excerpt.h"

namespace plainformer {
namespace {

Lines code_for(const std::string& what, const Lines&) {
  const std::size_t space = what.find(' ');
  if (space == std::string::npos) throw std::runtime_error("a path and a name are needed");
  const fs::path path = kRoot / what.substr(0, space);
  if (!fs::is_regular_file(path)) throw std::runtime_error("there is no " + what.substr(0, space));
  const Lines source = lines_of(path);
  return SourceExcerpt::of(source, SelectorReader::read(what.substr(space)));
}

TEST(InPages, CodeIsThatOfTheProgram) {
  for (const std::string& page : all_pages()) expect_from_source(page, "code", code_for);
}

// The lines of C++ fences that nobody compares: not below a marker, and not in the fold of a solution, which
// tests/transformer/exercise_solutions_test.cpp compiles. Code that is not the program's says so:
//   <!-- no code of the program: WHY -->
Lines unmarked_code(const Lines& page) {
  Lines unmarked;
  bool is_folded = false;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i].find("<details>") != std::string::npos) is_folded = true;
    if (page[i].find("</details>") != std::string::npos) is_folded = false;
    if (!is_fence(page[i])) continue;
    const std::string above = i > 0 ? page[i - 1] : "";
    const bool is_marked =
        above.starts_with("<!-- code: ") || above.starts_with("<!-- no code of the program: ");
    if (page[i].ends_with("```cpp") && !is_folded && !is_marked) unmarked.push_back(std::to_string(i + 1));
    while (++i < page.size() && !is_fence(page[i])) continue;
  }
  return unmarked;
}

TEST(Pages, EachFenceOfCodeSaysWhereItIsFrom) {
  for (const std::string& page : all_pages()) {
    for (const std::string& line : unmarked_code(lines_of(kRoot / page)))
      ADD_FAILURE() << page << ":" << line << ": a fence of C++ without a marker above it";
  }
}

TEST(PageRules, ACodeFenceWithoutAMarker) {
  EXPECT_EQ(unmarked_code({"<!-- code: a b -->", "```cpp", "```", "", "```", "```"}), Lines());
  EXPECT_EQ(unmarked_code({"<details>", "  ```cpp", "  ```", "</details>"}), Lines());
  EXPECT_EQ(unmarked_code({"<!-- no code of the program: old -->", "```cpp", "```"}), Lines());
  EXPECT_EQ(unmarked_code({"text", "```cpp", "```", "<details></details>", "```cpp", "```"}),
            (Lines{"2", "5"}));
}

// --- what a block is compared with

const Lines kSource = {
    "#include <vector>",                 // 0
    "",                                  //
    "namespace a {",                     //
    "",                                  //
    "// The sum of a row,",              //
    "// by steps.",                      // 5
    "int A::sum(const Row& row) {",      //
    "  int s = 0;",                      //
    "",                                  //
    "  // Step 1. Add.",                 //
    "  // (All of them.)",               // 10
    "  for (int x : row) s += x;",       //
    "",                                  //
    "  // Step 2. Return.",              //
    "  if (s) {",                        //
    "    // Step 2.1. Not 0.",           // 15
    "    return s;",                     //
    "",                                  //
    "    // Step 2.2. Nothing.",         //
    "  }",                               //
    "  return 0;",                       // 20
    "}",                                 //
    "",                                  //
    "int B::sum() { return 2; }",        //
    "void free(int x);",                 //
    "void free(Row row) {}",             // 25
    "void free(Column column) {}",       //
    "void other();",                     //
    "",                                  //
    "// Its fields.",                    //
    "struct C final : public D {",       // 30
    "  explicit C(int x) : x_{x} {}",    //
    "  // How many.",                    //
    "  int size() const {",              //
    "    return 1;",                     //
    "  }",                               // 35
    "  enum class E : int { kA, kB };",  //
    "};",                                //
    "",                                  //
    "}  // namespace a",
};

Lines from_to(std::size_t first, std::size_t last) {
  return {kSource.begin() + first, kSource.begin() + last + 1};
}

Lines selected(const std::string& selectors) {
  return SourceExcerpt::of(kSource, SelectorReader::read(selectors));
}

std::string problem_of(const std::string& selectors) {
  try {
    selected(selectors);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(SourceExcerpt, IsAFunctionOrAClassWithItsComment) {
  EXPECT_EQ(selected("A::sum"), from_to(4, 21));
  EXPECT_EQ(selected("B::sum"), from_to(23, 23));
  EXPECT_EQ(selected("free(Row)"), from_to(25, 25)) << "a definition, no declaration";
  EXPECT_EQ(selected("other"), from_to(27, 27));
  EXPECT_EQ(selected("C"), from_to(29, 37)) << "the class, not its constructor";
  EXPECT_EQ(selected("C::C"), from_to(31, 31));
  EXPECT_EQ(selected("size"), from_to(32, 35));
  EXPECT_EQ(selected("C::E"), from_to(36, 36));
  EXPECT_EQ(selected("other, B::sum"), (Lines{"void other();", "", "int B::sum() { return 2; }"}));
}

TEST(SourceExcerpt, IsAStepOfAFunction) {
  EXPECT_EQ(selected("A::sum \"Step 1\""), from_to(9, 11));
  EXPECT_EQ(selected("A::sum \"(All\""), from_to(9, 11)) << "the whole comment";
  EXPECT_EQ(selected("A::sum \"Step 2.1\""), from_to(15, 16));
  EXPECT_EQ(selected("A::sum \"Step 2.2\""), from_to(18, 18)) << "its block ends";
  EXPECT_EQ(selected("A::sum \"Step 1\" to \"Step 2.1\""), from_to(9, 16));
  EXPECT_EQ(selected("A::sum until \"Step 1\""), from_to(4, 7));
  EXPECT_EQ(selected("A::sum from \"Step 1\""), from_to(9, 21));
}

TEST(SourceExcerpt, IsNotGuessed) {
  EXPECT_EQ(problem_of("A::product"), "nothing is named A::product");
  EXPECT_EQ(problem_of("sum"),
            "2 are named so: A::sum in line 7 B::sum in line 24; say Class::name, or name(words of "
            "the parameters)");
  EXPECT_EQ(problem_of("free").substr(0, 15), "2 are named so:");
  EXPECT_EQ(problem_of("um"), "nothing is named um");
  EXPECT_EQ(problem_of("A::sum \"Step\""), "two comments start with \"Step\"");
  EXPECT_EQ(problem_of("A::sum \"Step 3\""), "no comment starts with \"Step 3\"");
  EXPECT_EQ(problem_of("A::sum \"Step 2.1\" to \"Step 1\""), "the end stands before the beginning");
  for (const char* text : {"", "a,", "a b", "a \"b", "a(b", "a between \"b\""})
    EXPECT_NE(problem_of(text), "") << text;
}

// --- how a page is compared

Lines two_lines(const std::string& what, const Lines&) {
  if (what != "two") throw std::runtime_error("unknown");
  return {"a", "", "  b"};
}

TEST(PageRules, AMarkedBlockThatDiffersFromItsSource) {
  const auto count = [](const Lines& page) { return compare(page, "code", two_lines).problems.size(); };
  EXPECT_EQ(count({"<!-- code: two -->", "```cpp", "a", "", "  b", "```"}), 0u);
  EXPECT_EQ(count({"1. x", "", "   <!-- code: two -->", "   ```cpp", "   a", "", "     b", "   ```"}), 0u);
  EXPECT_EQ(count({"<!-- code: two -->", "```cpp", "a", "", " b", "```"}), 1u);
  EXPECT_EQ(count({"<!-- code: two -->", "```cpp", "a", "", "  b", "c", "```"}), 1u);
  EXPECT_EQ(count({"<!-- code: two -->", "```cpp", "```"}), 1u);
  EXPECT_EQ(count({"<!-- code: two -->", "", "```cpp", "a", "", "  b", "```"}), 1u) << "no fence below it";
  EXPECT_EQ(count({"<!-- code: other -->", "```cpp", "a", "```"}), 1u);
  EXPECT_EQ(count({"```", "<!-- code: other -->", "```"}), 0u) << "this one is shown";
  EXPECT_EQ(count({"<!-- output: other -->", "```", "a", "```"}), 0u);
}

TEST(PageRules, AMarkedBlockIsWrittenAgain) {
  const Lines page = {"<!-- code: two -->",   "```cpp",   "old",   "```", "", "- x",
                      "  <!-- code: two -->", "  ```cpp", "  ```", "end"};
  const Lines wanted = {"<!-- code: two -->",   "```cpp",   "a",   "", "  b",   "```",   "",   "- x",
                        "  <!-- code: two -->", "  ```cpp", "  a", "", "    b", "  ```", "end"};
  EXPECT_EQ(compare(page, "code", two_lines).page, wanted);
  EXPECT_EQ(compare(wanted, "code", two_lines).problems, Lines());
  EXPECT_FALSE(compare({"<!-- code: other -->", "```", "```"}, "code", two_lines).can_be_made);
}

}  // namespace
}  // namespace plainformer
