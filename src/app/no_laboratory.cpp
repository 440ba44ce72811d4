#include "app/laboratory.h"

namespace plainformer {

std::span<const Command> laboratory_commands() {
  return {};
}

}  // namespace plainformer
