// Each test program that computes runs twice: the fast way, and with PLAINFORMER_PLAIN=all the plain one
// (tests/CMakeLists.txt). This is how the choice arrives before the first test.
#include <cstdlib>

#include "ops/ways.h"

namespace plainformer {
namespace {

[[maybe_unused]] const bool chosen = [] {
  if (const char* names = std::getenv("PLAINFORMER_PLAIN")) ways = plain_ways(names, "PLAINFORMER_PLAIN");
  return true;
}();

}  // namespace
}  // namespace plainformer
