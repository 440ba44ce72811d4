#include "app/input_lines.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "core/input_error.h"
#include "data/text.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr std::size_t kBlock = 1 << 16;  // bytes read at once

}  // namespace

std::vector<std::string> InputLines::next(Index most) {
  std::vector<std::string> lines;
  was_cut_.clear();
  std::size_t begin = 0, searched = 0;  // the current line begins at `begin`; no '\n' before `searched`
  while (std::ssize(lines) < most) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      lines.push_back(take(begin, end));
      begin = searched = end + 1;
      continue;
    }
    if (buffer_.size() - begin > kMostSentenceBytes)  // forget all but a byte of what will be cut
      buffer_.resize(begin + kMostSentenceBytes + 1);
    searched = buffer_.size();
    if (ended_ || (!lines.empty() && !wait_until_readable(file_, /*milliseconds=*/0))) break;
    read_more();
  }
  if (ended_ && std::ssize(lines) < most && begin < buffer_.size()) {  // a last line without '\n'
    lines.push_back(take(begin, buffer_.size()));
    begin = buffer_.size();
  }
  buffer_.erase(0, begin);
  return lines;
}

std::string InputLines::take(std::size_t begin, std::size_t end) {
  was_cut_.push_back(end - begin > kMostSentenceBytes);
  if (!was_cut_.back()) return buffer_.substr(begin, end - begin);
  end = begin + kMostSentenceBytes;
  const auto is_within_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(buffer_[at]) & 0xC0) == 0x80;
  };
  for (int i = 0; i < 3 && is_within_character(end); ++i) --end;
  return buffer_.substr(begin, end - begin);
}

Index InputLines::count_ahead() const {
  const std::optional<FileStatus> status = file_status(file_);
  std::int64_t offset = file_position(file_);
  if (!status || status->kind != FileKind::kRegular || offset < 0) return 0;
  Index lines = std::count(buffer_.begin(), buffer_.end(), '\n');
  char last = buffer_.empty() ? '\n' : buffer_.back();
  std::string block(kBlock, '\0');
  for (std::ptrdiff_t bytes; (bytes = read_bytes_at(file_, offset, block.data(), kBlock)) > 0;
       offset += bytes) {
    lines += std::count(block.begin(), block.begin() + bytes, '\n');
    last = block[static_cast<std::size_t>(bytes) - 1];
  }
  return last == '\n' ? lines : lines + 1;
}

void InputLines::read_more() {
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kBlock);
  wait_until_readable(file_, /*milliseconds=*/-1);  // another process may have made the file non-blocking
  const std::ptrdiff_t bytes = read_bytes(file_, buffer_.data() + size, kBlock);
  buffer_.resize(size + static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, bytes)));
  if (bytes < 0 && errno != EAGAIN) throw input_error(name_, "cannot be read to its end", "is it a folder?");
  ended_ = bytes == 0;
}

std::string InputSanitizer::operator()(const std::string& line) {
  ++lines_;
  const auto bad = text_problem(line);
  if (bad && !has_warned_) {
    has_warned_ = true;
    const std::string where = name_ + ":" + std::to_string(lines_);
    warn_(input_error(where, bad->problem, bad->hint).what());
  }
  return sanitize_line(line, /*is_first=*/lines_ == 1);
}

}  // namespace plainformer
