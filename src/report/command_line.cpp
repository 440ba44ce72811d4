#include "report/command_line.h"

#include <algorithm>
#include <iostream>
#include <locale>
#include <set>
#include <sstream>

#include "core/number_text.h"
#include "core/strings.h"
#include "platform/platform.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

std::string value_text(const CommandLine::Variable& variable) {
  if (const auto* number = std::get_if<Index*>(&variable)) return std::to_string(**number);
  if (const auto* text = std::get_if<std::string*>(&variable)) return **text;
  if (const auto* number = std::get_if<double*>(&variable)) return shortest_text(**number);
  if (const auto* value = std::get_if<CommandLine::TextValue>(&variable)) return value->text();
  return "";
}

template <typename Number>
void set_number(const std::string& name, const std::string& text, const char* kind, Number& number) {
  const auto parsed = parse_number<Number>(text);
  if (!parsed) throw UsageError(name + " takes " + kind + ", not \"" + text + "\"");
  number = *parsed;
}

void set(const CommandLine::Variable& variable, const std::string& name, const std::string& text) {
  if (const auto* number = std::get_if<Index*>(&variable)) set_number(name, text, "a whole number", **number);
  if (const auto* number = std::get_if<double*>(&variable)) set_number(name, text, "a number", **number);
  if (const auto* target = std::get_if<std::string*>(&variable)) **target = text;
  if (const auto* target = std::get_if<std::optional<std::string>*>(&variable)) **target = text;
  if (const auto* list = std::get_if<std::vector<std::string>*>(&variable)) (*list)->push_back(text);
  if (const auto* value = std::get_if<CommandLine::TextValue>(&variable)) value->set(name, text);
}

// "--fast", "--out=x", but not "-- he said" or "-7".
bool looks_like_option(const std::string& argument) {
  return argument.starts_with("--") && argument.size() > 2 && argument[2] >= 'a' && argument[2] <= 'z';
}

// The number of letters that must change to turn a into b (Levenshtein 1966), for "did you mean".
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

// ---- the layout of --help

constexpr int kStandardOutput = 1;
constexpr int kMostColumns = 100;
constexpr int kFewestColumnsOfText = 24;

}  // namespace

int help_width() {
  if (!is_terminal(kStandardOutput)) return kMostColumns;
  return std::min(kMostColumns, terminal_width(kStandardOutput));
}

std::string wrapped(std::string_view text, int column, int indent, int width) {
  std::istringstream words{std::string(text)};
  words.imbue(std::locale::classic());
  std::string lines;
  bool is_first = true;  // the first of its line
  for (std::string word; words >> word;) {
    const int word_width = display_width(word);
    if (!is_first && column + 1 + word_width > width) {
      lines += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
      is_first = true;
    }
    lines += (is_first ? "" : " ") + word;
    column += (is_first ? 0 : 1) + word_width;
    is_first = false;
  }
  return lines;
}

std::string help_row(const std::string& name, std::string_view text, int name_width, int width) {
  const int text_column = 2 + name_width + 2;
  const int text_end = std::max(width, text_column + kFewestColumnsOfText);
  return "  " + pad_right(name, name_width) + "  " + wrapped(text, text_column, text_column, text_end) + "\n";
}

// ---- the options

void CommandLine::section(const std::string& title) {
  section_ = title;
}

void CommandLine::option(const std::string& name, const std::string& placeholder, Variable variable,
                         const std::string& help) {
  options_.push_back({name, placeholder, help, value_text(variable), variable, section_});
}

void CommandLine::required(const std::string& name, const std::string& placeholder, Variable variable,
                           const std::string& help) {
  option(name, placeholder, variable, help);
  options_.back().is_required = true;
}

void CommandLine::optional_value(const std::string& name, const std::string& placeholder,
                                 std::string* variable, const std::string& bare, const std::string& help) {
  options_.push_back({name, "[=" + placeholder + "]", help, *variable, variable, section_, bare});
}

std::string CommandLine::name_and_placeholder(const Option& option) {
  const bool apart = !option.placeholder.empty() && option.bare.empty();
  return option.name + (apart ? " " : "") + option.placeholder;
}

const CommandLine::Option& CommandLine::find(const std::string& name) const {
  const auto same = [&](const Option& option) { return option.name == name; };
  const auto found = std::find_if(options_.begin(), options_.end(), same);
  if (found != options_.end()) return *found;
  std::vector<std::string> names;
  for (const Option& option : options_) names.push_back(option.name);
  throw UsageError("unknown option " + name + did_you_mean(name, names));
}

Arguments CommandLine::parse(const Arguments& arguments) {
  Arguments rest;
  std::set<std::string> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 3 || argument.compare(0, 2, "--") != 0) {
      rest.push_back(argument);
      continue;
    }
    const Option& option = find(argument.substr(0, argument.find('=')));
    const bool is_first = given.insert(option.name).second;
    if (const auto* list = std::get_if<std::vector<std::string>*>(&option.variable)) {
      if (is_first) (*list)->clear();
    } else if (!is_first) {
      throw UsageError(option.name + " is given twice");
    }
    i = set_option(option, arguments, i);
  }
  return rest;
}

bool CommandLine::read(const Arguments& arguments, Arguments* others) {
  if (wants_help(arguments)) {
    std::cout << help();
    return false;
  }
  const Arguments rest = parse(arguments);
  if (others)
    *others = rest;
  else
    expect_no_more(rest);
  for (const Option& option : options_) {
    if (!option.is_required) continue;
    if (const auto* text = std::get_if<std::string*>(&option.variable)) require_option(option.name, **text);
    if (const auto* list = std::get_if<std::vector<std::string>*>(&option.variable)) {
      if ((*list)->empty()) require_option(option.name, "");
      for (const std::string& value : **list) require_option(option.name, value);
    }
  }
  return true;
}

std::size_t CommandLine::set_option(const Option& option, const Arguments& arguments, std::size_t i) {
  const std::string& argument = arguments[i];
  const std::size_t equals = argument.find('=');
  if (const auto* flag = std::get_if<bool*>(&option.variable)) {
    if (equals != std::string::npos) throw UsageError(option.name + " takes no value");
    **flag = true;
  } else if (equals != std::string::npos) {
    if (!option.bare.empty() && equals + 1 == argument.size())
      throw UsageError(option.name + "= needs a value: " + option.name + option.placeholder);
    set(option.variable, option.name, argument.substr(equals + 1));
  } else if (!option.bare.empty()) {
    set(option.variable, option.name, option.bare);
  } else {
    const std::string needs = option.name + " needs a value: " + option.name + " " + option.placeholder;
    if (++i == arguments.size()) throw UsageError(needs);
    if (looks_like_option(arguments[i]))
      throw UsageError(needs + ", or " + option.name + "=" + arguments[i] + " if that is the value");
    set(option.variable, option.name, arguments[i]);
  }
  return i;
}

std::string CommandLine::help(int width) const {
  std::string text = wrapped(summary_, 0, 0, width) + "\n\nUsage: " + usage_ + "\n";

  int name_width = 0;
  for (const Option& option : options_)
    name_width = std::max(name_width, display_width(name_and_placeholder(option)));
  std::string section;
  for (const Option& option : options_) {
    if (option.section != section) text += "\n" + option.section + ":\n";
    section = option.section;
    const std::string default_value = option.default_value.empty() ? "" : " [" + option.default_value + "]";
    text += help_row(name_and_placeholder(option), option.help + default_value, name_width, width);
  }
  return text;
}

Arguments CommandLine::arguments() const {
  Arguments arguments;
  for (const Option& option : options_) {
    if (const auto* list = std::get_if<std::vector<std::string>*>(&option.variable)) {
      for (const std::string& value : **list) {
        if (looks_like_option(value))
          arguments.push_back(option.name + "=" + value);
        else
          arguments.insert(arguments.end(), {option.name, value});
      }
    }
    const auto* flag = std::get_if<bool*>(&option.variable);
    const std::string text = value_text(option.variable);
    if (text.empty() && !(flag && **flag)) continue;
    const bool is_joined = !option.bare.empty() || looks_like_option(text);
    arguments.push_back(is_joined ? option.name + "=" + text : option.name);
    if (!flag && !is_joined) arguments.push_back(text);
  }
  return arguments;
}

std::size_t index_of_name(const std::string& option, const std::string& text,
                          const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    const std::vector<std::string> first(names.begin(), names.end() - 1);
    throw UsageError(option + " takes " + join(", ", first) + " or " + names.back() + ", not \"" + text +
                     "\"");
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<int> TableOptions::read(const std::string& program, int argc, char** argv) {
  CommandLine line(program + " [--csv] [--quick] [--seeds N]", "Prints a table.");
  line.option("--csv", "", &csv, "as comma-separated values");
  line.option("--quick", "", &quick, "a smaller one");
  line.option("--seeds", "N", &seeds, "runs behind each number");
  try {
    if (!line.read({argv + 1, argv + argc})) return 0;
    if (seeds < 1) throw UsageError("--seeds takes a number from 1, not " + std::to_string(seeds));
  } catch (const UsageError& error) {
    std::cerr << program << ": " << error.what() << " (hint: see '" << program << " --help')\n";
    return 2;
  }
  return std::nullopt;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(a, name) < edit_distance(b, name);
  });
  // Most letters of a short name must be right. The dashes before it are always right, so they do not count.
  const std::size_t first_letter = name.find_first_not_of('-');
  const bool near =
      nearest != known.end() && first_letter != std::string::npos &&
      edit_distance(*nearest, name) <= std::clamp<std::size_t>((name.size() - first_letter - 1) / 2, 1, 3);
  return near ? "; did you mean " + *nearest + "?" : "";
}

bool wants_help(const Arguments& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& a) { return a == "--help" || a == "-h"; });
}

void expect_no_more(const Arguments& rest) {
  if (!rest.empty()) throw UsageError("unexpected argument \"" + rest.front() + "\"");
}

void require_option(const std::string& name, const std::string& value) {
  if (value.empty()) throw UsageError(name + " is required");
}

std::function<void(const std::string&)> warnings_of(const std::string& command) {
  return [command](const std::string& text) {
    std::cerr << "plainformer " << command << ": " << printable(text) << "\n";
  };
}

}  // namespace plainformer
