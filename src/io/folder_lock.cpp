#include "io/folder_lock.h"

#include <cerrno>
#include <iostream>
#include <system_error>

#include "core/input_error.h"

namespace plainformer {

FolderLock::FolderLock(const std::string& path, const std::string& others) : folder_(lock_folder(path)) {
  if (folder_.number() >= 0) {
    if (errno != 0)
      std::cerr << path << ": cannot be locked: " << std::generic_category().message(errno)
                << " (hint: take care that " << others << " does not write into it at the same time)\n";
    return;
  }
  if (errno == EWOULDBLOCK) {
    throw input_error(path, others + " is writing into this folder",
                      "wait until it is done, or choose another folder");
  }
  throw input_error(path, "cannot be opened: " + std::generic_category().message(errno),
                    "it must be a folder that you may read");
}

}  // namespace plainformer
