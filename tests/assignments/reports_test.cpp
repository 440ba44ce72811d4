#include "reports.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/strings.h"
#include "io/json.h"
#include "submission.h"
#include "text.h"

namespace plainformer::course {
namespace {

// The gate fails, a test that follows passes.
Grade failed_grade() {
  Grade grade = {
      .label = "03 attention", .number = 3, .points = 12, .debugger = "gdb --args tests", .seconds = 0.5};
  grade.tests = {{.name = "Attention.Gradient", .points = 8, .status = Status::kNotCounted},
                 {.name = "FiveWords.WeightsAndOutput",
                  .points = 4,
                  .message = "expected 0.5\nfound 0.25",
                  .is_gate = true}};
  grade.recognized = "Your numbers are exactly those of: scores not divided by sqrt(d_k).\n";
  return grade;
}

Grade full_grade() {
  Grade grade = {.label = "01 softmax", .number = 1, .score = 6, .points = 6};
  grade.tests = {{.name = "Softmax.Gradient", .points = 6, .score = 6, .status = Status::kPassed}};
  return grade;
}

Grade grade_of_a_broken_file(const std::string& problem) {
  Grade grade = {.label = "01 softmax", .number = 1, .points = 6, .problems = {problem}};
  grade.tests = {{.name = "Softmax.Gradient", .points = 6}};
  return grade;
}

TEST(TerminalReport, SaysWhatFailedThenWhyThenHowToDebug) {
  EXPECT_EQ(terminal_report(failed_grade(), false, false),
            "03 attention                                  0 of 12\n"
            "  FAIL  FiveWords.WeightsAndOutput  4 points  (gate: nothing else counts until it passes)\n"
            "        expected 0.5\n"
            "        found 0.25\n"
            "  1 other test passes, but counts only once the gate passes\n"
            "  Your numbers are exactly those of: scores not divided by sqrt(d_k).\n"
            "  To step through it, set a breakpoint in your function:\n    gdb --args tests\n");
}

TEST(TerminalReport, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(shell_word("/my 猫/it's"), "'/my 猫/it'\\''s'");
}

TEST(TerminalReport, IsOneLineIfAllIsWell) {
  EXPECT_EQ(terminal_report(full_grade(), false, false),
            "01 softmax                                    6 of 6\n");
}

TEST(TerminalReport, ShowsTheCompilersWarnings) {
  Grade grade = full_grade();
  grade.warnings = "softmax.cpp:3: warning: comparison of integers\n";
  EXPECT_NE(terminal_report(grade, false, false).find("Your compiler warns:\n    softmax.cpp:3: warning"),
            std::string::npos);
}

TEST(TerminalReport, ShowsTheProblemOfAFileAndNoTests) {
  EXPECT_EQ(terminal_report(grade_of_a_broken_file("softmax.cpp does not compile:\nline 3"), false, false),
            "01 softmax                                    0 of 6\n"
            "  softmax.cpp does not compile:\n"
            "  line 3\n");
}

TEST(TerminalReport, CutsLongMessagesAndDisarmsControlCharacters) {
  Grade grade = failed_grade();
  grade.tests[1].message = "\x1B[2J\n" + std::string(1000, 'x') + std::string(50, '\n');
  const std::string text = terminal_report(grade, false, true);
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_EQ(text.find(std::string(161, 'x')), std::string::npos);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 30);
}

TEST(TerminalReport, CutsNoLineOfWhatItSays) {
  Grade grade = failed_grade();
  std::string words;
  for (int i = 0; i < 100; ++i) words += " word" + std::to_string(i);
  grade.tests[1].message = "it says" + words;
  grade.recognized = "Your numbers are exactly those of:" + words + ".\n";
  const std::string text = terminal_report(grade, false, false);
  for (int i = 0; i < 100; ++i) {
    const std::string word = " word" + std::to_string(i);
    const std::size_t first = text.find(word);
    ASSERT_NE(first, std::string::npos) << word << "\n" << text;
    EXPECT_NE(text.find(word, first + 1), std::string::npos) << word << "\n" << text;
  }
  for (const std::string& line : lines_of(text))
    EXPECT_TRUE(line.size() <= 170 || line.find("--args") != std::string::npos) << line;
}

TEST(TerminalReport, SaysWhatIsRightWithoutARecognizedMistakeToo) {
  Grade grade = failed_grade();
  grade.recognized = "";
  grade.right = "Right, whatever the rest does: softmax.\n";
  EXPECT_NE(terminal_report(grade, false, false).find("  Right, whatever the rest does: softmax.\n"),
            std::string::npos);
  EXPECT_NE(gradescope_report({grade}, false).find("Right, whatever the rest does: softmax."),
            std::string::npos);
}

TEST(TerminalReport, LeavesOutWhatWasNotTried) {
  Grade grade = failed_grade();
  for (const char* const name : {"rejects this", "rejects that"})
    grade.tests.push_back({.name = name, .points = 1, .message = "not tried", .was_tried = false});
  const std::string text = terminal_report(grade, false, true);
  EXPECT_EQ(text.find("rejects"), std::string::npos) << text;
  EXPECT_NE(text.find("  The other 2 were not tried\n"), std::string::npos) << text;
}

Grade grade_with_failures(int count) {
  Grade grade = {.label = "03 attention", .number = 3, .points = 12};
  for (int i = 0; i < count; ++i)
    grade.tests.push_back({.name = "Test.Number" + std::to_string(i), .points = 1, .message = "message\n"});
  return grade;
}

TEST(TerminalReport, ShowsTwoMessagesUnlessAllAreWanted) {
  const auto messages = [](const std::string& text) {
    int count = 0;
    for (std::size_t at = text.find("   message\n"); at != std::string::npos;
         at = text.find("   message\n", at + 1))
      ++count;
    return count;
  };
  const std::string few = terminal_report(grade_with_failures(5), false, false);
  EXPECT_EQ(messages(few), 2);
  EXPECT_NE(few.find("FAIL  Test.Number4"), std::string::npos);
  EXPECT_NE(few.find("`course check --all` shows all messages"), std::string::npos);
  EXPECT_EQ(messages(terminal_report(grade_with_failures(5), false, true)), 5);
  EXPECT_EQ(terminal_report(grade_with_failures(2), false, false).find("--all"), std::string::npos);
}

TEST(TerminalReport, BehindAFailedGateOnlyItsMessageIsShown) {
  Grade grade = grade_with_failures(3);
  grade.tests[1].is_gate = true;
  grade.tests[1].message = "of the gate\n";
  const std::string text = terminal_report(grade, false, false);
  EXPECT_NE(text.find("of the gate"), std::string::npos);
  EXPECT_EQ(text.find("   message"), std::string::npos);
}

TEST(TerminalReport, UsesColorOnlyIfAllowed) {
  EXPECT_NE(terminal_report(full_grade(), true, false).find("\x1B[32m"), std::string::npos);
  EXPECT_EQ(terminal_report(full_grade(), false, false).find('\x1B'), std::string::npos);
}

JsonArray gradescope_tests(const std::vector<Grade>& grades, bool secret = false) {
  return *parse_json(gradescope_report(grades, secret), "results.json").find("tests")->array();
}

std::string member_text(const JsonValue& object, const std::string& member) {
  return *object.find(member)->string();
}

TEST(GradescopeReport, HasAnEntryForEachTest) {
  const JsonValue report =
      parse_json(gradescope_report({full_grade(), failed_grade()}, false), "results.json");
  EXPECT_EQ(report.find("execution_time")->number(), 0.5);
  EXPECT_EQ(member_text(report, "stdout_visibility"), "hidden");
  EXPECT_EQ(report.find("score"), nullptr);
  const JsonArray& tests = *report.find("tests")->array();
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(
      to_json(tests[0]),
      "{\"name\": \"01 softmax: Softmax.Gradient\", \"number\": \"1.1\", \"score\": 6, \"max_score\": 6, "
      "\"status\": \"passed\", \"output\": \"\", \"visibility\": \"visible\"}");
  EXPECT_EQ(member_text(tests[1], "number"), "3.1");
  EXPECT_EQ(member_text(tests[1], "status"), "failed");
  EXPECT_EQ(tests[1].find("score")->number(), 0);
  EXPECT_EQ(member_text(tests[1], "output"),
            "passes, but counts only when FiveWords.WeightsAndOutput passes");
  EXPECT_EQ(member_text(tests[2], "number"), "3.2");
  EXPECT_EQ(
      member_text(tests[2], "output"),
      "Your numbers are exactly those of: scores not divided by sqrt(d_k).\n\nexpected 0.5\nfound 0.25");
}

TEST(GradescopeReport, ShowsASecretTestAfterTheDueDateAndTheCompilersWordsAtOnce) {
  const JsonArray tests = gradescope_tests({grade_of_a_broken_file("it does not compile")}, true);
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(member_text(tests[0], "name"), "01 softmax: your file");
  EXPECT_EQ(member_text(tests[0], "output"), "it does not compile\n");
  EXPECT_EQ(member_text(tests[0], "visibility"), "visible");
  EXPECT_EQ(tests[0].find("score"), nullptr);
  EXPECT_EQ(tests[0].find("max_score"), nullptr);
  EXPECT_EQ(member_text(tests[1], "visibility"), "after_due_date");
  EXPECT_EQ(tests[1].find("max_score")->number(), 6);
}

TEST(GradescopeReport, CutsLongOutputBetweenCharacters) {
  Grade grade = failed_grade();
  grade.recognized = "";
  std::string two_thousand;
  for (int i = 0; i < 2000; ++i) two_thousand += "é";
  grade.tests[1].message = two_thousand;
  EXPECT_EQ(member_text(gradescope_tests({grade})[1], "output"), two_thousand);
  grade.tests[1].message = two_thousand + "é";
  const std::string cut = member_text(gradescope_tests({grade})[1], "output");
  EXPECT_EQ(cut.size(), 2 * 1996 + 4u);
  EXPECT_TRUE(cut.ends_with("é\n..."));
}

TEST(GradescopeReport, IsValidWithoutTestsAndWithMalformedBytes) {
  EXPECT_EQ(parse_json(gradescope_report({}, false), "results.json").find("score")->number(), 0);
  Grade grade = failed_grade();
  grade.tests[1].message = "\xFF\x01\"\\";
  EXPECT_TRUE(member_text(gradescope_tests({grade})[1], "output").ends_with("\uFFFD\x01\"\\"));
}

TEST(JUnitReport, HasASuiteForEachExercise) {
  EXPECT_EQ(junit_report({full_grade(), failed_grade()}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites>\n"
            "  <testsuite name=\"01 softmax\" tests=\"1\" failures=\"0\" errors=\"0\" time=\"0\">\n"
            "    <properties>\n"
            "      <property name=\"score\" value=\"6\"/>\n"
            "      <property name=\"points\" value=\"6\"/>\n"
            "    </properties>\n"
            "    <testcase classname=\"01 softmax\" name=\"Softmax.Gradient\"/>\n"
            "  </testsuite>\n"
            "  <testsuite name=\"03 attention\" tests=\"2\" failures=\"2\" errors=\"0\" time=\"0.5\">\n"
            "    <properties>\n"
            "      <property name=\"score\" value=\"0\"/>\n"
            "      <property name=\"points\" value=\"12\"/>\n"
            "    </properties>\n"
            "    <testcase classname=\"03 attention\" name=\"Attention.Gradient\">\n"
            "      <failure message=\"passes, but counts only when FiveWords.WeightsAndOutput passes\">"
            "passes, but counts only when FiveWords.WeightsAndOutput passes</failure>\n"
            "    </testcase>\n"
            "    <testcase classname=\"03 attention\" name=\"FiveWords.WeightsAndOutput\">\n"
            "      <failure message=\"expected 0.5\">expected 0.5&#10;found 0.25</failure>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(JUnitReport, EscapesWhatXmlCannotHold) {
  const std::string text =
      junit_report({grade_of_a_broken_file("a<b> & \"c\" 'd' \x01\x1B \xFF \uFFFE end")});
  EXPECT_NE(
      text.find(
          "<error message=\"a&#60;b&#62; &#38; &#34;c&#34; &#39;d&#39; \uFFFD\uFFFD \uFFFD \uFFFD end\">"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("errors=\"1\""), std::string::npos);
  EXPECT_TRUE(is_valid_utf8(text));
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
}

TEST(CsvTable, HasALineForEachStudent) {
  EXPECT_EQ(csv_table({{"ada", {failed_grade(), full_grade()}}, {"ben", {full_grade()}}, {"cleo", {}}}),
            "\"student\",\"01 softmax\",\"03 attention\",\"sum\"\r\n"
            "\"ada\",6,0,6\r\n"
            "\"ben\",6,,6\r\n"
            "\"cleo\",,,0\r\n");
}

TEST(CsvTable, AddsWithoutStrayDigits) {
  Grade one = full_grade(), two = failed_grade();
  one.score = 0.1;
  two.score = 0.2;
  EXPECT_TRUE(csv_table({{"ada", {one, two}}}).ends_with("\"ada\",0.1,0.2,0.3\r\n"));
}

TEST(CsvTable, QuotesNamesAndDisarmsFormulas) {
  const std::string table =
      csv_table({{"=1+2", {}}, {"a \"b\", c\nd", {}}, {"-x", {}}, {"@y", {}}, {"\tz", {}}});
  EXPECT_EQ(table,
            "\"student\",\"sum\"\r\n"
            "\"'=1+2\",0\r\n"
            "\"a \"\"b\"\", c\nd\",0\r\n"
            "\"'-x\",0\r\n"
            "\"'@y\",0\r\n"
            "\"'\tz\",0\r\n");
}

std::vector<GradedSubmission> two_students() {
  Grade not_graded = failed_grade();
  not_graded.machine = "this machine cannot grade 03 attention";
  return {{.student = "alice", .grades = {full_grade(), not_graded}},
          {.student = "Bo Li_1234_assignsubmission_file_", .grades = {full_grade(), failed_grade()}}};
}

TEST(Tables, AnExerciseThatCouldNotBeGradedIsNoZero) {
  EXPECT_EQ(csv_table(two_students()),
            "\"student\",\"01 softmax\",\"03 attention\",\"sum\"\r\n\"alice\",6,,6\r\n"
            "\"Bo Li_1234_assignsubmission_file_\",6,0,6\r\n");
  const Grade grade = two_students()[0].grades[1];
  EXPECT_EQ(
      terminal_report(grade, false, false),
      "03 attention                                  not graded\n  this machine cannot grade 03 attention\n");
  EXPECT_EQ(gradescope_report({grade}, false).find("\"score\""), std::string::npos);
  EXPECT_EQ(junit_report({grade}).find("name=\"score\""), std::string::npos);
}

TEST(Tables, OfCanvasNameTheLoginAndThePossiblePoints) {
  EXPECT_EQ(
      canvas_table(two_students()),
      "\"Student\",\"ID\",\"SIS User ID\",\"SIS Login ID\",\"Section\",\"01 softmax\",\"03 attention\"\r\n"
      "\"    Points Possible\",,,,,6,12\r\n\"alice\",,,\"alice\",,6,\r\n"
      "\"Bo Li_1234_assignsubmission_file_\",,,\"Bo Li_1234_assignsubmission_file_\",,6,0\r\n");
}

TEST(Tables, OfMoodleKnowTheNamesThatItGivesToFolders) {
  EXPECT_EQ(moodle_table(two_students()),
            "\"Identifier\",\"Full name\",\"Username\",\"01 softmax\",\"03 attention\"\r\n,,\"alice\",6,\r\n"
            "\"Participant 1234\",\"Bo Li\",,6,0\r\n");
}

}  // namespace
}  // namespace plainformer::course
