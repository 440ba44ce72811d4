// Ctrl-C and the request to terminate, as another process sends them.
#include <gtest/gtest.h>

#include <csignal>
#include <iostream>

#include "platform/platform.h"
#include "support/program.h"
#include "system/process.h"

namespace plainformer {
namespace {

// Prints the number of each signal that was noted. The second one ends it.
const Role note_signals("note_signals", [](const std::vector<std::string>&) {
  catch_interrupts();
  catch_lost_readers();
  std::cout << "ready\n" << std::flush;
  while (interrupt_signal() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::cout << interrupt_signal() << "\n" << std::flush;
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return 0;
});

TEST(Interrupts, TheFirstIsNotedAndTheSecondEndsTheProgram) {
  for (const int first : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    if (!can_send(first)) continue;
    ProcessSetup setup = as_role("note_signals");
    setup.takes_ctrl_c = true;
    setup.out = folder.path_of("out");
    ChildProcess process(setup);
    ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n"; }));
    process.send(first);
    const std::string noted = "ready\n" + std::to_string(first) + "\n";
    ASSERT_TRUE(wait_until([&] { return folder.read("out") == noted; })) << folder.read("out");
    process.send(SIGINT);
    EXPECT_EQ(process.wait().exit_code, 128 + SIGINT);
  }
}

// A terminal that closes may send more than one of these.
TEST(Interrupts, AClosedTerminalIsNotedAndMoreOfThatIsNoReasonToEnd) {
  if (!can_send(kHangUp)) GTEST_SKIP() << "no program can send this to another one here";
  const TemporaryFolder folder;
  ProcessSetup setup = as_role("note_signals");
  setup.out = folder.path_of("out");
  ChildProcess process(setup);
  ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n"; }));
  process.send(kHangUp);
  ASSERT_TRUE(wait_until([&] { return folder.read("out") == "ready\n" + std::to_string(kHangUp) + "\n"; }));
  for (const int signal : {kBrokenPipe, kHangUp, kHangUp}) process.send(signal);
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().exit_code, 128 + SIGTERM);
}

}  // namespace
}  // namespace plainformer
