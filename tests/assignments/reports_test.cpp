#include "reports.h"

#include <gtest/gtest.h>

#include "files.h"
#include "io/json.h"

namespace plainformer::course {
namespace {

Grade failed_grade() {
  Grade grade = {.label = "03 attention", .score = 8, .points = 12};
  grade.rows = {{.name = "attention_forward", .points = 8, .score = 8, .is_right = true},
                {.name = "attention_backward", .points = 4, .message = "expected 0.5\nfound 0.25"}};
  grade.recognized = "Your numbers are exactly those of: scores not divided by sqrt(d_k).\n";
  grade.debugger = "gdb --args driver";
  return grade;
}

Grade full_grade() {
  Grade grade = {.label = "01 softmax", .score = 6, .points = 6};
  grade.rows = {{.name = "softmax_forward", .points = 6, .score = 6, .is_right = true}};
  return grade;
}

Grade broken_grade(const std::string& problem) {
  Grade grade = {.label = "01 softmax", .points = 6, .problem = problem};
  grade.rows = {{.name = "softmax_forward", .points = 6}};
  return grade;
}

TEST(TerminalReport, SaysWhatIsWrongThenWhyThenHowToDebug) {
  EXPECT_EQ(terminal_report(failed_grade(), false, false),
            "03 attention                                  8 of 12\n"
            "  FAIL  attention_backward  4 points\n"
            "        expected 0.5\n"
            "        found 0.25\n"
            "  Your numbers are exactly those of: scores not divided by sqrt(d_k).\n"
            "  To step through it, set a breakpoint in your function:\n    gdb --args driver\n");
  EXPECT_EQ(terminal_report(full_grade(), false, false),
            "01 softmax                                    6 of 6\n");
}

TEST(TerminalReport, ShowsTheFirstMessagesUnlessAllAreAskedFor) {
  Grade grade = failed_grade();
  grade.rows.assign(5, grade.rows[1]);
  const std::string brief = terminal_report(grade, false, false), all = terminal_report(grade, false, true);
  EXPECT_NE(brief.find("  `course check --all` shows all messages\n"), std::string::npos);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n') - std::count(brief.begin(), brief.end(), '\n'), 5);
}

TEST(TerminalReport, OfAFileThatDoesNotCompileIsTheProblemMadeSafe) {
  const std::string report =
      terminal_report(broken_grade("a\x1B[2J\n" + std::string(5'000, 'x')), false, false);
  EXPECT_EQ(report.find('\x1B'), std::string::npos);
  EXPECT_LT(report.size(), 2'500u);
}

TEST(GradescopeReport, HasALineForEachRow) {
  const JsonValue report = parse_json(gradescope_report({failed_grade(), broken_grade("no")}, true), "");
  const JsonArray& rows = *report.find("tests")->array();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(*rows[0].find("name")->string(), "03 attention: attention_forward");
  EXPECT_EQ(rows[1].find("max_score")->number(), 4);
  EXPECT_EQ(*rows[1].find("visibility")->string(), "after_due_date");
  EXPECT_NE(rows[1].find("output")->string()->find("exactly those of"), std::string::npos);
  EXPECT_EQ(*rows[2].find("name")->string(), "01 softmax: your file");
  EXPECT_EQ(rows[2].find("max_score")->number(), 6);
}

TEST(GradescopeReport, HasAScoreWithoutRowsAndAShortOutput) {
  EXPECT_EQ(parse_json(gradescope_report({}, false), "").find("score")->number(), 0);
  const std::string report = gradescope_report({broken_grade(std::string(9'000, 'x'))}, false);
  EXPECT_LT(report.size(), 3'000u);
}

std::string lines_without_returns(std::string text) {
  std::erase(text, '\r');
  return text;
}

TEST(Table, HasAMarkAFieldForEachExerciseAndAReason) {
  Grade missing = broken_grade("softmax.cpp is missing in ada, which is empty");
  missing.has_file = false;
  const std::vector<GradedSubmission> all = {
      {.student = "=ada, \"A\"", .grades = {full_grade(), failed_grade()}},
      {.student = "bob", .grades = {missing, broken_grade("it does not link:\nx")}},
      {.student = "hal", .grades = {full_grade(), full_grade()}, .why = "hal.zip is an archive"}};
  EXPECT_EQ(lines_without_returns(table_of(all, "")),
            "\xEF\xBB\xBF\"student\",\"01 softmax\",\"03 attention\",\"sum\",\"why\"\n"
            "\"'=ada, \"\"A\"\"\",6,8,14,\"03 attention: attention_backward\"\n"
            "\"bob\",,0,0,\"01 softmax: softmax.cpp is missing in ada, which is empty; 01 softmax: it does "
            "not link:\"\n"
            "\"hal\",,,,\"hal.zip is an archive\"\n");
}

TEST(Table, IsWhatPlatformsImport) {
  const std::vector<GradedSubmission> all = {{.student = "Ada", .id = "4711", .grades = {full_grade()}},
                                             {.student = "bob", .grades = {full_grade()}}};
  EXPECT_EQ(lines_without_returns(table_of(all, "canvas")),
            "\xEF\xBB\xBF\"Student\",\"ID\",\"SIS User ID\",\"SIS Login ID\",\"Section\",\"01 softmax\"\n"
            "\"    Points Possible\",,,,,6\n\"Ada\",\"4711\",,,,6\n\"bob\",,,\"bob\",,6\n");
  EXPECT_EQ(lines_without_returns(table_of(all, "moodle")),
            "\xEF\xBB\xBF\"Identifier\",\"Full name\",\"Username\",\"01 softmax\"\n"
            "\"Participant 4711\",\"Ada\",,6\n,,\"bob\",6\n");
}

}  // namespace
}  // namespace plainformer::course
