// .vscode/ names presets, targets, files and tasks. They exist, and the files are JSON without comments.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "io/json.h"
#include "promises/repository.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(kRoot / path).rdbuf();
  return text.str();
}

JsonValue json_of(const std::string& path) {
  return parse_json(text_of(path), path);
}

// The strings under this name, anywhere in the document. A list counts with each of its strings.
Lines strings_under(const JsonValue& value, const std::string& name) {
  Lines found;
  const auto append = [&](const Lines& more) { found.insert(found.end(), more.begin(), more.end()); };
  if (const JsonArray* array = value.array())
    for (const JsonValue& element : *array) append(strings_under(element, name));
  if (!value.object()) return found;
  for (const auto& [key, member] : *value.object()) {
    append(strings_under(member, name));
    if (key != name) continue;
    if (member.string()) found.push_back(*member.string());
    if (!member.array()) continue;
    for (const JsonValue& element : *member.array())
      if (element.string()) found.push_back(*element.string());
  }
  return found;
}

// The words that follow this one in lists of arguments: "--preset", "debug".
Lines following(const std::string& text, const std::string& word) {
  return all_matches(text, Pattern("\"" + word + "\", \"([^\"]+)\""));
}

// --- the rules

Lines unknown_presets(const std::string& tasks, const JsonValue& presets) {
  Lines problems;
  for (const std::string& preset : following(tasks, "--preset"))
    if (!contains(strings_under(presets, "name"), preset)) problems.push_back("preset " + preset);
  return problems;
}

// A target is the program, or it is named after the open file.
Lines unknown_targets(const std::string& tasks) {
  Lines problems;
  for (const std::string& target : following(tasks, "--target"))
    if (target != "plainformer" && target != "${fileBasenameNoExtension}")
      problems.push_back("target " + target);
  return problems;
}

Lines unknown_tasks(const JsonValue& launch, const JsonValue& tasks) {
  const Lines labels = strings_under(tasks, "label");
  Lines problems;
  for (const JsonValue* document : {&launch, &tasks})
    for (const char* name : {"preLaunchTask", "dependsOn"})
      for (const std::string& task : strings_under(*document, name))
        if (!contains(labels, task)) problems.push_back("task " + task);
  return problems;
}

// A program is one that a task builds: of the presets' folders, or of a folder that a task names by -B.
Lines unknown_programs(const JsonValue& launch, const std::string& tasks) {
  const Pattern allowed(
      "\\$\\{workspaceFolder\\}/build/debug(/plainformer|/examples/\\$\\{fileBasenameNoExtension\\}|-tests/"
      "this_test)");
  Lines problems;
  for (const std::string& program : strings_under(launch, "program")) {
    const bool made = program.find("this_test") == std::string::npos ||
                      (contains(following(tasks, "-B"), "build/debug-tests") &&
                       tasks.find(" build/debug-tests/this_test") != std::string::npos);
    if (!allowed.matches(program) || !made) problems.push_back("program " + program);
  }
  return problems;
}

Lines missing_files(const std::string& launch) {
  const Pattern file("\\$\\{workspaceFolder\\}/(\\.debugger/[\\w.]+)");
  Lines problems;
  for (const std::string& path : all_matches(launch, file))
    if (!fs::exists(kRoot / path)) problems.push_back("file " + path);
  return problems;
}

Lines unknown_inputs(const std::string& text, const JsonValue& launch) {
  Lines problems;
  for (const std::string& input : all_matches(text, Pattern("\\$\\{input:(\\w+)\\}")))
    if (!contains(strings_under(launch, "id"), input)) problems.push_back("input " + input);
  return problems;
}

// --- what they are applied to

TEST(Editor, EveryFileIsStrictJson) {
  const Lines files = files_under(".vscode", ".*");
  ASSERT_GE(files.size(), 2u);
  for (const std::string& file : files) EXPECT_NO_THROW(json_of(file)) << file;
}

TEST(Editor, PresetsTargetsTasksProgramsAndFilesExist) {
  const std::string tasks = text_of(".vscode/tasks.json"), launch = text_of(".vscode/launch.json");
  const JsonValue parsed_tasks = json_of(".vscode/tasks.json"), parsed = json_of(".vscode/launch.json");
  ASSERT_GE(following(tasks, "--preset").size(), 3u);
  ASSERT_GE(following(tasks, "--target").size(), 2u);
  ASSERT_EQ(strings_under(parsed, "program").size(), 6u);
  ASSERT_EQ(strings_under(parsed, "preLaunchTask").size(), 6u);
  ASSERT_GE(all_matches(launch, Pattern("(\\.debugger/)")).size(), 6u);
  expect_none(unknown_presets(tasks, json_of("CMakePresets.json")));
  expect_none(unknown_targets(tasks));
  expect_none(unknown_tasks(parsed, parsed_tasks));
  expect_none(unknown_programs(parsed, tasks));
  expect_none(missing_files(launch));
  expect_none(unknown_inputs(launch, parsed));
}

// The program of a test is named after its folder in tests/, which is what the task cuts out of the path.
TEST(Editor, TheProgramOfATestIsNamedAfterItsFolder) {
  EXPECT_NE(text_of(".vscode/tasks.json").find("cut -d/ -f2"), std::string::npos);
  EXPECT_NE(text_of("tests/CMakeLists.txt").find("add_executable(${room}_tests"), std::string::npos);
}

// --- the rules reject

TEST(EditorRules, ANameThatDoesNotExist) {
  const auto parsed = [](const std::string& text) { return parse_json(text, "text"); };
  const std::string tasks = R"({"args": ["--preset", "no", "--target", "none"], "label": "a"})";
  EXPECT_EQ(unknown_presets(tasks, parsed(R"({"name": "debug"})")), Lines{"preset no"});
  EXPECT_EQ(unknown_presets(tasks, parsed(R"([{"name": "no"}])")), Lines());
  EXPECT_EQ(unknown_targets(tasks), Lines{"target none"});
  EXPECT_EQ(unknown_tasks(parsed(R"({"preLaunchTask": "a"})"), parsed(tasks)), Lines());
  EXPECT_EQ(unknown_tasks(parsed(R"({"dependsOn": ["a", "b"]})"), parsed(tasks)), Lines{"task b"});
  EXPECT_EQ(missing_files("${workspaceFolder}/.debugger/none.py"), Lines{"file .debugger/none.py"});
  EXPECT_EQ(unknown_inputs("${input:x}", parsed(R"({"id": "y"})")), Lines{"input x"});
  const std::string program = R"({"program": "${workspaceFolder}/build/debug-tests/this_test"})";
  EXPECT_EQ(unknown_programs(parsed(program), "").size(), 1u);
  EXPECT_EQ(unknown_programs(parsed(program), R"("-B", "build/debug-tests" ln build/debug-tests/this_test)"),
            Lines());
  EXPECT_EQ(unknown_programs(parsed(R"({"program": "build/other"})"), "").size(), 1u);
}

}  // namespace
}  // namespace plainformer
