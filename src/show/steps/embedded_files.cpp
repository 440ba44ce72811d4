#include "show/steps/embedded_files.h"

#include "core/check.h"

namespace plainformer {

namespace {

struct EmbeddedFile {
  const char *name, *text;
};
constexpr EmbeddedFile kEmbeddedFiles[] = {
#include "embedded_files.inc"  // CMake writes it
};

}  // namespace

std::string embedded_file(const std::string& name) {
  for (const EmbeddedFile& file : kEmbeddedFiles)
    if (file.name == name) return file.text;
  CHECK(false, "no embedded file ", name);
}

}  // namespace plainformer
