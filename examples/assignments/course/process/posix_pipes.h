// The pipes between us and a child.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/input_error.h"
#include "process.h"

namespace plainformer::course::posix {

constexpr int kFirstOwnDescriptor = 10;  // ours stay clear of those that the child expects
constexpr int kMostLastReads = 64;       // a process that escaped may print forever

inline std::runtime_error start_error(const std::string& program, int error) {
  return input_error(program, "cannot be started: " + std::string(std::strerror(error)),
                     "is it installed, and is there memory for another process?");
}

// Owns one end of a pipe.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void do_not_wait() const { fcntl(number_, F_SETFL, O_NONBLOCK); }
  void close() {
    if (is_open()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  File reader, writer;
};

inline Pipe open_pipe(const std::string& program) {
  int ends[2];
  if (pipe(ends) < 0) throw start_error(program, errno);
  const File first(ends[0]), second(ends[1]);
  const auto moved_up = [](int number) { return File(fcntl(number, F_DUPFD_CLOEXEC, kFirstOwnDescriptor)); };
  Pipe pipe = {.reader = moved_up(first.number()), .writer = moved_up(second.number())};
  if (!pipe.reader.is_open() || !pipe.writer.is_open()) throw start_error(program, errno);
  return pipe;
}

struct Pipes {
  Pipe input, output, report;
  Pipe failure;  // the number of the error if exec fails; closed if it succeeds
  Pipe known;    // a byte to the child when it may begin
};

// Our side of the conversation with a child: it never waits for one pipe while another one is full.
class Conversation {
 public:
  Conversation(Pipes& pipes, std::string_view input, std::size_t output_bytes, ProcessResult& result)
      : pipes_(pipes), input_(input), output_bytes_(output_bytes), result_(result) {
    pipes_.input.writer.do_not_wait();
    pipes_.output.reader.do_not_wait();
    pipes_.report.reader.do_not_wait();
    if (input_.empty()) pipes_.input.writer.close();
  }

  // Waits for something to do, for at most this time, and does it. Was there something?
  bool go_on(int milliseconds) {
    const auto polled = [](const File& file, short events) {
      return pollfd{.fd = file.number(), .events = events, .revents = 0};
    };
    std::array<pollfd, 3> files = {polled(pipes_.input.writer, POLLOUT), polled(pipes_.output.reader, POLLIN),
                                   polled(pipes_.report.reader, POLLIN)};
    if (poll(files.data(), files.size(), milliseconds) <= 0) return false;
    if (files[0].revents) write_input();
    if (files[1].revents) read_from(pipes_.output.reader, result_.output);
    if (files[2].revents) read_from(pipes_.report.reader, result_.report);
    return true;
  }

  // What is still in the pipes of a child that has ended.
  void read_the_rest() {
    for (int i = 0; i < kMostLastReads && read_from(pipes_.output.reader, result_.output); ++i) continue;
    for (int i = 0; i < kMostLastReads && read_from(pipes_.report.reader, result_.report); ++i) continue;
  }

 private:
  void write_input() {
    File& file = pipes_.input.writer;
    const ssize_t count = write(file.number(), input_.data(), input_.size());
    if (count > 0) input_.remove_prefix(static_cast<std::size_t>(count));
    const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || input_.empty()) file.close();
  }

  bool read_from(File& file, std::string& text) {
    if (!file.is_open()) return false;
    std::array<char, 65536> bytes;
    const ssize_t count = read(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) {
      file.close();
      return false;
    }
    text.append(bytes.data(), std::min(static_cast<std::size_t>(count), output_bytes_ - text.size()));
    return true;
  }

  Pipes& pipes_;
  std::string_view input_;
  const std::size_t output_bytes_;
  ProcessResult& result_;
};

}  // namespace plainformer::course::posix
