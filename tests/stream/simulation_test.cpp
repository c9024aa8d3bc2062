// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixels.hpp"
#include "common/stream/reassembler.hpp"
#include "common/stream/striper.hpp"
#include "tests/stream/test_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace submix::stream {
namespace {

constexpr Size kSimulatedSize{80, 60};  // 4800 pixels: five cells, the last shorter
constexpr std::size_t kLinks = 3;
constexpr std::uint64_t kFrames = 300;

/// A link as seen by the state machines: a few stripes in flight, delivered in order and in pieces.
struct SimulatedLink {
  std::deque<Stripe> sent;         // not yet begun at the receiver
  std::optional<Stripe> arriving;  // begun at the receiver
  std::deque<wire::Ack> acks;      // on their way back
  unsigned slowness = 1;           // the link moves once in this many chances
  bool sender_has_it = true;       // the two ends do not learn of a death at once
  bool receiver_has_it = true;
};

class Simulation {
 public:
  explicit Simulation(unsigned seed) : random_(seed) {
    for (std::size_t i = 0; i < kLinks; ++i)
      links_[i].slowness = static_cast<unsigned>(1 + i * i * 3);
    restart_receiver();
  }

  void run() {
    for (int round = 0; taken_ < kFrames; ++round) {
      ASSERT_LT(round, 2'000'000) << "stuck at frame " << taken_;
      produce();
      for (std::size_t link = 0; link < kLinks; ++link)
        move(link);
      if (chance(4)) take();
      if (chance(60)) kill(below(kLinks));
      if (may_restart && chance(5000)) restart_receiver();
      for (std::size_t link = 0; link < kLinks; ++link)
        rejoin(link);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  bool may_restart = false;

 private:
  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

  void produce() {
    if (striper_.has_credit())
      striper_.offer(*testing::pattern_frame(source_, striper_.next_frame().value));
  }

  void move(std::size_t index) {
    auto& link = links_[index];
    now_ += std::chrono::microseconds(below(100));
    if (link.sender_has_it) striper_.observe(index, now_, {queued_bytes(link), queued_bytes(link)});
    if (!chance(link.slowness)) return;
    if (link.sender_has_it && link.sent.size() < 3) {
      if (auto stripe = striper_.pull(index, now_)) link.sent.push_back(std::move(*stripe));
    }
    if (link.receiver_has_it) arrive(index);
    if (link.receiver_has_it && link.sender_has_it && !link.acks.empty()) {
      ASSERT_TRUE(striper_.acknowledge(link.acks.front()));
      link.acks.pop_front();
    }
  }

  static std::uint64_t queued_bytes(const SimulatedLink& link) {
    std::uint64_t bytes = 0;
    for (const auto& stripe : link.sent)
      bytes += wire::kStripeHeaderBytes + stripe.header.pixels * 3;
    return bytes;
  }

  void arrive(std::size_t index) {
    auto& link = links_[index];
    if (!link.arriving) {
      if (link.sent.empty()) return;
      link.arriving = std::move(link.sent.front());
      link.sent.pop_front();
      const auto begun = receiver_->begin_stripe(index, link.arriving->header);
      ASSERT_TRUE(begun) << begun.error().message;
    }
    const auto& header = link.arriving->header;
    const auto due = receiver_->pixels_due(index);
    const auto pixels = std::min(due, 1 + below(700));
    write(*link.arriving, header.offset_pixels + header.pixels - due, pixels,
          receiver_->room(index));
    receiver_->advance(index, pixels, {});
    if (receiver_->pixels_due(index) == 0) link.arriving.reset();
  }

  static void write(const Stripe& stripe, std::size_t first, std::size_t pixels,
                    std::span<std::uint8_t> room) {
    if (room.empty()) return;
    std::vector<std::uint8_t> packed(pixels * 3);
    media::pack_rgb24(stripe.frame.rgba().subspan(first * 4, pixels * 4), packed);
    media::unpack_rgb24(packed, room.first(pixels * 4));
  }

  void take() {
    while (auto frame = receiver_->take()) {
      ASSERT_EQ(frame->stamp().index.value, taken_);
      ASSERT_TRUE(testing::has_pattern(*frame, taken_)) << "frame " << taken_;
      ++taken_;
    }
    receiver_->grant_credit();
    for (auto& link : links_)
      link.acks.push_back(receiver_->ack());
  }

  void kill(std::size_t index) {
    auto& link = links_[index];
    if (chance(2)) link.sender_has_it ? sender_loses(index) : void();
    if (chance(2)) link.receiver_has_it ? receiver_loses(index) : void();
  }
  void sender_loses(std::size_t index) {
    links_[index].sender_has_it = false;
    links_[index].acks.clear();
    striper_.lose_link(index);
  }
  void receiver_loses(std::size_t index) {
    links_[index].receiver_has_it = false;
    links_[index].sent.clear();
    links_[index].arriving.reset();
    receiver_->lose_link(index);
  }
  void rejoin(std::size_t index) {
    auto& link = links_[index];
    if ((link.sender_has_it && link.receiver_has_it) || !chance(30)) return;
    if (link.sender_has_it) sender_loses(index);
    if (link.receiver_has_it) receiver_loses(index);
    greet(index);
  }
  void greet(std::size_t index) {
    const auto position = receiver_->position_for(striper_.epoch(), striper_.first_retained());
    ASSERT_TRUE(position);
    wire::Welcome welcome;
    welcome.instance = instance_;
    welcome.next_frame = position->released;
    welcome.credit_limit = position->credit_limit;
    const auto welcomed = striper_.welcome(welcome);
    ASSERT_TRUE(welcomed) << welcomed.error().message;
    receiver_->begin_epoch(striper_.epoch(), striper_.first_retained());
    links_[index].acks.assign(1, receiver_->ack());
    striper_.open_link(index);
    links_[index].sender_has_it = links_[index].receiver_has_it = true;
  }
  void restart_receiver() {
    for (std::size_t i = 0; i < kLinks; ++i) {
      sender_loses(i);
      if (receiver_) receiver_loses(i);
    }
    ++instance_;
    receiver_ = std::make_unique<Reassembler>(ReassemblerOptions{kSimulatedSize, 3, 2});
    // Frames that the previous receiver released without an acknowledgement come again, because the
    // new receiver knows nothing of them.
    ASSERT_LE(striper_.first_retained().value, taken_);
    taken_ = striper_.first_retained().value;
    for (std::size_t i = 0; i < kLinks; ++i)
      greet(i);
  }

  std::mt19937 random_;
  media::FramePool source_{kSimulatedSize, 5 + kLinks * 4};  // stripes in flight keep frames too
  Striper striper_{{kSimulatedSize, 1, 4, 1, 2}};
  LocalTime now_{};
  std::uint64_t instance_ = 0;
  std::unique_ptr<Reassembler> receiver_;
  SimulatedLink links_[kLinks];
  std::uint64_t taken_ = 0;
};

class SimulatedStream : public ::testing::TestWithParam<unsigned> {};

TEST_P(SimulatedStream, DeliversEachFrameOnceExactAndInOrderWhileLinksDieAndRejoin) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  Simulation simulation(GetParam());
  simulation.run();
}

TEST_P(SimulatedStream, LosesNothingWhenTheReceiverRestarts) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  Simulation simulation(GetParam());
  simulation.may_restart = true;
  simulation.run();
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedStream, ::testing::Range(1U, 9U));

}  // namespace
}  // namespace submix::stream
