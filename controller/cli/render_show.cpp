// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/render_show.hpp"

#include "common/show/announce.hpp"
#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/pipe_plugins.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/pipes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace submix::cli {
namespace {

using Names = std::set<std::string>;

constexpr std::array<std::string_view, 3> kLivePlugins{"capture", "network", show::kPipeInPlugin};
// The plugin that shows a picture best says which picture is the mix.
constexpr std::array<std::string_view, 4> kOutputPlugins{"window", "record", "send", "camera-out"};

bool is_live(const show::Slot& slot) {
  return !slot.is_bypassed && std::ranges::find(kLivePlugins, slot.plugin) != kLivePlugins.end();
}

std::vector<std::string> names_of(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back(item.name);
  return names;
}

// Finding the mix.

Result<std::string> only_end(const show::Show& show) {
  std::vector<std::string> ends;
  for (const auto& submix : show.submixes) {
    const bool sends = std::ranges::any_of(show.streams, [&](const show::Stream& stream) {
      return stream.from.submix == submix.name &&
             !model::is_pipe(*show.find_submix(stream.to.submix));
    });
    if (!sends && !model::is_pipe(submix) && !show::stands_in_others(show, submix.name))
      ends.push_back(submix.name);
  }
  if (ends.size() == 1) return ends.front();
  if (ends.empty())
    return fail("no submix of the show is its end: name one by --mix SUBMIX; there are: {}",
                fmt::join(names_of(show.submixes), ", "));
  return fail("{} submixes send to no other: name one by --mix SUBMIX; they are: {}", ends.size(),
              fmt::join(ends, ", "));
}

/// The slot that shows, records or sends the submix; else its last slot.
std::string shown_slot(const show::Submix& submix) {
  for (const auto plugin : kOutputPlugins) {
    for (const auto& slot : submix.slots) {
      if (slot.plugin == plugin && !slot.is_bypassed) return slot.name;
    }
  }
  return submix.slots.back().name;
}

Result<show::Port> find_source(const show::Show& show, const std::string& mix) {
  const auto dot = mix.find('.');
  auto name = mix.substr(0, dot);
  if (name.empty()) {
    auto end = only_end(show);
    SUBMIX_TRY(end);
    name = *std::move(end);
  }
  const auto submix = show::submix_of(show, name);
  SUBMIX_TRY(submix);
  if ((*submix)->slots.empty()) return fail("submix \"{}\" has no slot: it has no picture", name);
  if (dot == std::string::npos) return show::Port{name, shown_slot(**submix)};
  show::Port port{name, mix.substr(dot + 1)};
  SUBMIX_TRY(show::slot_of(show, port));
  return port;
}

// Keeping what the mix shows.

/// Adds the submixes that stand in slots of `submix`, and in theirs.
void add_macros(const show::Show& show, const show::Submix& submix, Names& macros) {
  for (const auto& slot : submix.slots) {
    const auto* inner = show.find_submix(show::macro_of(slot));
    if (inner != nullptr && macros.insert(inner->name).second) add_macros(show, *inner, macros);
  }
}

/// `mix`, and the submixes whose streams lead to it.
Names performers_of(const show::Show& show, const std::string& mix) {
  Names performers;
  std::vector<std::string> to_follow{mix};
  while (!to_follow.empty()) {
    const auto name = std::move(to_follow.back());
    to_follow.pop_back();
    if (!performers.insert(name).second) continue;
    for (const auto& stream : show.streams) {
      if (stream.to.submix == name) to_follow.push_back(stream.from.submix);
    }
  }
  return performers;
}

/// Nothing of the submix is shown: the slot only says what is heard.
void keep_only(show::Submix& submix, const std::string& slot) {
  std::erase_if(submix.slots, [&](const show::Slot& other) { return other.name != slot; });
  submix.slots.front().inputs.reset();
}

void keep_what_is_shown(show::Show& show, const std::string& mix) {
  const auto performers = performers_of(show, mix);
  Names macros;
  for (const auto& name : performers)
    add_macros(show, *show.find_submix(name), macros);
  if (const auto* chain = show.find_submix(show.output_chain)) {
    macros.insert(chain->name);
    add_macros(show, *chain, macros);
  }
  const auto heard = show::heard_clip(show);
  const auto is_kept = [&](const show::Submix& submix) {
    if (performers.contains(submix.name) || macros.contains(submix.name)) return true;
    return heard && heard->submix == submix.name;
  };
  std::erase_if(show.submixes, [&](const show::Submix& submix) { return !is_kept(submix); });
  if (heard && !performers.contains(heard->submix) && !macros.contains(heard->submix))
    keep_only(*show.find_submix(heard->submix), heard->slot);
  for (auto& submix : show.submixes)
    submix.node = performers.contains(submix.name) ? kRenderNode : "";
  std::erase_if(show.streams, [&](const show::Stream& stream) {
    return !performers.contains(stream.from.submix) || !performers.contains(stream.to.submix);
  });
}

Result<void> refuse_live_pictures(const show::Show& show) {
  std::vector<std::string> live;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      if (is_live(slot))
        live.push_back(fmt::format("{}.{} ({})", submix.name, slot.name, slot.plugin));
    }
  }
  if (live.empty()) return {};
  return fail(
      "the show has live pictures, which come in real time only: {}; bypass these slots in the "
      "file, or put clips in their place",
      fmt::join(live, ", "));
}

// Making it a film.

void make_lossless(show::Stream& stream) {
  stream.policy = show::InputPolicy::wait;
  stream.pause_budget = show::kPauseBudgetMax;
  stream.standby.clear();
  stream.routes.clear();
  stream.link_count = 1;
  stream.is_local_allowed = true;
}

void make_silent(show::Slot& slot) {
  slot.plugin = "null";
  slot.parameters.clear();
  slot.oscillators.clear();
  slot.fades.clear();
}

void begin_at_zero(show::Show& show) {
  show.tempo = {.beats_per_minute = show.tempo.beats_per_minute,
                .master_speed = show.tempo.master_speed};
  for (auto& submix : show.submixes) {
    for (auto& slot : submix.slots) {
      slot.fades.clear();
      for (auto& [name, oscillator] : slot.oscillators) {
        oscillator = show::stated(std::move(oscillator));
        oscillator.shots = 0;
      }
    }
  }
  show::announce(nullptr, show, std::chrono::milliseconds(0));
}

void forget_performers(show::Show& show) {
  show.knobs.clear();
  show.presets.clear();
  show.cues.clear();
  show.next_cue.clear();
  show.following.reset();
  show.sound.node = kRenderNode;
  if (!show::heard_clip(show)) show.sound = {};
  show.delay_frames = 0;
  show.nodes = {{kRenderNode, ""}};
}

/// The parameters that follow the sound: "left.glow.strength".
std::vector<std::string> sound_followers(const show::Show& show) {
  std::vector<std::string> followers;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      for (const auto& [name, oscillator] : slot.oscillators) {
        if (oscillator.is_on && show::follows_sound(oscillator.waveform))
          followers.push_back(fmt::format("{}.{}.{}", submix.name, slot.name, name));
      }
    }
  }
  return followers;
}

std::vector<std::string> remarks_on(const show::Show& show) {
  std::vector<std::string> remarks;
  if (!show::heard_clip(show)) {
    for (const auto& follower : sound_followers(show))
      remarks.push_back(follower +
                        " follows sound: a film hears silence, since the show does not "
                        "listen to one of its clips (submix sound from NODE "
                        "clip:SUBMIX.SLOT)");
  }
  if (!show.cues.empty())
    remarks.push_back(fmt::format(
        "the show has {} cues: none goes, the film shows what the file states without them",
        show.cues.size()));
  return remarks;
}

/// Puts the recording in the place of the output at `source`, or behind this slot.
show::Port add_record(show::Show& show, const show::Port& source, const RenderTarget& target) {
  show::Slot record;
  record.name = source.slot;
  record.plugin = "record";
  record.parameters = {{"file", target.file},
                       {"codec", target.codec},
                       {"frames", static_cast<double>(target.frames)}};
  auto& submix = *show.find_submix(source.submix);
  auto& slot = *show.find_slot(source);
  if (show::is_shown_at(slot)) {
    record.inputs = slot.inputs;
    slot = std::move(record);
    return source;
  }
  while (show::find_slot(submix, record.name) != nullptr)
    record.name += "-film";
  record.inputs = {{source.slot}};
  submix.slots.push_back(record);
  return {submix.name, record.name};
}

}  // namespace

Result<RenderedShow> show_to_render(const show::Show& show, const RenderTarget& target) {
  auto source = find_source(show, target.mix);
  SUBMIX_TRY(source);
  RenderedShow rendered{show, *source, {}, {}};
  keep_what_is_shown(rendered.show, source->submix);
  SUBMIX_TRY(refuse_live_pictures(rendered.show));
  rendered.remarks = remarks_on(rendered.show);

  rendered.record = add_record(rendered.show, *source, target);
  for (auto& submix : rendered.show.submixes) {
    for (auto& slot : submix.slots) {
      const bool is_record = show::Port{submix.name, slot.name} == rendered.record;
      if (show::is_shown_at(slot) && !is_record) make_silent(slot);
    }
  }
  for (auto& stream : rendered.show.streams)
    make_lossless(stream);
  forget_performers(rendered.show);
  begin_at_zero(rendered.show);
  const auto problems = show::validate(rendered.show);
  if (!problems.empty()) return fail("{}", show::to_string(problems));
  return rendered;
}

}  // namespace submix::cli
