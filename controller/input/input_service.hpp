// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/bounded_queue.hpp"
#include "common/base/clock.hpp"
#include "common/base/latest_value.hpp"
#include "controller/input/input_options.hpp"
#include "controller/input/input_view.hpp"
#include "controller/input/latest_per_target.hpp"
#include "controller/input/link_follower.hpp"
#include "controller/input/link_session.hpp"
#include "controller/input/mapping_core.hpp"
#include "controller/input/midi_ports.hpp"
#include "controller/input/music_follower.hpp"
#include "controller/input/osc_core.hpp"
#include "controller/input/settings.hpp"
#include "controller/input/udp_socket.hpp"
#include "controller/model/edit/tap_tempo.hpp"
#include "controller/session/session.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace submix::input {

/// Control from outside, with its threads. MIDI, OSC, Ableton Link and the music change a session's
/// show. Changes by others are reported to devices and subscribers.
///
/// Threads  Synchronized. `input` runs the cores (MappingCore, OscCore). `osc` receives datagrams.
///          `midi` scans for devices and sends to them. `save` writes the settings. The threads
///          post to `input` and use bounded queues. A message that finds its queue full is dropped
///          and counted; no thread waits.
/// Errors   A missing device or an occupied port is an event; opening it is tried again for ever.
class InputService {
 public:
  using MakePorts = std::function<std::unique_ptr<MidiPorts>()>;  ///< called on `midi`

  InputService(session::Session& session, const Clock& clock, MakePorts make_ports,
               InputOptions options);
  ~InputService();
  InputService(const InputService&) = delete;
  InputService& operator=(const InputService&) = delete;

  [[nodiscard]] std::shared_ptr<const InputView> view() const { return view_.load(); }
  /// False: the queue is full, and the action is dropped.
  [[nodiscard]] bool post(InputAction action) {
    return mailbox_.try_push(Letter(std::move(action)));
  }

 private:
  struct FromMidi {
    std::string device;
    MidiBytes bytes;
  };
  struct CarryOut;
  /// The devices found by a scan. The present `midi` thread has the newest `generation`; scans of
  /// earlier threads are dropped.
  struct Scanned {
    std::uint64_t generation = 0;
    MidiScan scan;
  };
  using Letter = std::variant<FromMidi, UdpSocket::Datagram, Scanned, InputAction>;

  void run_input();
  void run_osc(const std::stop_token& stop, const UdpSocket& socket);
  void run_midi(const std::stop_token& stop, std::uint64_t generation);
  void run_save();

  void load();
  void apply_osc();
  void open_osc(LocalTime now);
  void turn_midi(bool on);
  /// True: a mapping uses the message, or learning takes it.
  [[nodiscard]] bool handle_mapped(const OscMessage& message, LocalTime now);
  [[nodiscard]] bool is_here(const Mapping& mapping) const;
  void handle(FromMidi& message, LocalTime now);
  void handle(UdpSocket::Datagram& datagram, LocalTime now);
  void handle(Scanned& scanned, LocalTime now);
  void handle(InputAction& action, LocalTime now);
  void on(const Learn& action);
  void on(const StopLearning& action);
  void on(const ChangeMapping& action);
  void on(const SetOsc& action);
  void on(const TurnMidi& action);
  void on(const TurnLink& action);
  void on(const FollowMusic& action);
  void on(const SetPace& action);
  void on(const PressKey& action);
  void tick(LocalTime now);
  void put(std::vector<Order> orders, LocalTime now);
  void do_orders(LocalTime now);
  void follow_link(LocalTime now);
  void follow_link_beat(LocalTime now);
  void follow_music(LocalTime now);
  [[nodiscard]] HeardTempo heard_tempo();
  void send_feedback(LocalTime now);
  /// False: sending is impossible now.
  bool send(const OscOutput& output);
  void save(const InputSettings& settings);
  void publish(LocalTime now);
  void save_soon();
  void hear(std::string_view text, LocalTime now);
  void say(Severity severity, const char* about, std::string_view text);
  [[nodiscard]] Scene scene() const { return {*cluster_}; }
  [[nodiscard]] std::chrono::nanoseconds patience(LocalTime now) const;

  session::Session& session_;
  const Clock& clock_;
  const MakePorts make_ports_;
  const InputOptions options_;
  LatestValue<InputView> view_;
  BoundedQueue<Letter> mailbox_;
  BoundedQueue<MidiOutput> to_devices_;
  BoundedQueue<InputSettings> to_save_;
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::size_t> osc_bytes_{0};  // of datagrams waiting in the mailbox
  SettingsFile file_;                      // confined to `save` while that thread runs

  // Confined to `input` once that thread runs.
  InputSettings saved_;   // as in the file
  InputSettings active_;  // with the options applied
  MappingCore mapping_core_;
  OscCore osc_core_;
  model::TapTempo taps_;
  LatestPerTarget orders_;
  std::optional<UdpSocket> socket_;
  std::string osc_trouble_;
  LocalTime next_osc_try_{};
  MidiScan midi_;
  std::uint64_t midi_generation_ = 0;
  LinkSession link_;
  LinkState link_state_;
  LinkFollower link_follower_;
  MusicFollower music_follower_;
  MusicView music_;
  std::string followed_show_;  // its name
  std::shared_ptr<const model::ClusterView> cluster_;
  std::deque<Heard> heard_;
  std::uint64_t heard_count_ = 0;
  bool has_news_ = true;
  LocalTime next_publish_{};
  LocalTime next_feedback_{};
  std::optional<LocalTime> save_at_;

  std::jthread osc_;
  std::jthread midi_thread_;
  std::jthread save_;
  std::jthread input_;
};

}  // namespace submix::input
