// Options of a subcommand: bound to variables, whose values are the defaults that --help shows.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "command_line/help_text.h"
#include "core/real.h"

namespace plainformer {

// A command line that cannot be understood: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Arguments = std::vector<std::string>;

class CommandLine {
 public:
  // usage: "plainformer train --source FILE --target FILE --out DIR [options]", one call on each line
  CommandLine(std::string usage, std::string summary)
      : usage_(std::move(usage)), summary_(std::move(summary)) {}

  // A heading in --help for the options that follow.
  void section(const std::string& title);
  // An option: name "--beam", placeholder "N" (empty for a bool, which is a switch). The variable must outlive
  // parse(). An option with a vector may be repeated and collects its values.
  using Variable = std::variant<bool*, Index*, double*, std::string*, std::vector<std::string>*>;
  void option(const std::string& name, const std::string& placeholder, Variable variable,
              const std::string& help);
  // An option whose value may be left out: --name means --name=bare. Any other value needs "=".
  void optional_value(const std::string& name, const std::string& placeholder, std::string* variable,
                      const std::string& bare, const std::string& help);

  // Sets the variables; "--name value" and "--name=value" are the same, except that a value that looks like an option
  // ("--fast") needs "=". Returns the arguments that are not options, in order. UsageError for an unknown option, one
  // that is given twice, a missing value, or a value of the wrong kind. A second call sets the variables anew: its
  // values replace those of the first.
  Arguments parse(const Arguments& arguments);

  // The first of these options that the parsed arguments (of all calls) had, or "".
  std::string first_given(const std::vector<std::string>& names) const;

  // The answer to --help, in lines of at most `width` columns: summary, usage, and the options under their headings,
  // each with its default. Line breaks of the texts count as spaces, except that a usage has a line for each call.
  std::string help(int width = help_width()) const;

  // The arguments that set every variable to its present value. Switches that are off, empty texts and empty lists are
  // left out.
  Arguments arguments() const;

 private:
  struct Option {
    std::string name, placeholder, help, default_value;
    Variable variable;
    std::string section;
    std::string bare = {};  // the value of the name alone, for one that may stand alone
  };
  static std::string name_and_placeholder(const Option& option);
  const Option& find(const std::string& name) const;
  // Sets the variable of argument number i, and returns the number of the last argument that belongs to it.
  std::size_t set_option(const Option& option, const Arguments& arguments, std::size_t i);

  std::string usage_, summary_, section_ = "Options";
  std::vector<Option> options_;
  std::set<std::string> given_;
};

// "; did you mean NAME?" with the nearest of the known names, or nothing if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

// True if the arguments ask for help.
bool wants_help(const Arguments& arguments);

// Throws UsageError unless `rest` is empty, for commands without positional arguments.
void expect_no_more(const Arguments& rest);

// Throws UsageError, naming the option, if the value of a required option is empty.
void require_option(const std::string& name, const std::string& value);

}  // namespace plainformer
