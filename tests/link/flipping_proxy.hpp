// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/mutex.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace submix::testing {

/// A TCP proxy that flips bits as a bad card's memory does, behind TCP's own checksum. It accepts
/// connections at its own port and passes everything on, but changes one bit of a stripe's pixels
/// when told to. It also records what passes, as a listener on the cable does.
class FlippingProxy {
 public:
  /// From `address` on any port to the same address at `port`.
  FlippingProxy(std::string address, std::uint16_t port);
  ~FlippingProxy();
  FlippingProxy(const FlippingProxy&) = delete;
  FlippingProxy& operator=(const FlippingProxy&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Flips one bit in the middle of the next stripe.
  void flip_next() { is_due_ = true; }
  void flip_all(bool is_wanted) { is_always_ = is_wanted; }
  [[nodiscard]] std::uint64_t flips() const { return flips_; }

  /// What has passed in each direction, over all connections.
  struct Recording {
    std::vector<std::uint8_t> from_sender;
    std::vector<std::uint8_t> from_receiver;
  };
  [[nodiscard]] Recording recording() const {
    MutexLock lock(mutex_);
    return recording_;
  }

 private:
  /// One connection.
  struct Pipe {
    Descriptor sender;
    Descriptor receiver;
    std::jthread there;
    std::jthread back;

    void end() const;
  };

  void accept_all(const std::stop_token& stop);
  void pass_there(const Pipe& pipe);
  bool pass_message(const Pipe& pipe);
  void pass_back(const Pipe& pipe);
  void record(std::vector<std::uint8_t> Recording::* direction,
              std::span<const std::uint8_t> bytes);

  const std::string address_;
  const std::uint16_t to_port_;
  Descriptor listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_due_{false};
  std::atomic<bool> is_always_{false};
  std::atomic<std::uint64_t> flips_{0};
  mutable Mutex mutex_;
  Recording recording_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Pipe>> pipes_;  // of the accepting thread, while that runs
  std::jthread accepting_;
};

}  // namespace submix::testing
