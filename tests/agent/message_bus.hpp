// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

struct DBusConnection;
struct DBusMessage;

namespace submix::testing {

/// A dbus-daemon of one's own, in place of the system's for what this process starts and connects from now
/// on.
class MessageBus {
 public:
  MessageBus();
  ~MessageBus();
  MessageBus(const MessageBus&) = delete;
  MessageBus& operator=(const MessageBus&) = delete;

  [[nodiscard]] const std::string& address() const { return address_; }
  void restart();

 private:
  void start();

  TemporaryFolder folder_;
  std::string address_;
  std::optional<ChildProcess> daemon_;
};

/// A service with rtkit's name, methods and conditions on such a bus. It has this process's rights.
class RealtimeService {
 public:
  struct Manner {
    std::string refusal{};   ///< not empty: of each request
    bool is_silent = false;  ///< answers no request
  };
  static constexpr std::int64_t kRunMaxUs = 200'000;
  static constexpr std::int32_t kPriorityMax = 20;

  explicit RealtimeService(const MessageBus& bus) : RealtimeService(bus, Manner{}) {}
  RealtimeService(const MessageBus& bus, Manner manner);
  ~RealtimeService();
  RealtimeService(const RealtimeService&) = delete;
  RealtimeService& operator=(const RealtimeService&) = delete;

  [[nodiscard]] int raised() const { return raised_.load(); }

 private:
  void answer(DBusMessage* question);
  [[nodiscard]] std::string raise(DBusMessage* question);  ///< empty: done, else why not

  const Manner manner_;
  DBusConnection* connection_;
  std::atomic<int> raised_{0};
  std::jthread thread_;
};

}  // namespace submix::testing
