// "Nothing beyond the standard library": what the program is linked against.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>

namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
  return output;
}

TEST(ZeroDependencies, TheProgramLinksOnlyTheCppRuntimeLibcLibmAndThreads) {
  if (std::system("readelf --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no readelf here";
  const std::string dynamic = output_of("readelf -d " PLAINFORMER_PROGRAM);
  const std::regex needed("\\(NEEDED\\)[^\\[]*\\[([^\\]]+)\\]");
  const std::regex allowed(
      "(libstdc\\+\\+|libgcc_s|libc|libm|libpthread|ld-linux[-a-z0-9_]*|libasan|libubsan|libtsan)\\.so(\\.[0-"
      "9]+)*");
  int libraries = 0;
  for (std::sregex_iterator it(dynamic.begin(), dynamic.end(), needed), end; it != end; ++it, ++libraries) {
    const std::string library = (*it)[1];
    EXPECT_TRUE(std::regex_match(library, allowed)) << library;
  }
  EXPECT_GE(libraries, 2) << dynamic;
}

}  // namespace
