// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace submix::throughput {

/// Messages between a program and a process that it has started. Each message arrives whole.
///
/// Shape    At most 64 KiB a message.
/// Threads  Compatible.
class Channel {
 public:
  struct Ends;

  /// One end for this process, and one end for a child to inherit.
  [[nodiscard]] static Result<Ends> open();
  explicit Channel(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  [[nodiscard]] Result<void> send(const std::string& message);
  /// The next message. Empty after `patience`. Fails when the other process has ended.
  [[nodiscard]] Result<std::optional<std::string>> receive_for(std::chrono::milliseconds patience);

 private:
  Descriptor descriptor_;
};

struct Channel::Ends {
  Channel own;
  Descriptor for_child;
};

}  // namespace submix::throughput
