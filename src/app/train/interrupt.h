// Ctrl-C and termination, as a question that a long loop can ask.
#pragma once

namespace plainformer {

// From now on SIGINT and SIGTERM are only noted; a second one ends the program at once.
void catch_interrupts();

// The number of the signal that came, or 0.
int interrupt_signal();

}  // namespace plainformer
