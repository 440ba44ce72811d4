#include "app/translate/input_lines.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/input_error.h"

namespace plainformer {

namespace {

constexpr std::size_t kBlock = 1 << 16;  // bytes read at once

}  // namespace

std::vector<std::string> InputLines::next(Index most) {
  std::vector<std::string> lines;
  std::size_t begin = 0, searched = 0;  // the current line begins at `begin`; no '\n' before `searched`
  while (std::ssize(lines) < most) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      lines.push_back(buffer_.substr(begin, end - begin));
      begin = searched = end + 1;
      continue;
    }
    searched = buffer_.size();
    if (ended_ || (!lines.empty() && !is_readable_within(/*milliseconds=*/0))) break;
    read_more();
  }
  if (ended_ && std::ssize(lines) < most && begin < buffer_.size()) {  // a last line without '\n'
    lines.push_back(buffer_.substr(begin));
    begin = buffer_.size();
  }
  buffer_.erase(0, begin);
  return lines;
}

Index InputLines::count_ahead() const {
  struct stat status = {};
  off_t offset = lseek(file_, 0, SEEK_CUR);
  if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || offset < 0) return 0;
  Index lines = std::count(buffer_.begin(), buffer_.end(), '\n');
  char last = buffer_.empty() ? '\n' : buffer_.back();
  std::string block(kBlock, '\0');
  for (ssize_t bytes; (bytes = pread(file_, block.data(), kBlock, offset)) > 0; offset += bytes) {
    lines += std::count(block.begin(), block.begin() + bytes, '\n');
    last = block[static_cast<std::size_t>(bytes) - 1];
  }
  return last == '\n' ? lines : lines + 1;
}

bool InputLines::is_readable_within(int milliseconds) const {
  pollfd request = {.fd = file_, .events = POLLIN, .revents = 0};
  return poll(&request, 1, milliseconds) > 0;  // data, the end or an error: the next read shows which
}

void InputLines::read_more() {
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kBlock);
  is_readable_within(/*milliseconds=*/-1);  // waits, even if another process made the file non-blocking
  const ssize_t bytes = read(file_, buffer_.data() + size, kBlock);
  buffer_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(0, bytes)));
  if (bytes < 0 && errno != EINTR && errno != EAGAIN)
    throw input_error(name_, "cannot be read to its end", "is it a folder?");
  ended_ = bytes == 0;
}

}  // namespace plainformer
