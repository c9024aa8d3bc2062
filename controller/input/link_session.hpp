// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace submix::input {

/// What Ableton Link says at one moment.
struct LinkState {
  bool is_on = false;
  double tempo = 120;     ///< beats a minute
  double beat = 0;        ///< of this machine's count; in time with all others
  double phase = 0;       ///< of a bar of four beats, 0 to 4
  std::size_t peers = 0;  ///< other programs and machines in the session
};

/// A session of Ableton Link: one tempo and beat with all others on the network.
///
/// Threads  Compatible; has two of its own, which only talk to the network.
/// Errors   Without a network it is alone, and keeps its tempo.
class LinkSession {
 public:
  LinkSession();
  ~LinkSession();
  LinkSession(const LinkSession&) = delete;
  LinkSession& operator=(const LinkSession&) = delete;

  void turn(bool on);
  void set_tempo(double beats_per_minute);
  [[nodiscard]] LinkState state() const;

 private:
  struct Peer;
  std::unique_ptr<Peer> peer_;
};

}  // namespace submix::input
