#include "reports.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/number_text.h"
#include "core/strings.h"
#include "io/json.h"
#include "report/terminal.h"
#include "text.h"

namespace plainformer::course {

namespace {

// Points, or seconds: a sum like 0.1 + 0.2 without its last digits.
std::string number_text(double number) {
  return shortest_text(std::round(number * 1000) / 1000);
}

std::string points_text(double points) {
  return number_text(points) + (points == 1 ? " point" : " points");
}

const TestResult* failed_gate(const Grade& grade) {
  const auto found = std::find_if(grade.tests.begin(), grade.tests.end(), [](const TestResult& test) {
    return test.is_gate && test.status == Status::kFailed;
  });
  return found == grade.tests.end() ? nullptr : &*found;
}

const TestResult* first_failed(const Grade& grade) {
  if (const TestResult* const gate = failed_gate(grade)) return gate;
  const auto found = std::find_if(grade.tests.begin(), grade.tests.end(),
                                  [](const TestResult& test) { return test.status == Status::kFailed; });
  return found == grade.tests.end() ? nullptr : &*found;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + (text.ends_with('\n') ? "" : "\n");
  return all;
}

// The message of a test that failed, or the reason why it does not count.
std::string reason(const Grade& grade, const TestResult& test) {
  if (!grade.problems.empty()) return "not run: see the problem with your file";
  if (test.status != Status::kNotCounted) return test.message;
  const TestResult* const gate = failed_gate(grade);
  return "passes, but counts only when " + (gate ? gate->name : "the gate") + " passes";
}

// --- for a terminal ---

constexpr std::size_t kMostMessageLines = 12, kMostProblemLines = 30, kColumns = 160;
constexpr int kMostOfALine = 2'000, kScoreColumn = 46, kMostMessages = 2;

// The lines of a text, made safe, each behind some spaces. A long one becomes several.
std::string indented(const std::string& text, int spaces, std::size_t most_lines) {
  std::string result;
  std::size_t count = 0;
  const std::string margin(static_cast<std::size_t>(spaces), ' ');
  for (const std::string& line : lines_of(text)) {
    if (++count > most_lines) return result + margin + "...\n";
    const std::string safe = truncate_to_width(printable(line), kMostOfALine);
    for (const std::string& part : lines_of(wrapped(safe, kColumns))) result += margin + part + "\n";
    if (safe.empty()) result += margin + "\n";
  }
  return result;
}

std::string headline(const Grade& grade, bool color) {
  if (!grade.machine.empty())
    return colored(pad_right(grade.label, kScoreColumn), Color::kBold, color) + "not graded\n";
  const bool full = grade.problems.empty() && grade.score >= grade.points;
  const std::string score = number_text(grade.score) + " of " + number_text(grade.points);
  return colored(pad_right(grade.label, kScoreColumn), Color::kBold, color) +
         colored(score, full ? Color::kGreen : Color::kRed, color) + "\n";
}

std::string failed_test(const TestResult& test, bool with_message, bool color) {
  std::string text = "  " + colored("FAIL", Color::kRed, color) + "  " + printable(test.name);
  text += "  " + points_text(test.points);
  if (test.is_gate) text += "  (gate: nothing else counts until it passes)";
  return text + "\n" + (with_message ? indented(test.message, 8, kMostMessageLines) : "");
}

// The tests that failed. Behind a failed gate the others' messages say nothing new.
std::string failed_tests(const Grade& grade, bool every_message, bool color) {
  const TestResult* const gate = failed_gate(grade);
  std::string text;
  int shown = 0, hidden = 0, untried = 0;
  for (const TestResult& test : grade.tests) {
    if (!test.was_tried) ++untried;
    if (test.status != Status::kFailed || !test.was_tried) continue;
    const bool is_shown = every_message || (gate ? &test == gate : shown < kMostMessages);
    ++(is_shown ? shown : hidden);
    text += failed_test(test, is_shown, color);
  }
  if (untried > 0) text += "  The other " + std::to_string(untried) + " were not tried\n";
  if (hidden > 0) text += "  `course check --all` shows all messages\n";
  return text;
}

std::string how_to_debug(const Grade& grade) {
  if (grade.debugger.empty() || !first_failed(grade)) return "";
  return "  To step through it, set a breakpoint in your function:\n    " + printable(grade.debugger) + "\n";
}

}  // namespace

std::string terminal_report(const Grade& grade, bool color, bool every_message) {
  std::string text = headline(grade, color);
  if (!grade.machine.empty()) return text + indented(grade.machine, 2, kMostProblemLines);
  for (const std::string& problem : grade.problems) text += indented(problem, 2, kMostProblemLines);
  if (!grade.problems.empty()) return text;

  if (!grade.warnings.empty())
    text += "  Your compiler warns:\n" + indented(grade.warnings, 4, kMostMessageLines);
  text += failed_tests(grade, every_message, color);
  const auto waiting = std::count_if(grade.tests.begin(), grade.tests.end(), [](const TestResult& test) {
    return test.status == Status::kNotCounted;
  });
  if (waiting > 0)
    text += "  " + std::to_string(waiting) +
            (waiting == 1 ? " other test passes, but counts" : " other tests pass, but count") +
            " only once the gate passes\n";
  text += indented(grade.recognized + grade.right, 2, kMostMessageLines);
  return text + how_to_debug(grade);
}

// --- for Gradescope ---

namespace {

constexpr std::size_t kMostOutputCharacters = 2'000;

// At most so many characters, the last ones an ellipsis if it was longer.
std::string shortened(const std::string& text) {
  const std::string ending = "\n...";
  std::size_t characters = 0, end_of_short = 0;
  for (std::size_t at = 0; at < text.size(); at += decode_utf8(text, at).bytes) {
    if (characters == kMostOutputCharacters - ending.size()) end_of_short = at;
    if (++characters > kMostOutputCharacters) return text.substr(0, end_of_short) + ending;
  }
  return text;
}

JsonValue gradescope_test(const Grade& grade, std::size_t i, bool secret) {
  const TestResult& test = grade.tests[i];
  const bool passed = grade.problems.empty() && test.status == Status::kPassed;
  std::string output = passed ? "" : reason(grade, test);
  const std::string known = grade.recognized + grade.right;
  if (!known.empty() && &test == first_failed(grade)) output = known + "\n" + output;
  return JsonObject{{"name", grade.label + ": " + test.name},
                    {"number", std::to_string(grade.number) + "." + std::to_string(i + 1)},
                    {"score", test.score},
                    {"max_score", test.points},
                    {"status", passed ? "passed" : "failed"},
                    {"output", shortened(output)},
                    {"visibility", secret ? "after_due_date" : "visible"}};
}

}  // namespace

std::string gradescope_report(const std::vector<Grade>& grades, bool secret) {
  JsonArray tests;
  double seconds = 0;
  for (const Grade& grade : grades) {
    seconds += grade.seconds;
    if (!grade.machine.empty()) {
      tests.push_back(JsonObject{{"name", grade.label + ": not graded"},
                                 {"number", std::to_string(grade.number)},
                                 {"output", shortened(grade.machine)},
                                 {"visibility", "visible"}});
      continue;
    }
    if (!grade.problems.empty())
      tests.push_back(JsonObject{{"name", grade.label + ": your file"},
                                 {"number", std::to_string(grade.number)},
                                 {"status", "failed"},
                                 {"output", shortened(joined(grade.problems))},
                                 {"visibility", "visible"}});
    for (std::size_t i = 0; i < grade.tests.size(); ++i) tests.push_back(gradescope_test(grade, i, secret));
  }
  JsonObject report = {{"execution_time", seconds}, {"stdout_visibility", "hidden"}};
  if (tests.empty()) report.push_back({"score", 0});  // it refuses a report without a score and tests
  report.push_back({"tests", std::move(tests)});
  return to_json(report) + "\n";
}

// --- JUnit ---

namespace {

std::string attribute(const char* name, const std::string& value) {
  return " " + std::string(name) + "=\"" + escaped_for_xml(value) + "\"";
}

std::string failure_element(const char* element, const std::string& message) {
  const std::vector<std::string> lines = lines_of(message);
  return "      <" + std::string(element) + attribute("message", lines.empty() ? "" : lines[0]) + ">" +
         escaped_for_xml(message) + "</" + element + ">\n";
}

std::string test_case(const Grade& grade, const std::string& name, const std::string& content) {
  return "    <testcase" + attribute("classname", grade.label) + attribute("name", name) +
         (content.empty() ? "/>\n" : ">\n" + content + "    </testcase>\n");
}

std::string test_suite(const Grade& grade) {
  std::string cases;
  int tests = 0, failures = 0, errors = 0;
  if (!grade.machine.empty())
    return "  <testsuite" + attribute("name", grade.label) + " tests=\"1\" errors=\"1\">\n" +
           test_case(grade, "not graded", failure_element("error", grade.machine)) + "  </testsuite>\n";
  if (!grade.problems.empty()) {
    ++tests;
    ++errors;
    cases += test_case(grade, "your file", failure_element("error", joined(grade.problems)));
  }
  for (const TestResult& test : grade.tests) {
    const bool passed = grade.problems.empty() && test.status == Status::kPassed;
    ++tests;
    failures += passed ? 0 : 1;
    cases += test_case(grade, test.name, passed ? "" : failure_element("failure", reason(grade, test)));
  }
  return "  <testsuite" + attribute("name", grade.label) + attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) + attribute("errors", std::to_string(errors)) +
         attribute("time", number_text(grade.seconds)) + ">\n    <properties>\n" +
         "      <property name=\"score\"" + attribute("value", number_text(grade.score)) + "/>\n" +
         "      <property name=\"points\"" + attribute("value", number_text(grade.points)) + "/>\n" +
         "    </properties>\n" + cases + "  </testsuite>\n";
}

}  // namespace

std::string junit_report(const std::vector<Grade>& grades) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const Grade& grade : grades) text += test_suite(grade);
  return text + "</testsuites>\n";
}

// --- a table ---

namespace {

// A field of text. A spreadsheet takes what begins with one of these for a formula; an apostrophe prevents
// it.
std::string csv_text(const std::string& text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos;
  std::string quoted = "\"";
  for (const char c : (is_formula ? "'" : "") + text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

using Columns = std::vector<std::string>;  // labels of exercises, in the order of their numbers

struct ColumnsOfPoints {
  Columns labels;
  std::vector<double> points;
};

ColumnsOfPoints columns_of(const std::vector<GradedSubmission>& submissions) {
  std::map<std::pair<int, std::string>, double> exercises;
  for (const GradedSubmission& submission : submissions)
    for (const Grade& grade : submission.grades) exercises[{grade.number, grade.label}] = grade.points;
  ColumnsOfPoints columns;
  for (const auto& [name, points] : exercises) {
    columns.labels.push_back(name.second);
    columns.points.push_back(points);
  }
  return columns;
}

// ",3,4.5" for these columns. An exercise that could not be graded has an empty field, which is no 0.
std::string scores_of(const GradedSubmission& submission, const Columns& labels, double* sum = nullptr) {
  std::string text;
  for (const std::string& label : labels) {
    text += ",";
    for (const Grade& grade : submission.grades) {
      if (grade.label != label || !grade.machine.empty()) continue;
      text += number_text(grade.score);
      if (sum) *sum += grade.score;
    }
  }
  return text;
}

std::string headings(const std::vector<std::string>& names, const Columns& labels) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + csv_text(name);
  for (const std::string& label : labels) text += "," + csv_text(label);
  return text;
}

}  // namespace

std::string csv_table(const std::vector<GradedSubmission>& submissions) {
  const Columns labels = columns_of(submissions).labels;
  std::string table = headings({"student"}, labels) + "," + csv_text("sum") + "\r\n";
  for (const GradedSubmission& submission : submissions) {
    double sum = 0;
    table += csv_text(submission.student) + scores_of(submission, labels, &sum);
    table += "," + number_text(sum) + "\r\n";
  }
  return table;
}

std::string canvas_table(const std::vector<GradedSubmission>& submissions) {
  const ColumnsOfPoints columns = columns_of(submissions);
  std::string table =
      headings({"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}, columns.labels) + "\r\n";
  table += csv_text("    Points Possible") + ",,,,";
  for (const double points : columns.points) table += "," + number_text(points);
  table += "\r\n";
  for (const GradedSubmission& submission : submissions)
    table += csv_text(submission.student) + ",,," + csv_text(submission.student) + "," +
             scores_of(submission, columns.labels) + "\r\n";
  return table;
}

std::string moodle_table(const std::vector<GradedSubmission>& submissions) {
  const Columns labels = columns_of(submissions).labels;
  std::string table = headings({"Identifier", "Full name", "Username"}, labels) + "\r\n";
  for (const GradedSubmission& submission : submissions) {
    const std::string& name = submission.student;
    const std::size_t end = name.find("_assignsubmission_");
    const std::size_t number = end == std::string::npos ? end : name.rfind('_', end - 1);
    if (number == std::string::npos)
      table += ",," + csv_text(name);
    else
      table += csv_text("Participant " + name.substr(number + 1, end - number - 1)) + "," +
               csv_text(name.substr(0, number)) + ",";
    table += scores_of(submission, labels) + "\r\n";
  }
  return table;
}

}  // namespace plainformer::course
