// Options of a subcommand: bound to variables, whose values are the defaults that --help shows.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/real.h"

namespace plainformer {

// A command line that cannot be understood: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Arguments = std::vector<std::string>;

// A subcommand. It takes the arguments after its name and returns the exit code: 0 for success, 1 for
// failure, 128 + the signal's number if a signal stopped a training run. It throws UsageError for arguments
// that cannot be understood (exit code 2), and std::runtime_error for other failures (1).
struct Command {
  const char* name;
  int (*run)(const Arguments&);
  const char* summary;
};

// The columns of a line of help on standard output: 100, or those of its terminal if that is narrower.
int help_width();

// The index of a text among the names that an option takes. UsageError if it is none of them.
std::size_t index_of_name(const std::string& option, const std::string& text,
                          const std::vector<std::string>& names);

class CommandLine {
 public:
  // usage: "plainformer train --source FILE --target FILE --out DIR [options]"; printed as it is
  CommandLine(std::string usage, std::string summary)
      : usage_(std::move(usage)), summary_(std::move(summary)) {}

  // A heading in --help for the options that follow.
  void section(const std::string& title);
  // An option: name "--beam", placeholder "N" (empty for a bool, which is a switch). The variable must
  // outlive parse(). An option with a vector may be repeated and collects its values. An optional tells an
  // option that is not given from an empty text. A variable of another type has two functions: one returns
  // its present value as text, one sets it from the text of the option with this name, or throws UsageError.
  struct TextValue {
    std::function<std::string()> text;
    std::function<void(const std::string& name, const std::string& text)> set;
  };
  using Variable = std::variant<bool*, Index*, double*, std::string*, std::optional<std::string>*,
                                std::vector<std::string>*, TextValue>;
  void option(const std::string& name, const std::string& placeholder, Variable variable,
              const std::string& help);
  // An option that must be given, with a value that is not empty.
  void required(const std::string& name, const std::string& placeholder, Variable variable,
                const std::string& help);
  // An option whose value may be left out: --name means --name=bare. Any other value needs "=".
  void optional_value(const std::string& name, const std::string& placeholder, std::string* variable,
                      const std::string& bare, const std::string& help);

  // Sets the variables; "--name value" and "--name=value" are the same, except that a value that looks like
  // an option ("--fast") needs "=". Returns the arguments that are not options, in order. UsageError for an
  // unknown option, one that is given twice, a missing value, or a value of the wrong kind. A second call
  // sets the variables again: its values replace those of the first.
  Arguments parse(const Arguments& arguments);

  // Does all that a command does first. If the arguments ask for help, prints it on standard output and
  // returns false. Else parses them; UsageError if a required option is missing.
  //   others   receives the arguments that are not options; without it they are a UsageError
  bool read(const Arguments& arguments, Arguments* others = nullptr);

  // The answer to --help, in lines of at most `width` columns: summary, usage, and the options under their
  // headings, each with its default.
  std::string help(int width = help_width()) const;

  // The arguments that set every variable to its present value. Switches that are off, empty texts and empty
  // lists are left out.
  Arguments arguments() const;

 private:
  struct Option {
    std::string name, placeholder, help, default_value;
    Variable variable;
    std::string section;
    std::string bare = {};  // the value of the name alone, for one whose value may be left out
    bool is_required = false;
  };
  static std::string name_and_placeholder(const Option& option);
  const Option& find(const std::string& name) const;
  // Sets the variable of argument number i, and returns the number of the last argument that belongs to it.
  std::size_t set_option(const Option& option, const Arguments& arguments, std::size_t i);

  std::string usage_, summary_, section_ = "Options";
  std::vector<Option> options_;
};

// A variable whose values have names, one for each enumerator from 0.
template <typename Enum>
CommandLine::TextValue one_of(const std::vector<std::string>& names, Enum* variable) {
  return {[names, variable] { return names[static_cast<std::size_t>(*variable)]; },
          [names, variable](const std::string& name, const std::string& text) {
            *variable = static_cast<Enum>(index_of_name(name, text, names));
          }};
}

// The options of a program that prints one table, such as those in examples/experiments.
struct TableOptions {
  bool csv = false;    // comma-separated values
  bool quick = false;  // a smaller table
  Index seeds = 1;     // runs behind each number

  // Reads them. If the program ends here, returns its exit code: 0 after --help, 2 for wrong usage.
  std::optional<int> read(const std::string& program, int argc, char** argv);
};

// "; did you mean NAME?" with the nearest of the known names, or nothing if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

// True if the arguments ask for help.
bool wants_help(const Arguments& arguments);

// Throws UsageError unless `rest` is empty, for commands without positional arguments.
void expect_no_more(const Arguments& rest);

// Throws UsageError, naming the option, if the value of a required option is empty.
void require_option(const std::string& name, const std::string& value);

// Prints warnings to standard error, each on one line after the names of the program and the command.
std::function<void(const std::string&)> warnings_of(const std::string& command);

// The words of a text in lines of at most `width` columns. The first line continues at `column`, after text
// that is there already; further lines begin with `indent` spaces. A word that is too long gets a line of its
// own.
std::string wrapped(std::string_view text, int column, int indent, int width);

// A row of a table, "  NAME  text\n": the text begins after `name_width` columns for the name, and is wrapped
// there. It keeps at least 24 columns, so a row may be longer than a very narrow terminal.
std::string help_row(const std::string& name, std::string_view text, int name_width, int width);

}  // namespace plainformer
