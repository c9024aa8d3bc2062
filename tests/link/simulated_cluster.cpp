// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/link/simulated_cluster.hpp"

#include "common/link/timing.hpp"
#include "common/media/pixels.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace submix::testing {
namespace {

using link::kTick;
using Seconds = std::chrono::duration<double>;

constexpr double kMessageBytes = 64;  // size of a message other than a stripe

class NearEnd;

/// The receiver's end of a connection.
class FarEnd final : public link::IncomingLink, public std::enable_shared_from_this<FarEnd> {
 public:
  FarEnd(std::shared_ptr<link::ReceiverCore> core, std::weak_ptr<NearEnd> near, std::size_t index)
      : core_(std::move(core)), near_(std::move(near)), index_(index) {}

  void begin() override { wake(); }
  void wake() override;
  void leave(wire::GoodbyeReason reason, const std::string& text) override;
  void abandon() override { is_closed_ = true; }
  void tick() override {
    if (!is_closed_ && ++silent_ticks_ > link::kSilentTicksAlone) lose("no sign of life");
  }
  [[nodiscard]] const std::string& peer() const override { return peer_; }
  [[nodiscard]] const link::LinkPath& path() const override { return path_; }
  [[nodiscard]] const wire::Key& show_key() const override { return show_key_; }

  void hear_stripe(const stream::Stripe& stripe);
  void hear_ping(LocalTime sent);
  void hear_goodbye(const std::string& text) {
    if (!std::exchange(is_closed_, true)) core_->said_goodbye(index_, text);
  }

 private:
  void lose(const std::string& reason) {
    if (!std::exchange(is_closed_, true)) core_->lost(index_, reason);
  }

  const std::shared_ptr<link::ReceiverCore> core_;
  const std::weak_ptr<NearEnd> near_;
  const std::size_t index_;
  const std::string peer_ = "the sender";
  const link::LinkPath path_{};
  const wire::Key show_key_{};
  wire::Ack last_ack_;
  int silent_ticks_ = 0;
  bool is_closed_ = false;
};

/// The sender's end, and the path of both ends' messages. Stripes go through the cable piece by
/// piece at its rate; messages back only take the delay.
class NearEnd final : public link::OutgoingLink, public std::enable_shared_from_this<NearEnd> {
 public:
  NearEnd(SimulatedCluster& cluster, Cable& cable, link::OutgoingLinkSetup setup)
      : cluster_(cluster),
        cable_(cable),
        cuts_(cable.cuts),
        owner_(std::move(setup.owner)),
        index_(setup.index),
        stats_(std::move(setup.stats)) {}

  void connect() override;
  void wake() override {
    if (is_open()) pump();
  }
  void leave(wire::GoodbyeReason, const std::string& text) override {
    if (is_open()) send(kMessageBytes, [far = far_, text] { far->hear_goodbye(text); });
    is_closed_ = true;
  }
  void abandon() override { is_closed_ = true; }
  void tick() override;
  [[nodiscard]] bool is_open() const override { return far_ != nullptr && !is_closed_; }
  [[nodiscard]] const wire::Key& show_key() const override { return show_key_; }
  [[nodiscard]] int silent_ticks() const override { return silent_ticks_; }
  void give_up_silent() override { lose({.reason = "no sign of life"}); }
  [[nodiscard]] stream::LinkBacklog backlog() override;

  [[nodiscard]] LocalTime now() const { return cluster_.now(); }
  /// From the far end, after the delay.
  void hear(std::function<void(NearEnd&)> what) {
    cluster_.loop().call_at(cluster_.now() + cable_.delay,
                            [self = shared_from_this(), what = std::move(what)] {
                              if (self->is_whole() && !self->is_closed_) what(*self);
                            });
  }
  void hear_ack(const wire::Ack& ack) {
    has_heard_ = true;
    if (auto taken = owner_->acknowledged(ack); !taken) lose({.reason = taken.error().message});
  }
  void hear_pong(LocalTime sent, std::chrono::nanoseconds theirs) {
    has_heard_ = true;
    owner_->answered(sent, theirs);
  }
  void lose(const link::LinkLoss& loss) {
    if (!std::exchange(is_closed_, true)) owner_->lost(index_, loss);
  }

 private:
  struct Piece {
    LocalTime begin;  // when it began to leave
    LocalTime end;
    double bytes;
  };

  [[nodiscard]] bool is_whole() const { return !cable_.is_cut && cable_.cuts == cuts_; }
  void send(double bytes, std::function<void()> on_arrival);
  void pump();
  void put(const stream::Stripe& stripe);
  void greet(const wire::Hello& hello);
  void welcomed(const wire::Hello& hello, const wire::Welcome& welcome);

  SimulatedCluster& cluster_;
  Cable& cable_;
  const int cuts_;
  const std::shared_ptr<link::LinkOwner> owner_;
  const std::size_t index_;
  const std::shared_ptr<link::LinkStats> stats_;
  const wire::Key show_key_{};
  std::shared_ptr<FarEnd> far_;
  std::deque<Piece> on_the_way_;
  int ticks_ = 0;
  int silent_ticks_ = 0;
  bool has_heard_ = false;
  bool is_closed_ = false;
};

void NearEnd::connect() {
  ++cable_.connects;
  const auto hello = owner_->hello(index_);
  send(kMessageBytes, [self = shared_from_this(), hello] { self->greet(hello); });
}

void NearEnd::greet(const wire::Hello& hello) {
  const auto receiver = cluster_.receiver();
  if (!receiver) return hear([](NearEnd& near) { near.lose({.reason = "connection refused"}); });
  if (const auto objection = receiver->objection(hello)) {
    return hear([objection](NearEnd& near) {
      near.lose({.reason = objection->text, .refusal = objection->code});
    });
  }
  hear([hello, welcome = receiver->welcome(hello)](NearEnd& near) {
    near.welcomed(hello, welcome);
  });
}

void NearEnd::welcomed(const wire::Hello& hello, const wire::Welcome& welcome) {
  if (auto taken = owner_->welcomed(index_, welcome); !taken)
    return lose({.reason = taken.error().message});
  const auto receiver = cluster_.receiver();
  if (!receiver) return lose({.reason = "connection reset"});
  far_ = std::make_shared<FarEnd>(receiver, weak_from_this(), index_);
  send(kMessageBytes, [hello, receiver, far = far_] {
    receiver->admit(hello, [&](const std::shared_ptr<link::LinkStats>&) { return far; });
  });
  owner_->opened(index_);
  wake();
}

void NearEnd::send(double bytes, std::function<void()> on_arrival) {
  const auto begin = std::max(cable_.free_at, cluster_.now());
  const auto on_wire = std::chrono::duration_cast<std::chrono::nanoseconds>(
      Seconds(bytes / cable_.bytes_per_second));
  cable_.free_at = begin + on_wire;
  on_the_way_.push_back({begin, cable_.free_at, bytes});
  cluster_.loop().call_at(cable_.free_at + cable_.delay,
                          [self = shared_from_this(), on_arrival = std::move(on_arrival)] {
                            if (!self->is_whole()) return;
                            on_arrival();
                            self->hear([](NearEnd& near) {
                              near.on_the_way_.pop_front();
                              near.wake();
                            });
                          });
}

/// Bytes of a piece that have left until `time`.
double bytes_left(LocalTime begin, LocalTime end, double bytes, LocalTime time) {
  return bytes * std::clamp(Seconds(time - begin) / Seconds(end - begin), 0.0, 1.0);
}

stream::LinkBacklog NearEnd::backlog() {
  double queued = 0;
  double unsent = 0;
  for (const auto& [begin, end, bytes] : on_the_way_) {
    queued += bytes - bytes_left(begin, end, bytes, now() - 2 * cable_.delay);
    unsent += bytes - bytes_left(begin, end, bytes, now());
  }
  return {static_cast<std::uint64_t>(queued), static_cast<std::uint64_t>(unsent), 2 * cable_.delay,
          0};
}

// The kernel accepts the bytes that leave within kNotSentTime.
void NearEnd::pump() {
  const auto limit = cable_.bytes_per_second * Seconds(link::kNotSentTime).count();
  while (is_open() && static_cast<double>(backlog().unsent_bytes) < std::max(limit, 1.0)) {
    const auto stripe = owner_->pull(index_, backlog());
    if (!stripe) return;
    put(*stripe);
  }
}

void NearEnd::put(const stream::Stripe& stripe) {
  const auto bytes = wire::kStripeHeaderBytes + stripe.header.pixel_bytes();
  stats_->bytes += bytes;
  send(static_cast<double>(bytes), [far = far_, stripe] { far->hear_stripe(stripe); });
}

void NearEnd::tick() {
  ++ticks_;
  if (!far_) {
    if (ticks_ > link::kConnectTimeout / kTick) lose({.reason = "no answer"});
    return;
  }
  silent_ticks_ = std::exchange(has_heard_, false) ? 0 : silent_ticks_ + 1;
  // A ping waits behind no stripe here, because it would be sealed before the next stripe.
  if (!is_whole()) return;
  cluster_.loop().call_at(cluster_.now() + cable_.delay,
                          [self = shared_from_this(), sent = cluster_.now()] {
                            if (self->is_whole() && self->far_) self->far_->hear_ping(sent);
                          });
}

void FarEnd::wake() {
  const auto near = near_.lock();
  if (is_closed_ || !near) return;
  const auto ack = core_->ack();
  if (ack == last_ack_) return;
  last_ack_ = ack;
  near->hear([ack](NearEnd& end) { end.hear_ack(ack); });
}

void FarEnd::leave(wire::GoodbyeReason, const std::string& text) {
  const auto near = near_.lock();
  if (!std::exchange(is_closed_, true) && near)
    near->hear([text](NearEnd& end) { end.lose({.reason = text}); });
}

void FarEnd::hear_ping(LocalTime sent) {
  silent_ticks_ = 0;
  const auto near = near_.lock();
  if (is_closed_ || !near) return;
  near->hear(
      [sent, there = near->now()](NearEnd& end) { end.hear_pong(sent, there.time_since_epoch()); });
}

void FarEnd::hear_stripe(const stream::Stripe& stripe) {
  silent_ticks_ = 0;
  if (is_closed_) return;
  const auto& header = stripe.header;
  if (auto begun = core_->begin_stripe(index_, header); !begun) return lose(begun.error().message);
  if (const auto room = core_->room(index_); !room.empty()) {
    const auto pixels =
        stripe.frame.rgba().subspan(header.offset_pixels * media::kBytesPerRgbaPixel,
                                    header.pixels * media::kBytesPerRgbaPixel);
    std::copy(pixels.begin(), pixels.end(), room.begin());
  }
  core_->advance(index_, header.pixels);
}

link::SenderOptions sender_options(std::size_t links) {
  link::SenderOptions options;
  options.stream = "left.out";
  options.size = SimulatedCluster::kSize;
  options.rate = {60, 1};
  options.links.count = links;
  options.epoch = 1;
  options.links.is_local_allowed = false;
  return options;
}

link::ReceiverOptions receiver_options() {
  link::ReceiverOptions options;
  options.stream = "left.out";
  options.size = SimulatedCluster::kSize;
  options.rate = {60, 1};
  return options;
}

std::string address_of(std::size_t node, std::size_t card) {
  return "198.18." + std::to_string(card) + "." + std::to_string(node);
}

}  // namespace

SimulatedCluster::SimulatedCluster(std::vector<Cable> cables, double frames_per_second)
    : sending_("left", wire::Key{}, &events, loop_),
      receiving_("mix", wire::Key{}, nullptr, loop_),
      period_(std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(1 / frames_per_second))),
      source_(kSize, kPictures) {
  for (std::uint64_t i = 0; i < kPictures; ++i)
    pictures_.push_back(*pattern_frame(source_, i));
  std::vector<DataEndpoint> endpoints;
  for (std::size_t i = 0; i < cables.size(); ++i) {
    cables_.push_back(std::make_unique<Cable>(cables[i]));
    sending_.addresses.push_back(address_of(1, i));
    endpoints.push_back({address_of(2, i), 24, 4000, 1500, true});
  }
  start_receiver();
  sender_ = std::make_shared<link::SenderCore>(
      sending_, sender_options(cables.size()), [this](link::OutgoingLinkSetup setup) {
        auto& its_cable = cable(setup.index);
        return std::make_shared<NearEnd>(*this, its_cable, std::move(setup));
      });
  sender_->start();
  sender_->set_destination({"mix", endpoints, {}});
  last_taken_ = now();
  offer();
  take();
}

SimulatedCluster::~SimulatedCluster() {
  is_over_ = true;
  sender_->shut_down();
  sender_->drop_lent();
  if (receiver_) receiver_->shut_down();
  run_for(std::chrono::seconds(1));
}

void SimulatedCluster::cut(std::size_t index) {
  cable(index).is_cut = true;
  ++cable(index).cuts;
}

void SimulatedCluster::kill_receiver() {
  for (auto& cable : cables_)
    ++cable->cuts;
  receiver_->shut_down();
  receiver_.reset();
}

void SimulatedCluster::start_receiver() {
  receiver_ = std::make_shared<link::ReceiverCore>(receiving_, receiver_options());
  receiver_->start();
  last_index_.reset();
}

void SimulatedCluster::offer() {
  if (is_over_) return;
  if (sender_->try_send(pictures_[next_frame_ % kPictures])) ++next_frame_;
  loop_.call_at(now() + period_, [this] { offer(); });
}

void SimulatedCluster::take() {
  if (is_over_) return;
  if (auto frame = receiver_ ? receiver_->try_receive() : std::nullopt) {
    const auto index = frame->stamp().index.value;
    EXPECT_TRUE(!last_index_ || index == *last_index_ + 1)
        << "frame " << index << " after " << *last_index_;
    const auto expected = pictures_[index % kPictures].rgba();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), frame->rgba().begin()))
        << "frame " << index;
    if (!last_index_) first_taken_ = index;
    last_index_ = index;
    ++frames_taken_;
    longest_gap_ = std::max(longest_gap_, now() - last_taken_);
    last_taken_ = now();
  }
  loop_.call_at(now() + take_pause_, [this] { take(); });
}

}  // namespace submix::testing
