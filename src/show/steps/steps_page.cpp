#include "show/steps/steps_page.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "core/check.h"
#include "core/number_text.h"
#include "io/checksum.h"
#include "io/json.h"
#include "report/terminal.h"
#include "show/html_page.h"
#include "show/trace/trace_writers.h"

namespace plainformer {

namespace {

std::string without_indent(const std::string& line) {
  return line.substr(std::min(line.size(), line.find_first_not_of(' ')));
}

// Does the line begin the definition of this function? It has no indent, and does not end in ';'.
bool declares(const std::string& line, const std::string& symbol) {
  if (line.empty() || line[0] == ' ' || line[0] == '/' || line[0] == '#') return false;
  const std::size_t at = line.find(symbol + "(");
  return at != std::string::npos && (at == 0 || line[at - 1] == ' ') && line.back() != ';';
}

std::vector<StepNote> read_notes() {
  const JsonValue json = parse_json(embedded_file("show/steps/notes.json"), "notes.json");
  std::vector<StepNote> notes;
  for (const JsonValue& each : *json.array()) {
    const auto text = [&](const char* name) { return *each.find(name)->string(); };
    notes.push_back({.kind = text("kind"),
                     .section = text("section"),
                     .equation = text("equation"),
                     .paper = text("paper"),
                     .sentence = text("sentence"),
                     .rule = each.find("rule") ? text("rule") : ""});
    for (const JsonValue& place : *each.find("code")->array()) {
      const JsonArray& parts = *place.array();
      notes.back().code.push_back({*parts[0].string(), *parts[1].string(), *parts[2].string()});
    }
  }
  return notes;
}

}  // namespace

const std::vector<StepNote>& step_notes() {
  static const std::vector<StepNote> notes = read_notes();
  return notes;
}

std::string kind_of(const std::string& name) {
  std::string kind = name;
  for (const char* stack : {"encoder.", "decoder."}) {
    if (!kind.starts_with(stack)) continue;
    const std::size_t rest = kind.find('.', 8) + 1;
    if (kind.find('.', rest) == std::string::npos) return stack + kind.substr(rest);  // "encoder.grad_y"
    kind = kind.substr(rest);
  }
  const std::size_t dot = kind.find('.');
  if (dot == std::string::npos) return kind;
  const std::string part = kind.substr(0, dot), last = kind.substr(dot);
  if (part == "source" || part == "target") return "input" + last;
  if (part.ends_with("_norm")) return "norm" + last;
  if (part.ends_with("attention")) return "attention" + last;
  return kind;
}

const StepNote& note_of(const std::string& kind) {
  const std::vector<StepNote>& notes = step_notes();
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const StepNote& note) { return note.kind == kind; });
  CHECK(found != notes.end(), "no note of ", kind);
  return *found;
}

QuotedFunction quote_function(const std::string& file, const std::string& symbol) {
  std::istringstream text(embedded_file(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  auto first =
      std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return declares(line, symbol); });
  CHECK(first != lines.end(), "no ", symbol, " in ", file);
  const auto last = std::find(first, lines.end(), "}");
  CHECK(last != lines.end(), symbol, " has no end");
  while (first != lines.begin() && first[-1].starts_with("//")) --first;
  return {.first_line = static_cast<int>(first - lines.begin()) + 1, .lines = {first, last + 1}};
}

std::pair<int, int> lines_of_step(const QuotedFunction& function, const std::string& step) {
  const auto& lines = function.lines;
  auto first = std::find_if(lines.begin(), lines.end(),
                            [&](const auto& line) { return without_indent(line).starts_with(step); });
  CHECK(first != lines.end(), "no line begins with ", step);
  const std::size_t indent = first->find_first_not_of(' ');
  auto end = first + 1;
  bool has_code = false;  // two comments of steps may share the lines below them
  while (end != lines.end() && !end->empty() && end->find_first_not_of(' ') >= indent) {
    if (has_code && without_indent(*end).starts_with("// Step")) break;
    has_code = has_code || !without_indent(*end).starts_with("//");
    ++end;
  }
  return {static_cast<int>(first - lines.begin()), static_cast<int>(end - lines.begin()) - 1};
}

// ---- the page

namespace {

// Four characters for each three bytes, filled up with "=" (RFC 4648, section 4).
std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

constexpr int kWidestStepsSentence = 2000;  // columns

// 4 bytes, the lowest first, for each value of all tensors.
std::string bytes_of_values(const Trace& trace) {
  std::string bytes;
  for (const TraceRecord& record : trace.records)
    for (Index i = 0; i < record.shown.size(); ++i) {
      char value[4];
      store(value, static_cast<float>(record.shown.data()[i]));
      bytes.append(value, sizeof value);
    }
  return bytes;
}

// JSON, short: a number; "i", an index; [12, "h", "i"], a cell of tensor 12; ["+", a, b]; ["sum", "p", count,
// a].
std::string formula_json(const Formula& formula, const std::map<std::string, Index>& numbers) {
  const auto& [kind, name, value, parts] = formula;
  if (kind == "number") return shortest_text(value);
  if (kind == "index") return "\"" + name + "\"";
  std::string json = kind == "cell" ? "[" + std::to_string(numbers.at(name)) : "[\"" + kind + "\"";
  if (!name.empty() && kind != "cell") json += ",\"" + name + "\"";
  for (const Formula& part : parts) json += "," + formula_json(part, numbers);
  return json + "]";
}

// The data of the page, as JSON. Words and functions that several tensors share are written once.
class StepsData {
 public:
  explicit StepsData(const Trace& trace) : trace_(trace), rules_(step_rules(trace)) {
    for (const TraceRecord& record : trace.records) numbers_.emplace(record.name, std::ssize(numbers_));
  }

  std::string write() {
    std::string tensors;
    for (const TraceRecord& record : trace_.records)
      tensors += (tensors.empty() ? "\n" : ",\n") + tensor(record);
    std::string notes;
    for (const std::string& kind : kinds_) notes += (notes.empty() ? "\n" : ",\n") + note(note_of(kind));
    JsonArray words;
    for (const Words* each : words_) words.push_back(printable_texts(*each));
    const JsonObject about = {
        {"source", truncate_to_width(printable(trace_.source_text), kWidestStepsSentence)},
        {"target", truncate_to_width(printable(trace_.target_text), kWidestStepsSentence)},
        {"target_is", describe_target(trace_)},
        {"loss", describe_loss(trace_)},
        {"model", printable(describe_model(trace_))}};
    std::string json = "{\"about\": " + to_json(about) + ",\n\"tensors\": [" + tensors + "],\n\"notes\": [" +
                       notes + "],\n\"words\": " + to_json(words);
    json += ",\n\"functions\": " + to_json(functions_json_);
    return json + ",\n\"values\": \"" + base64(bytes_of_values(trace_)) + "\"}";
  }

 private:
  std::string tensor(const TraceRecord& record) {
    const NumberStyle style = NumberStyle::of(record.shown);
    JsonArray axes;
    for (const TraceAxis& axis : record.axes) {
      JsonArray each = {axis.name, axis.extent};
      if (axis.words) each.push_back(index_in(words_, axis.words.get()));
      axes.push_back(std::move(each));
    }
    JsonObject object = {{"name", record.name},
                         {"path", record.path},
                         {"section", record.section},
                         {"equation", record.equation},
                         {"axes", std::move(axes)},
                         {"note", index_in(kinds_, kind_of(record.name))},
                         {"decimals", Index{style.decimals()}}};
    if (style.scientific()) object.emplace_back("scientific", true);
    if (!record.cell_words.empty()) object.emplace_back("cell_words", printable_texts(record.cell_words));
    std::string json = to_json(object);
    const auto rule = rules_.find(record.name);
    if (rule == rules_.end()) return json;
    json.pop_back();
    return json + ", \"indices\": " + to_json(rule->second.indices) +
           ", \"formula\": " + formula_json(rule->second.formula, numbers_) + "}";
  }

  // The sentence, the paper's formula, and for each place in the code its function and lines.
  std::string note(const StepNote& note) {
    JsonArray code;
    for (const CodePlace& place : note.code) {
      const QuotedFunction quoted = quote_function(place.file, place.symbol);
      const auto [first, last] = lines_of_step(quoted, place.step);
      code.push_back(JsonArray{function_number(place, quoted), Index{first}, Index{last}});
    }
    return to_json(JsonObject{{"sentence", note.sentence}, {"paper", note.paper}, {"code", std::move(code)}});
  }

  Index function_number(const CodePlace& place, const QuotedFunction& quoted) {
    const std::string key = place.file + " " + place.symbol;
    const Index number = index_in(functions_, key);
    if (number == std::ssize(functions_json_)) {
      functions_json_.push_back(JsonObject{{"file", "src/" + place.file},
                                           {"symbol", place.symbol},
                                           {"line", Index{quoted.first_line}},
                                           {"lines", quoted.lines}});
    }
    return number;
  }

  // The place of a value in the list, to which it is added if it is new.
  template <typename T>
  static Index index_in(std::vector<T>& list, const T& value) {
    const auto found = std::find(list.begin(), list.end(), value);
    if (found != list.end()) return found - list.begin();
    list.push_back(value);
    return std::ssize(list) - 1;
  }

  const Trace& trace_;
  const std::map<std::string, StepRule> rules_;
  std::map<std::string, Index> numbers_;
  std::vector<std::string> kinds_, functions_;
  std::vector<const Words*> words_;
  JsonArray functions_json_;
};

}  // namespace

std::string steps_data(const Trace& trace) {
  return StepsData(trace).write();
}

std::string steps_page(const Trace& trace) {
  std::string script;
  for (const char* part : {"formulas.js", "tables.js", "panes.js", "page.js"})
    script += embedded_file(std::string("show/steps/") + part);
  return html_page({.title = "Step by step: " + trace.source_text,
                    .style = embedded_file("show/steps/page.css"),
                    .body = embedded_file("show/steps/page.html"),
                    .data = steps_data(trace),
                    .script = script});
}

}  // namespace plainformer
