// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/assert.hpp"
#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/link/data_plane.hpp"
#include "tests/stream/test_frames.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::testing {

/// Keeps all reported events. Synchronized.
class RecordedEvents final : public EventSink {
 public:
  void report(Severity, std::string about, std::string text) override {
    MutexLock lock(mutex_);
    texts_.push_back(about + ": " + text);
  }
  [[nodiscard]] bool has(const std::string& part) const {
    MutexLock lock(mutex_);
    for (const auto& text : texts_) {
      if (text.find(part) != std::string::npos) return true;
    }
    return false;
  }
  [[nodiscard]] std::string all() const {
    MutexLock lock(mutex_);
    std::string lines;
    for (const auto& text : texts_)
      lines += text + "\n";
    return lines;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> texts_ SUBMIX_GUARDED_BY(mutex_);
};

inline constexpr std::chrono::seconds kPatience{20};  // only a failing test waits this long

/// Polls, because the other threads report nothing when they are done.
template <typename Question>
[[nodiscard]] bool eventually(Question is_true) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Two nodes in one process, joined by loopback: 127.0.0.1 and 127.0.0.2 are two cards each.
class StreamFixture : public ::testing::Test {
 protected:
  static constexpr Size kSize{320, 240};  // 75 cells: four stripes
  static constexpr FrameRate kRate{30, 1};
  static constexpr std::size_t kCredits = 4;

  static std::unique_ptr<link::DataPlane> start(const std::string& node, EventSink& sink,
                                                std::optional<wire::Key> key = std::nullopt) {
    auto plane = link::DataPlane::start({node, {"127.0.0.1", "127.0.0.2"}, 0, key, &sink});
    EXPECT_TRUE(plane) << (plane ? "" : plane.error().message);
    return plane ? std::move(*plane) : nullptr;
  }
  std::shared_ptr<link::StreamSender> open_sender(Size size = kSize,
                                                  Checksum checksum = Checksum::none,
                                                  PixelFormat format = PixelFormat::rgb24,
                                                  bool is_encrypted = false) {
    link::SenderOptions options{"main", size, kRate, kCredits, {.count = 2}};
    options.checksum = checksum;
    options.format = format;
    options.is_encrypted = is_encrypted;
    auto sender = left->open_sender(std::move(options));
    EXPECT_TRUE(sender);
    (*sender)->set_destination("mix", mix->endpoints());
    return *sender;
  }
  std::shared_ptr<link::StreamReceiver> open_receiver(
      media::PixelFormat format = media::PixelFormat::rgba) {
    auto receiver = mix->open_receiver({"main", kSize, kRate, kCredits, 2, format});
    EXPECT_TRUE(receiver) << (receiver ? "" : receiver.error().message);
    return *receiver;
  }
  [[nodiscard]] media::Frame frame(std::uint64_t index) {
    auto writable = pool.acquire_for(kPatience);
    SUBMIX_ASSERT(writable);
    fill_pattern(*writable, index);
    writable->stamp().pts = kRate.time_of({index});
    return std::move(*writable).publish();
  }
  void expect_frame(link::StreamReceiver& receiver, std::uint64_t index) {
    const auto received = receiver.receive_for(kPatience, {});
    ASSERT_TRUE(received) << "frame " << index << "\n" << events.all();
    ASSERT_EQ(received->stamp().index.value, index);
    ASSERT_EQ(received->stamp().pts, kRate.time_of({index}));
    ASSERT_TRUE(has_pattern(*received, index)) << "frame " << index;
  }
  /// Sends the frames `begin` to `end` on its own thread, until `end` or until it is stopped.
  [[nodiscard]] std::jthread produce(std::shared_ptr<link::StreamSender> sender,
                                     std::uint64_t begin, std::uint64_t end) {
    return std::jthread(
        [this, sender = std::move(sender), begin, end](const std::stop_token& stop) {
          for (auto index = begin; index < end; ++index) {
            if (!sender->send(frame(index), stop)) return;
          }
        });
  }

  /// Calls `visit(descriptor, peer)` for each of this process's IPv4 connections to the mix's port.
  template <typename Visit>
  void for_each_connection_to_mix(Visit visit) const {
    const auto port = mix->endpoints().at(0).port;
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      const int descriptor = std::atoi(each.path().filename().c_str());
      if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
      if (peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) visit(descriptor, peer);
    }
  }

  /// Ends the connection to `address` and the mix's port, as a reset would. Both ends are in this
  /// process.
  void cut(const std::string& address) {
    for_each_connection_to_mix([&](int descriptor, const sockaddr_in& peer) {
      if (peer.sin_addr.s_addr == ::inet_addr(address.c_str())) ::shutdown(descriptor, SHUT_RDWR);
    });
  }

  RecordedEvents events;
  media::FramePool pool{kSize, 2 * kCredits + 4};  // for the sender and for the frames in its links
  std::unique_ptr<link::DataPlane> left = start("left", events);
  std::unique_ptr<link::DataPlane> mix = start("mix", events);
};

}  // namespace submix::testing
