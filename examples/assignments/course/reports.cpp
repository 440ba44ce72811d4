#include "reports.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "core/strings.h"
#include "io/json.h"
#include "report/command_line.h"
#include "report/terminal.h"

namespace plainformer::course {

namespace {

// Points, or seconds: a sum like 0.1 + 0.2 without its last digits.
std::string number_text(double number) {
  return shortest_text(std::round(number * 1000) / 1000);
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

}  // namespace

std::string terminal_report(const Grade& grade, bool color, bool every_message) {
  std::string text = colored(pad_right(grade.label, kScoreColumn), Color::kBold, color);
  const bool full = grade.problem.empty() && grade.score >= grade.points;
  text += colored(number_text(grade.score) + " of " + number_text(grade.points),
                  full ? Color::kGreen : Color::kRed, color) +
          "\n";
  if (!grade.problem.empty()) return text + indented(grade.problem, 2, kMostProblemLines);
  if (!grade.warnings.empty())
    text += "  Your compiler warns:\n" + indented(grade.warnings, 4, kMostMessageLines);
  int shown = 0, hidden = 0;
  for (const GradedRow& row : grade.rows) {
    if (row.is_right) continue;
    text += "  " + colored("FAIL", Color::kRed, color) + "  " + printable(row.name) + "  " +
            number_text(row.points) + (row.points == 1 ? " point\n" : " points\n");
    const bool is_shown = every_message || shown < kMostMessages;
    ++(is_shown ? shown : hidden);
    if (is_shown) text += indented(row.message, 8, kMostMessageLines);
  }
  if (hidden > 0) text += "  `course check --all` shows all messages\n";
  text += indented(grade.recognized + grade.right + grade.printed, 2, kMostMessageLines);
  if (!grade.debugger.empty() && shown > 0)
    text +=
        "  To step through it, set a breakpoint in your function:\n    " + printable(grade.debugger) + "\n";
  return text;
}

// --- for Gradescope ---

namespace {

// A member "tests": row i, or the whole grade if nothing ran. At most 2,000 characters of the output, in
// whole code points.
JsonObject gradescope_test(const Grade& grade, std::size_t i, bool secret) {
  const bool ran = grade.problem.empty();
  const GradedRow row = ran ? grade.rows[i] : GradedRow{.name = "your file", .points = grade.points};
  const bool is_first = ran && &grade.rows[i] == first_wrong(grade);
  const std::string output = !ran           ? grade.problem
                             : row.is_right ? ""
                             : is_first ? grade.recognized + grade.right + row.message + "\n" + grade.printed
                                        : row.message;
  return {{"name", grade.label + ": " + row.name},
          {"score", row.score},
          {"max_score", row.points},
          {"status", row.is_right ? "passed" : "failed"},
          {"output", truncate_to_width(output, 2'000)},
          {"visibility", ran && secret ? "after_due_date" : "visible"}};
}

}  // namespace

std::string gradescope_report(const std::vector<Grade>& grades, bool secret) {
  JsonArray tests;
  for (const Grade& grade : grades)
    for (std::size_t i = 0; i < (grade.problem.empty() ? grade.rows.size() : 1); ++i)
      tests.push_back(gradescope_test(grade, i, secret));
  JsonObject report = {{"stdout_visibility", "hidden"}};
  if (tests.empty()) report.push_back({"score", 0});  // it refuses a report without a score and tests
  report.push_back({"tests", std::move(tests)});
  return to_json(report) + "\n";
}

// --- a table ---

namespace {

constexpr const char* kMark = "\xEF\xBB\xBF";  // without it, spreadsheets take UTF-8 for another encoding

// A field of text. A spreadsheet takes what begins with one of these for a formula; an apostrophe prevents
// it.
std::string csv_text(const std::string& text) {
  std::string quoted = text.find_first_of("=+-@\t\r\n") == 0 ? "\"'" : "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// The columns by which a platform knows a student: the headings, or (of a submission) the fields.
Texts id_columns(const std::string& system, const GradedSubmission* one) {
  const bool has_id = one && !one->id.empty();
  if (system == "canvas") {
    if (!one) return {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    return {one->student, one->id, "", has_id ? "" : one->student, ""};
  }
  if (system == "moodle") {
    if (!one) return {"Identifier", "Full name", "Username"};
    return has_id ? Texts{"Participant " + one->id, one->student, ""} : Texts{"", "", one->student};
  }
  return {one ? one->student : "student"};
}

}  // namespace

std::string why_of(const GradedSubmission& submission) {
  if (!submission.why.empty()) return submission.why;
  Texts all;
  for (const Grade& grade : submission.grades) {
    std::string why = grade.problem;
    if (why.empty() && first_wrong(grade)) why = first_wrong(grade)->name;
    const std::string of = submission.grades.size() > 1 ? grade.label + ": " : "";
    if (!why.empty()) all.push_back(of + printable(lines_of(why)[0]));
  }
  return join("; ", all);
}

std::string table_of(const std::vector<GradedSubmission>& submissions, const std::string& system) {
  std::string table = kMark;
  const auto add_line = [&](const GradedSubmission* one, const Texts& more) {
    Texts fields;
    for (const std::string& id : id_columns(system, one)) fields.push_back(id.empty() ? "" : csv_text(id));
    fields.insert(fields.end(), more.begin(), more.end());
    table += join(",", fields) + "\r\n";
  };
  Texts headings, possible;
  for (const Grade& exercise : submissions.at(0).grades) {
    headings.push_back(csv_text(exercise.label));
    possible.push_back(number_text(exercise.points));
  }
  if (system.empty()) headings.push_back("\"sum\",\"why\"");
  add_line(nullptr, headings);
  if (system == "canvas") table += csv_text("    Points Possible") + ",,,,," + join(",", possible) + "\r\n";
  for (const GradedSubmission& submission : submissions) {
    Texts fields;
    double sum = 0;
    bool has_score = false;
    for (const Grade& grade : submission.grades) {
      const bool is_graded = submission.why.empty() && grade.has_file;
      fields.push_back(is_graded ? number_text(grade.score) : "");
      has_score = has_score || is_graded;
      sum += grade.score;
    }
    if (system.empty()) {
      fields.push_back(has_score ? number_text(sum) : "");
      fields.push_back(csv_text(why_of(submission)));
    }
    add_line(&submission, fields);
  }
  return table;
}

}  // namespace plainformer::course
