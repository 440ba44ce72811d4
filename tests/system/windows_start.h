// Starting a program under Wine.
#pragma once

#include "platform/windows_support.h"

namespace plainformer {

// Whether `start`, which calls CreateProcessW, succeeds. On a busy machine, Wine 8 sometimes fails with an
// internal error, where the next try succeeds.
template <class Start>
bool starts_in_ten_tries(Start start) {
  for (int tries = 1; !start(); ++tries) {
    if (GetLastError() != ERROR_INTERNAL_ERROR || tries == 10) return false;
    Sleep(10);
  }
  return true;
}

}  // namespace plainformer
