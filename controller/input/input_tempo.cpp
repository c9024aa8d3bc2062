// SPDX-License-Identifier: GPL-3.0-or-later
// The tempo of the show, as Ableton Link and the music set it.
#include "controller/input/input_service.hpp"

#include "controller/model/view/oscillation.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace submix::input {
namespace {

std::string text_of(MusicFollower::State state, double heard) {
  using State = MusicFollower::State;
  switch (state) {
    case State::unsure:
      return "no sure beat: the tempo stays";
    case State::waits:
      return fmt::format("hears {:.0f}, waits until it is steady", heard);
    case State::follows:
      return fmt::format("follows {:.0f} beats a minute", heard);
    case State::overruled:
      return fmt::format("hears {:.0f}, but the tempo set by hand holds", heard);
  }
  return {};
}

/// Empty: the tempo may follow the music.
std::string why_music_rests(const model::ClusterView& cluster, const LinkState& link) {
  if (cluster.is_read_only) return "rests: this window is read-only";
  // The other members of a Link session must not be pulled along by what a microphone hears.
  if (link.is_on && link.peers > 0) return "rests: the Link session leads";
  return {};
}

}  // namespace

void InputService::follow_link(LocalTime now) {
  const auto link = link_.state();
  has_news_ |= link.is_on || link_state_.is_on;  // the shown beat changes
  link_state_ = link;
  if (!link.is_on || cluster_->show == nullptr) return link_follower_.stop();
  const auto change =
      link_follower_.follow(cluster_->show->tempo.beats_per_minute, link.tempo, now);
  if (change.link) link_.set_tempo(*change.link);
  if (change.show) orders_.put(SetPace{change.show, {}});
  if (!change.show && !change.link) follow_link_beat(now);
}

void InputService::follow_link_beat(LocalTime now) {
  const auto& tempo = cluster_->show->tempo;
  const auto time = model::show_time(*cluster_, now);
  if (!time || tempo.master_speed != 1.0) return;  // at another speed no beats can agree
  const auto change = link_follower_.follow_beat({.show = show::moment_at(tempo, *time).beats,
                                                  .link = link_state_.beat,
                                                  .has_peers = link_state_.peers > 0},
                                                 now);
  if (change.link) link_.set_beat(*change.link);
  if (change.show_shift) orders_.put(SetPace{{}, {}, change.show_shift});
}

void InputService::follow_music(LocalTime now) {
  music_ = {};
  music_.is_on = active_.is_music_followed;
  if (!music_.is_on) return music_follower_.stop();
  const auto& show = cluster_->show;
  const auto time = model::show_time(*cluster_, now);
  const bool has_time = show != nullptr && time;
  // Nobody has set the tempo of a show that was just opened.
  if (has_time && std::exchange(followed_show_, show->name) != show->name) music_follower_.stop();
  music_.text = has_time ? why_music_rests(*cluster_, link_state_) : "waits for the show";
  if (!music_.text.empty()) return music_follower_.stop();
  const auto heard = heard_tempo();
  const auto change = music_follower_.follow(heard, show->tempo, {now, *time});
  if (change.tempo || change.beat_shift) orders_.put(SetPace{change.tempo, {}, change.beat_shift});
  music_.follows = music_follower_.state() == MusicFollower::State::follows;
  if (music_.text.empty()) music_.text = text_of(music_follower_.state(), heard.beats_per_minute);
}

// Nothing, with a text, where no PC hears the music.
HeardTempo InputService::heard_tempo() {
  const auto& name = cluster_->show->sound.node;
  const auto* node = cluster_->find_healthy_node(name);
  music_.needs_listener = name.empty();
  music_.text = name.empty()      ? "no PC listens: choose a sound in Show settings"
                : node == nullptr ? name + " is to listen, but it is not here: the tempo stays"
                : !node->sound.trouble.empty() ? name + " hears nothing: the tempo stays"
                                               : "";
  return music_.text.empty() ? node->sound.tempo : HeardTempo();
}

}  // namespace submix::input
