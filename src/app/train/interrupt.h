// Notes Ctrl-C and termination, so that a long loop can check for them.
#pragma once

namespace plainformer {

// From now on, the first SIGINT or SIGTERM is only noted. A second one ends the program at once.
void catch_interrupts();

// The number of the noted signal, or 0.
int interrupt_signal();

}  // namespace plainformer
