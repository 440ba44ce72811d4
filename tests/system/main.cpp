// The main of every test program.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <string_view>

#include "platform/platform.h"
#include "system/process.h"

namespace plainformer {
namespace {

constexpr const char* kOption = "--role";

std::map<std::string, Role::Play>& roles() {
  static std::map<std::string, Role::Play> all;
  return all;
}

int play_role(std::vector<std::string> arguments) {
  const std::string name = arguments.at(1);
  arguments.erase(arguments.begin(), arguments.begin() + 2);
  return roles().at(name)(arguments);
}

}  // namespace

Role::Role(const std::string& name, Play play) {
  roles()[name] = std::move(play);
}

ProcessSetup as_role(const std::string& name, const std::vector<std::string>& arguments) {
  ProcessSetup setup = {.program = this_program(), .arguments = {kOption, name}};
  setup.arguments.insert(setup.arguments.end(), arguments.begin(), arguments.end());
  return setup;
}

}  // namespace plainformer

int main(int count, char** values) {
  using namespace plainformer;
  if (count > 2 && std::string_view(values[1]) == kOption) return play_role(start_program(count, values));
  testing::InitGoogleTest(&count, values);
  return RUN_ALL_TESTS();
}
