// What a loaded program or library asks of other libraries, by its import table.
#pragma once

#include "platform/windows_support.h"
// The header above comes first.
#include <functional>
#include <string>

namespace plainformer {

struct Import {
  std::string library, function;
  void** address = nullptr;  // through which the program calls it
};

inline void for_each_import(HMODULE module, const std::function<void(const Import&)>& action) {
  char* const base = reinterpret_cast<char*>(module);
  const auto* const dos = reinterpret_cast<const IMAGE_DOS_HEADER*>(base);
  const auto* const headers = reinterpret_cast<const IMAGE_NT_HEADERS*>(base + dos->e_lfanew);
  const DWORD table = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
  for (auto* each = reinterpret_cast<IMAGE_IMPORT_DESCRIPTOR*>(base + table); each->Name != 0; ++each) {
    const auto* name = reinterpret_cast<const IMAGE_THUNK_DATA*>(base + each->OriginalFirstThunk);
    auto* address = reinterpret_cast<IMAGE_THUNK_DATA*>(base + each->FirstThunk);
    for (; name->u1.AddressOfData != 0; ++name, ++address) {
      if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) continue;
      const auto* const function =
          reinterpret_cast<const IMAGE_IMPORT_BY_NAME*>(base + name->u1.AddressOfData);
      action({base + each->Name, reinterpret_cast<const char*>(function->Name),
              reinterpret_cast<void**>(&address->u1.Function)});
    }
  }
}

}  // namespace plainformer
