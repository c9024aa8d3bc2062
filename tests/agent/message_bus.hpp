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

/// A private dbus-daemon that replaces the system's bus for this process and its later children.
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

/// A service with rtkit's name, methods and terms on a private bus. It has this process's rights.
class RealtimeService {
 public:
  struct Manner {
    std::string refusal{};   ///< refuses each request with this text; empty: grants
    bool is_silent = false;  ///< does not answer requests
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
  /// Empty: done; otherwise the reason of the refusal.
  [[nodiscard]] std::string raise(DBusMessage* question);

  const Manner manner_;
  DBusConnection* connection_;
  std::atomic<int> raised_{0};
  std::jthread thread_;
};

}  // namespace submix::testing
