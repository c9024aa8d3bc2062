// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace submix::input {

/// The state of Ableton Link at one moment.
struct LinkState {
  bool is_on = false;
  double tempo = 120;     ///< beats per minute
  double beat = 0;        ///< counted on this machine, in time with all members
  double phase = 0;       ///< place in a bar of four beats, 0 to 4
  std::size_t peers = 0;  ///< other programs and machines in the session
};

/// A session of Ableton Link: one tempo and beat with all members on the network.
///
/// Threads  Compatible; Link runs two threads of its own for the network.
/// Errors   Without a network the session has no other members and keeps its tempo.
class LinkSession {
 public:
  LinkSession();
  ~LinkSession();
  LinkSession(const LinkSession&) = delete;
  LinkSession& operator=(const LinkSession&) = delete;

  void turn(bool on);
  void set_tempo(double beats_per_minute);
  /// Sets the present beat. With other members in the session, their place in the bar stays.
  void set_beat(double beat);
  [[nodiscard]] LinkState state() const;

 private:
  struct Peer;
  std::unique_ptr<Peer> peer_;
};

}  // namespace submix::input
