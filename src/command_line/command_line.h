// Options of a subcommand: bound to variables, whose values are the defaults that --help shows.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/real.h"

namespace plainformer {

// A command line that cannot be understood: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Arguments = std::vector<std::string>;

class CommandLine {
 public:
  // usage: "plainformer train --source FILE --target FILE --out DIR [options]"
  CommandLine(std::string usage, std::string summary)
      : usage_(std::move(usage)), summary_(std::move(summary)) {}

  // A heading in --help for the options that follow.
  void section(const std::string& title);
  // name "--beam", placeholder "N" (empty for a bool, which is a switch). The variable must outlive parse().
  // An option with a vector may be repeated and collects its values. For any other option the last value
  // wins.
  using Variable = std::variant<bool*, Index*, double*, std::string*, std::vector<std::string>*>;
  void option(const std::string& name, const std::string& placeholder, Variable variable,
              const std::string& help);
  // A text that may be left out: "--name" alone means "--name=bare", and another value comes by "=" only.
  void optional_value(const std::string& name, const std::string& placeholder, std::string* variable,
                      const std::string& bare, const std::string& help);

  // Sets the variables; "--name value" and "--name=value" are the same. Returns the arguments that are not
  // options, in order. UsageError for an unknown option, a missing value, or a value of the wrong kind.
  Arguments parse(const Arguments& arguments);

  // After parse: the first of these options that the arguments had, or "".
  std::string first_given(const std::vector<std::string>& names) const;

  std::string help() const;

  // The arguments that set every variable to its present value. Switches that are off, empty texts and lists
  // are left out.
  Arguments arguments() const;

 private:
  struct Option {
    std::string name, placeholder, help, default_value;
    Variable variable;
    std::string section;
    std::string bare = {};  // the value of the name alone, for one that may stand alone
  };
  const Option& find(const std::string& name) const;

  std::string usage_, summary_, section_ = "Options";
  std::vector<Option> options_;
  std::set<std::string> given_;
};

// "; did you mean NAME?" with the nearest of the known names, or nothing if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

// True if the arguments ask for help.
bool wants_help(const Arguments& arguments);

// For commands without positional arguments: UsageError unless `rest` is empty.
void expect_no_more(const Arguments& rest);

// For required options: UsageError naming the option if the value is empty.
void require_option(const std::string& name, const std::string& value);

}  // namespace plainformer
