// "Nothing beyond the standard library": what the program is linked against.
#include <gtest/gtest.h>

#include "support/pattern.h"
#include "system/process.h"

// Clang's address sanitizer links one library more.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIBRARY_OF_SANITIZER "|libresolv"
#endif
#endif
#ifndef LIBRARY_OF_SANITIZER
#define LIBRARY_OF_SANITIZER ""
#endif

namespace plainformer {
namespace {

TEST(ZeroDependencies, TheProgramLinksOnlyTheCppRuntimeLibcLibmAndThreads) {
  const auto libraries = libraries_of(PLAINFORMER_PROGRAM);
  if (!libraries) GTEST_SKIP() << "no readelf here";
  const Pattern allowed(
      "(libstdc\\+\\+|libgcc_s|libc\\+\\+|libc\\+\\+abi|libunwind|libc|libc\\.musl-[_a-z0-9]+|libm|"
      "libpthread|ld-linux[-a-z0-9_]*|"
      "libasan|libubsan|libtsan" LIBRARY_OF_SANITIZER
      ")"
      "\\.so(\\.[0-9]+)*");
  for (const std::string& library : *libraries) EXPECT_TRUE(allowed.matches(library)) << library;
  EXPECT_GE(libraries->size(), 2u);
}

}  // namespace
}  // namespace plainformer
