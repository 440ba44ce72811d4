#include "app/train/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace plainformer {
namespace {

TEST(InterruptDeathTest, TheFirstSignalIsNotedAndTheSecondEndsTheProgram) {
  const auto send_two = [](int first, int second) {
    alarm(20);  // a test may fail, but not hang
    catch_interrupts();
    std::raise(first);
    if (interrupt_signal() == first) std::raise(second);
    _exit(0);
  };
  EXPECT_EXIT(send_two(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(send_two(SIGTERM, SIGINT), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace plainformer
