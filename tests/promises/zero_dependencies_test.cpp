// "Nothing beyond the standard library": what the program is linked against.
#include <gtest/gtest.h>

#include <regex>

#include "system/process.h"

namespace plainformer {
namespace {

TEST(ZeroDependencies, TheProgramLinksOnlyTheCppRuntimeLibcLibmAndThreads) {
  const auto libraries = libraries_of(PLAINFORMER_PROGRAM);
  if (!libraries) GTEST_SKIP() << "no readelf here";
  const std::regex allowed(
      "(libstdc\\+\\+|libgcc_s|libc\\+\\+|libc\\+\\+abi|libunwind|libc|libm|libpthread|ld-linux[-a-z0-9_]*|"
      "libasan|libubsan|libtsan|libresolv)"  // the last four of the sanitizers, GCC's and Clang's
      "\\.so(\\.[0-9]+)*|"
      "(libstdc\\+\\+-6|libgcc_s_seh-1|libwinpthread-1|"
      "KERNEL32|SHELL32|msvcrt|ucrtbase|api-ms-win-(core|crt)-[-a-z0-9]+)\\.dll");
  for (const std::string& library : *libraries) EXPECT_TRUE(std::regex_match(library, allowed)) << library;
  EXPECT_GE(libraries->size(), 2u);
}

}  // namespace
}  // namespace plainformer
