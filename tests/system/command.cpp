#include "system/process.h"

namespace plainformer {

std::vector<std::string> command_of(const ProcessSetup& setup) {
  std::vector<std::string> command;
  if (setup.program.starts_with(PLAINFORMER_BINARY_DIR)) command = {PLAINFORMER_EMULATOR};
  command.push_back(setup.program);
  command.insert(command.end(), setup.arguments.begin(), setup.arguments.end());
  return command;
}

}  // namespace plainformer
