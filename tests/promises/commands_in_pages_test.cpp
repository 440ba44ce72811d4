// What a reader types from a page exists: commands and their options, presets, programs of the build, and in fences
// also tests and paths. (Those in sentences are in pages_test.cpp.)
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "promises/marked_block.h"
#include "support/program.h"

namespace plainformer {
namespace {

struct PageCode {
  std::string text;
  bool is_fenced = false;
};

// Appends the code spans of a paragraph.
void add_spans(const std::string& text, std::vector<PageCode>& code) {
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const std::string ticks(std::min(text.find_first_not_of('`', at), text.size()) - at, '`');
    const std::size_t begin = at + ticks.size(), end = text.find(ticks, begin);
    if (end == text.npos) return;
    code.push_back({text.substr(begin, end - begin)});
    at = end + ticks.size();
  }
}

// Each code span, and each line of a fence; "\" at its end continues it.
std::vector<PageCode> code_of(const Lines& page) {
  std::vector<PageCode> code;
  std::string paragraph;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (!is_fence(page[i]) && page[i].find_first_not_of(' ') != std::string::npos) {
      paragraph += page[i] + ' ';
      continue;
    }
    add_spans(paragraph, code);
    paragraph.clear();
    if (!is_fence(page[i])) continue;
    std::string line;
    while (++i < page.size() && !is_fence(page[i])) {
      line += page[i];
      const bool continues = line.ends_with("\\");
      if (continues)
        line.back() = ' ';
      else
        code.push_back({std::exchange(line, ""), true});
    }
  }
  add_spans(paragraph, code);
  return code;
}

bool is_of(char c, const std::string& more) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || more.find(c) != more.npos;
}

// The runs of letters, digits and these characters.
Lines words_of(const std::string& text, const std::string& more) {
  Lines words = {""};
  for (const char c : text) {
    if (is_of(c, more))
      words.back() += c;
    else if (!words.back().empty())
      words.push_back("");
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// What can be named. Each gets a name and says whether it exists.
struct Named {
  std::function<std::string(const std::string& command)> help;  // "" of one that does not exist
  std::string commands;                                         // all of them, with their options
  std::string presets, tests;                                   // as text
};

bool has_option(const std::string& help, const std::string& option) {
  for (std::size_t at = help.find(option); at != help.npos; at = help.find(option, at + 1)) {
    const std::size_t end = at + option.size();
    if (end == help.size() || !is_of(help[end], "-_")) return true;
  }
  return false;
}

// "plainformer plot all --out x | plainformer ...": the commands and options in it that do not exist.
Lines dead_commands(const std::string& text, const Named& named) {
  const std::string program = "plainformer ";
  Lines dead;
  for (std::size_t at = text.find(program); at != text.npos; at = text.find(program, at + 1)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '/') continue;
    if (text.substr(0, at).ends_with("(gdb) ") || text.substr(0, at).ends_with("(lldb) ")) continue;
    const std::size_t begin = at + program.size(), end = text.find_first_of("|#<>&", begin);
    const std::string call = text.substr(begin, std::min(end, text.size()) - begin);
    if (call.empty() || call[0] < 'a' || call[0] > 'z') continue;  // "plainformer --version"
    const std::string command = words_of(call, "_")[0], help = named.help(command);
    if (help.empty()) dead.push_back(program + command);
    for (const std::string& word : words_of(call, "-_")) {
      if (!help.empty() && word.starts_with("--") && !has_option(help + " --help ", word))
        dead.push_back(program + command + " " + word);
    }
  }
  return dead;
}

bool is_test(const std::string& word) {
  const std::size_t point = word.find('.');
  return point != word.npos && point + 1 < word.size() && std::isupper(word[0]) &&
         std::isupper(word[point + 1]) && word.find_first_of("./-", point + 1) == word.npos;
}

// "build/toy/examples/five_words" is made of examples/five_words.cpp, "build/test/tests/ops_tests" of tests/ops.
bool is_program_of_nothing(const std::string& path) {
  const std::size_t examples = path.find("/examples/"), tests = path.find("/tests/");
  if (!path.starts_with("build/")) return false;
  if (tests != path.npos && path.ends_with("_tests"))
    return !fs::is_directory(kRoot / path.substr(tests + 1, path.size() - 6 - tests - 1));
  const std::string name = path.substr(path.rfind('/') + 1);
  return examples != path.npos && examples + 10 + name.size() == path.size() &&
         files_under("examples", ".*/" + name + "\\.cpp").empty();
}

bool is_dead_path(const std::string& word) {
  for (const char* folder : {"src/", "tests/", "docs/", "examples/", ".ci/"})
    if (word.starts_with(folder)) return !fs::exists(kRoot / word);
  return is_program_of_nothing(word);
}

Lines dead_code(const PageCode& code, const Named& named) {
  const auto has = [&](const std::string& word) { return code.text.find(word) != std::string::npos; };
  Lines dead = dead_commands(code.text, named);
  const Lines words = words_of(code.text, "-_./");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_preset =
        i > 0 && words[i - 1] == "--preset" && std::islower(word[0]) && (has("cmake ") || has("ctest "));
    if ((is_preset && named.presets.find("\"name\": \"" + word + '"') == std::string::npos) ||
        is_program_of_nothing(word) || (code.is_fenced && is_dead_path(word)))
      dead.push_back(word);
    const std::size_t point = word.find('.');
    if (code.is_fenced && is_test(word) &&
        named.tests.find("(" + word.substr(0, point) + ", " + word.substr(point + 1) + ")") ==
            std::string::npos)
      dead.push_back(word);
  }
  const bool is_option = !code.is_fenced && code.text.starts_with("--") &&
                         code.text.find_first_of("-> ", 2) != 2 && code.text.size() > 2;
  if (is_option && !has_option(named.commands, words_of(code.text, "-_")[0])) dead.push_back(code.text);
  return dead;
}

// --- the pages

std::string text_of_files(const std::string& folder, const std::string& pattern) {
  std::string text;
  for (const std::string& path : files_under(folder, pattern)) {
    for (const std::string& line : lines_of(kRoot / path)) text += line + '\n';
  }
  return text;
}

std::string help_of(const std::string& command) {
  static std::map<std::string, std::string> helps;
  if (!helps.contains(command)) helps[command] = run_program({command, "--help"}).out;
  return helps[command];
}

// A debugger's command is not one of the program's.
std::string help_of_program_or_debugger(const std::string& command) {
  const bool is_of_a_debugger = command == "tensor" || command == "vocabulary";
  return is_of_a_debugger ? "plainformer " + command : help_of(command);
}

// The lines "  train       train a model ...".
std::string all_helps() {
  const std::string help = run_program({"--help"}).out;
  std::string helps = help;
  for (std::size_t at = help.find("\n  "); at != help.npos; at = help.find("\n  ", at + 1))
    helps += help_of(words_of(help.substr(at + 3, 20), "_")[0]);
  return helps;
}

TEST(Pages, WhatAReaderTypesExists) {
  Named named = {.help = help_of_program_or_debugger, .commands = all_helps(), .presets = "", .tests = ""};
  for (const std::string& line : lines_of(kRoot / "CMakePresets.json")) named.presets += line + '\n';
  named.tests = text_of_files("tests", ".*\\.cpp");
  std::size_t commands = 0;
  for (const std::string& page : all_pages()) {
    for (const PageCode& code : code_of(lines_of(kRoot / page))) {
      commands += code.text.find("plainformer ") != std::string::npos ? 1 : 0;
      if (page.starts_with("examples/") && code.text.starts_with("--")) continue;  // of another program
      for (const std::string& dead : dead_code(code, named)) ADD_FAILURE() << page << ": " << dead;
    }
  }
  EXPECT_GT(commands, 100u);
}

// --- the rules reject

TEST(PageRules, TheCodeOfAPage) {
  const Lines page = {"a `b", "c` ``d`e``", "", "```", "x \\", "  y", "`z`", "```", "`f`"};
  Lines texts;
  for (const PageCode& code : code_of(page)) texts.push_back(code.text + (code.is_fenced ? "!" : ""));
  EXPECT_EQ(texts, (Lines{"b c", "d`e", "x    y!", "`z`!", "f"}));
}

TEST(PageRules, ACommandOrANameThatDoesNotExist) {
  const Named named = {
      .help = [](const std::string& command) { return command == "train" ? "--out DIR  --steps N" : ""; },
      .commands = "--out DIR  --steps N",
      .presets = "\"name\": \"toy\"",
      .tests = "TEST(Suite, Name)"};
  const auto dead = [&](const std::string& text, bool is_fenced = true) {
    return dead_code({text, is_fenced}, named);
  };
  for (const char* text :
       {"build/toy/plainformer train --out x --steps 3 | sort --key 1", "plainformer --version",
        "plainformer COMMAND", "cmake --preset toy && build/toy/examples/five_words",
        "plainformer train --help", "Suite.Name v1.B",
        "build/test/tests/ops_tests --gtest_filter='*Suite.Name*'", "see src/ops/softmax.cpp",
        "plainformer train: x", "(gdb) plainformer tensor x", "--step"})
    EXPECT_EQ(dead(text), Lines()) << text;
  EXPECT_EQ(dead("plainformer trian"), Lines{"plainformer trian"});
  EXPECT_EQ(dead("plainformer train --out x < y | build/plainformer train --step 1"),
            Lines{"plainformer train --step"});
  EXPECT_EQ(dead("cmake --preset joy"), Lines{"joy"});
  EXPECT_EQ(dead("build/toy/examples/six_words"), Lines{"build/toy/examples/six_words"});
  EXPECT_EQ(dead("build/test/tests/opps_tests"), Lines{"build/test/tests/opps_tests"});
  EXPECT_EQ(dead("Suite.Other src/ops/softmin.cpp"), (Lines{"Suite.Other", "src/ops/softmin.cpp"}));
  EXPECT_EQ(dead("--step N", /*is_fenced=*/false), Lines{"--step N"});
  EXPECT_EQ(dead("--steps N", /*is_fenced=*/false), Lines());
  EXPECT_EQ(dead("-->", /*is_fenced=*/false), Lines());
}

}  // namespace
}  // namespace plainformer
