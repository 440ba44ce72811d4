// Files that the program holds in itself, so that it needs none of them when it runs: the parts of the step page, and
// the sources that it quotes. src/CMakeLists.txt lists them.
#pragma once

#include <string>

namespace plainformer {

// Its text.    name: its path from src/. std::logic_error if the program does not hold it
std::string embedded_file(const std::string& name);

}  // namespace plainformer
