#include "reports.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/number_text.h"
#include "core/strings.h"
#include "io/json.h"
#include "report/command_line.h"
#include "report/terminal.h"
#include "text.h"

namespace plainformer::course {

namespace {

// Points, or seconds: a sum like 0.1 + 0.2 without its last digits.
std::string number_text(double number) {
  return shortest_text(std::round(number * 1000) / 1000);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + (text.ends_with('\n') ? "" : "\n");
  return all;
}

const GradedRow* first_wrong(const Grade& grade) {
  const auto found =
      std::find_if(grade.rows.begin(), grade.rows.end(), [](const GradedRow& row) { return !row.is_right; });
  return found == grade.rows.end() ? nullptr : &*found;
}

// --- for a terminal ---

constexpr std::size_t kMostMessageLines = 12, kMostProblemLines = 30;
constexpr int kColumns = 160, kMostOfALine = 2'000, kScoreColumn = 46, kMostMessages = 2;

// The lines of a text, made safe, each behind some spaces. A long one becomes several.
std::string indented(const std::string& text, int spaces, std::size_t most_lines) {
  std::string result;
  std::size_t count = 0;
  const std::string margin(static_cast<std::size_t>(spaces), ' ');
  for (const std::string& line : lines_of(text)) {
    if (++count > most_lines) return result + margin + "...\n";
    const std::string safe = truncate_to_width(printable(line), kMostOfALine);
    result += margin + (safe.size() <= kColumns ? safe : wrapped(safe, spaces, spaces, kColumns)) + "\n";
  }
  return result;
}

std::string wrong_row(const GradedRow& row, bool with_message, bool color) {
  return "  " + colored("FAIL", Color::kRed, color) + "  " + printable(row.name) + "  " +
         number_text(row.points) + (row.points == 1 ? " point" : " points") + "\n" +
         (with_message ? indented(row.message, 8, kMostMessageLines) : "");
}

}  // namespace

std::string terminal_report(const Grade& grade, bool color, bool every_message) {
  std::string text = colored(pad_right(grade.label, kScoreColumn), Color::kBold, color);
  if (!grade.machine.empty())
    return text + "not graded\n" +
           indented("This machine is too busy: " + grade.machine, 2, kMostProblemLines);
  const bool full = grade.problems.empty() && grade.score >= grade.points;
  text += colored(number_text(grade.score) + " of " + number_text(grade.points),
                  full ? Color::kGreen : Color::kRed, color) +
          "\n";
  if (!grade.problems.empty()) return text + indented(joined(grade.problems), 2, kMostProblemLines);
  if (!grade.warnings.empty())
    text += "  Your compiler warns:\n" + indented(grade.warnings, 4, kMostMessageLines);
  int shown = 0, hidden = 0;
  for (const GradedRow& row : grade.rows) {
    if (row.is_right) continue;
    const bool is_shown = every_message || shown < kMostMessages;
    ++(is_shown ? shown : hidden);
    text += wrong_row(row, is_shown, color);
  }
  if (hidden > 0) text += "  `course check --all` shows all messages\n";
  text += indented(grade.recognized + grade.right, 2, kMostMessageLines);
  if (!grade.debugger.empty() && shown > 0)
    text +=
        "  To step through it, set a breakpoint in your function:\n    " + printable(grade.debugger) + "\n";
  return text;
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

// A line about the whole exercise.
JsonValue gradescope_note(const Grade& grade, const std::string& what, const std::string& output) {
  return JsonObject{{"name", grade.label + ": " + what},
                    {"number", grade.number},
                    {"status", "failed"},
                    {"output", shortened(output)},
                    {"visibility", "visible"}};
}

JsonValue gradescope_row(const Grade& grade, std::size_t i, bool secret) {
  const GradedRow& row = grade.rows[i];
  std::string output = row.is_right             ? ""
                       : grade.problems.empty() ? row.message
                                                : "not run: see the problem with your file";
  const std::string known = grade.recognized + grade.right;
  if (!known.empty() && &row == first_wrong(grade)) output = known + "\n" + output;
  return JsonObject{{"name", grade.label + ": " + row.name},
                    {"number", grade.number + "." + std::to_string(i + 1)},
                    {"score", row.score},
                    {"max_score", row.points},
                    {"status", row.is_right ? "passed" : "failed"},
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
      tests.push_back(gradescope_note(grade, "not graded", grade.machine));
      continue;
    }
    if (!grade.problems.empty()) tests.push_back(gradescope_note(grade, "your file", joined(grade.problems)));
    for (std::size_t i = 0; i < grade.rows.size(); ++i) tests.push_back(gradescope_row(grade, i, secret));
  }
  JsonObject report = {{"execution_time", seconds}, {"stdout_visibility", "hidden"}};
  if (tests.empty()) report.push_back({"score", 0});  // it refuses a report without a score and tests
  report.push_back({"tests", std::move(tests)});
  return to_json(report) + "\n";
}

// --- a table ---

namespace {

constexpr std::string_view kMark =
    "\xEF\xBB\xBF";  // without it, spreadsheets take UTF-8 for another encoding

// A field of text. A spreadsheet takes what begins with one of these for a formula; an apostrophe prevents
// it.
std::string csv_text(const std::string& text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos;
  std::string quoted = "\"";
  for (const char c : (is_formula ? "'" : "") + text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

bool is_empty_field(const GradedSubmission& submission, const Grade& grade) {
  return !submission.why.empty() || !grade.machine.empty() || !grade.has_file;
}

// The columns by which a platform knows a student, with their headings.
struct IdColumns {
  std::vector<std::string> headings;
  std::vector<std::string> (*of)(const GradedSubmission& submission);
};

const IdColumns kOwn = {{"student"},
                        [](const GradedSubmission& one) { return std::vector<std::string>{one.student}; }};
const IdColumns kCanvas = {{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"},
                           [](const GradedSubmission& one) {
                             const std::string login = one.id.empty() ? one.student : "";
                             return std::vector<std::string>{one.student, one.id, "", login, ""};
                           }};
const IdColumns kMoodle = {{"Identifier", "Full name", "Username"}, [](const GradedSubmission& one) {
                             if (one.id.empty()) return std::vector<std::string>{"", "", one.student};
                             return std::vector<std::string>{"Participant " + one.id, one.student, ""};
                           }};

}  // namespace

std::string why_of(const GradedSubmission& submission) {
  if (!submission.why.empty()) return submission.why;
  std::string why;
  for (const Grade& grade : submission.grades) {
    std::string reason = !grade.machine.empty()   ? grade.machine
                         : grade.problems.empty() ? ""
                                                  : grade.problems[0];
    if (reason.empty() && first_wrong(grade)) reason = first_wrong(grade)->name;
    if (reason.empty()) continue;
    why += (why.empty() ? "" : "; ") + (submission.grades.size() > 1 ? grade.label + ": " : "") +
           printable(lines_of(reason)[0]);
  }
  return why;
}

std::string table_of(const std::vector<GradedSubmission>& submissions, const std::string& system) {
  const IdColumns& ids = system == "canvas" ? kCanvas : system == "moodle" ? kMoodle : kOwn;
  std::string table(kMark), line;
  bool is_first = true;
  const auto add = [&](const std::string& field) {
    line += (is_first ? "" : ",") + field;
    is_first = false;
  };
  const auto end_line = [&] {
    table += line + "\r\n";
    line.clear();
    is_first = true;
  };
  for (const std::string& heading : ids.headings) add(csv_text(heading));
  const std::vector<Grade> exercises = submissions.empty() ? std::vector<Grade>() : submissions[0].grades;
  for (const Grade& exercise : exercises) add(csv_text(exercise.label));
  if (system.empty()) add("\"sum\",\"why\"");
  end_line();
  if (system == "canvas") {  // a second row has the points of the columns
    add(csv_text("    Points Possible") + ",,,,");
    for (const Grade& exercise : exercises) add(number_text(exercise.points));
    end_line();
  }
  for (const GradedSubmission& submission : submissions) {
    for (const std::string& id : ids.of(submission)) add(id.empty() ? "" : csv_text(id));
    double sum = 0;
    bool has_score = false;
    for (const Grade& grade : submission.grades) {
      const bool is_empty = is_empty_field(submission, grade);
      add(is_empty ? "" : number_text(grade.score));
      has_score = has_score || !is_empty;
      sum += grade.score;
    }
    if (system.empty()) add((has_score ? number_text(sum) : "") + "," + csv_text(why_of(submission)));
    end_line();
  }
  return table;
}

}  // namespace plainformer::course
