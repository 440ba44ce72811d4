#include "app/train/interrupt.h"

#include <csignal>

namespace plainformer {

namespace {

volatile std::sig_atomic_t noted_signal = 0;

extern "C" void note_signal(int signal) {
  const bool is_second = noted_signal != 0;
  noted_signal = signal;
  std::signal(signal, is_second ? SIG_DFL : note_signal);
  if (is_second) std::raise(signal);
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
