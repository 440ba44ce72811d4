// The laboratory's subcommands, as far as this program has them. laboratory.cpp lists them; a program without the
// laboratory is linked with no_laboratory.cpp instead.
#pragma once

#include <span>

#include "command_line/command.h"

namespace plainformer {

std::span<const Command> laboratory_commands();

}  // namespace plainformer
