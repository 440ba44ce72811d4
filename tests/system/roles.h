// What a test program does instead of its tests when one of its tests starts it again, as another process.
//
//   const Role say_hello("say_hello", [](const std::vector<std::string>& arguments) { ...; return 0; });
//   ChildProcess process(as_role("say_hello", {"Ada"}));
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "system/process.h"

namespace plainformer {

// A namespace's constant: it registers itself. The result is the exit code.
class Role {
 public:
  using Play = std::function<int(const std::vector<std::string>& arguments)>;
  Role(const std::string& name, Play play);
};

ProcessSetup as_role(const std::string& name, const std::vector<std::string>& arguments = {});

}  // namespace plainformer
