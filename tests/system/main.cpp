// The main of every test program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "ops/ways.h"
#include "platform/platform.h"
#include "system/process.h"

namespace plainformer {
namespace {

// Each test program that computes runs twice: the fast way, and with PLAINFORMER_PLAIN=all the plain one
// (tests/CMakeLists.txt). The choice is made before the first test.
[[maybe_unused]] const bool is_way_chosen = [] {
  if (const char* names = std::getenv("PLAINFORMER_PLAIN")) ways = plain_ways(names, "PLAINFORMER_PLAIN");
  return true;
}();

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

ProgramSetup as_role(const std::string& name, const std::vector<std::string>& arguments) {
  ProgramSetup setup = {.program = this_program(), .arguments = {kOption, name}};
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
