#include "io/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

#include "core/input_error.h"

namespace plainformer {

FolderLock::FolderLock(const std::string& path, const std::string& others)
    : folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.number() < 0) {
    throw input_error(path, "cannot be opened: " + std::generic_category().message(errno),
                      "it must be a folder that you may read");
  }
  if (flock(folder_.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw input_error(path, others + " is writing into this folder",
                    "wait until it is done, or choose another folder");
}

}  // namespace plainformer
