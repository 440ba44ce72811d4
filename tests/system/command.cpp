// The parts that all systems share.
#include <cstdlib>

#include "system/system.h"

namespace plainformer {

EnvironmentVariable::EnvironmentVariable(const std::string& name) : name_(name) {
  if (const char* const value = std::getenv(name.c_str())) before_ = value;
}

EnvironmentVariable::~EnvironmentVariable() {
  before_ ? set(*before_) : unset();
}

std::vector<std::string> command_of(const ProgramSetup& setup) {
  std::vector<std::string> command;
  if (setup.program.starts_with(PLAINFORMER_BINARY_DIR)) command = {PLAINFORMER_EMULATOR};
  command.push_back(setup.program);
  command.insert(command.end(), setup.arguments.begin(), setup.arguments.end());
  return command;
}

}  // namespace plainformer
