#include "app/interrupt.h"

#include <csignal>

namespace plainformer {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

extern "C" void note_signal(int signal) {
  if (noted_signal != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  noted_signal = signal;
  std::signal(signal, note_signal);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

int interrupt_signal() {
  return noted_signal;
}

}  // namespace plainformer
