// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that includes Link (8 s to compile).
#include "controller/input/link_session.hpp"

#include <ableton/Link.hpp>

namespace submix::input {
namespace {

constexpr double kInitialTempo = 120;
constexpr double kBar = 4;

}  // namespace

struct LinkSession::Peer {
  ableton::Link link{kInitialTempo};
};

LinkSession::LinkSession() : peer_(std::make_unique<Peer>()) {}
LinkSession::~LinkSession() = default;

void LinkSession::turn(bool on) {
  peer_->link.enable(on);
}

void LinkSession::set_tempo(double beats_per_minute) {
  auto state = peer_->link.captureAppSessionState();
  state.setTempo(beats_per_minute, peer_->link.clock().micros());
  peer_->link.commitAppSessionState(state);
}

void LinkSession::set_beat(double beat) {
  auto state = peer_->link.captureAppSessionState();
  state.requestBeatAtTime(beat, peer_->link.clock().micros(), kBar);
  peer_->link.commitAppSessionState(state);
}

LinkState LinkSession::state() const {
  const auto now = peer_->link.clock().micros();
  const auto state = peer_->link.captureAppSessionState();
  return {peer_->link.isEnabled(), state.tempo(), state.beatAtTime(now, kBar),
          state.phaseAtTime(now, kBar), peer_->link.numPeers()};
}

}  // namespace submix::input
