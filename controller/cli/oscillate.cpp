// SPDX-License-Identifier: GPL-3.0-or-later
// submix set … --oscillate, submix tempo, submix speed, submix sync
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/view/oscillation.hpp"
#include "controller/session/announcing.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace submix::cli {
namespace {

Result<void> take_over(const OscillatorOptions& options, show::Oscillator& oscillator) {
  oscillator.is_on = options.oscillate != "off" && (oscillator.is_on || !options.oscillate.empty());
  if (!options.oscillate.empty() && options.oscillate != "on" && options.oscillate != "off") {
    const auto waveform = show::parse_waveform(options.oscillate);
    if (!waveform) return fail("{}; or on, off, none", waveform.error().message);
    oscillator.waveform = *waveform;
  }
  if (!options.beats.empty()) {
    if (options.frequency)
      return fail("--frequency and --beats both say how long a period is; take one");
    const auto beats = show::parse_beats(options.beats);
    SUBMIX_TRY(beats);
    oscillator.beats = *beats;
  }
  if (options.frequency) {
    oscillator.frequency = *options.frequency;
    oscillator.beats.reset();
  }
  const bool states_pace =
      options.frequency || !options.beats.empty() || options.phase || options.width;
  if (show::follows_sound(oscillator.waveform) && states_pace)
    return fail("{} follows the sound and knows only --from and --to",
                show::to_string(oscillator.waveform));
  oscillator.from = options.from.value_or(oscillator.from);
  oscillator.to = options.to.value_or(oscillator.to);
  oscillator.width = options.width.value_or(oscillator.width);
  return {};
}

// Begins with the parameter's present oscillator, so that omitted values stay.
Result<model::SetOscillator> oscillator_edit(const show::Show& show, const SetOptions& options) {
  const auto target = parse_target(options.target);
  SUBMIX_TRY(target);
  model::SetOscillator edit{target->slot, target->name, std::nullopt};
  const auto before = model::present(show, edit);
  SUBMIX_TRY(before);
  const auto& present = std::get<model::SetOscillator>(*before).oscillator;
  if (options.oscillator.oscillate == "none") return edit;
  if (!present && (options.oscillator.oscillate.empty() || options.oscillator.oscillate == "off"))
    return fail("{} has no oscillator; give it one: --oscillate sine", options.target);
  auto after = present.value_or(show::Oscillator());
  SUBMIX_TRY(take_over(options.oscillator, after));
  const bool is_shot_again = options.oscillator.oscillate == "one-shot";
  after = model::begun_at(after, is_shot_again ? std::nullopt : present);
  after.phase = options.oscillator.phase.value_or(after.phase);
  edit.oscillator = after;
  return edit;
}

int run_tempo_edit(Context& context, const TempoOptions& options, double show::Tempo::* field,
                   std::string_view command) {
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  auto& cluster = opened->cluster();
  if (!options.value) {
    context.out << title(model::SetTempo{opened->current.show.tempo}) << std::endl;
    return kOk;
  }
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    auto tempo = show.tempo;
    tempo.*field = *options.value;
    return model::SetTempo{tempo};
  };
  return run_edit(context, cluster, {make, command});
}

}  // namespace

int run_oscillate(Context& context, const SetOptions& options) {
  if (options.value)
    return failed(context, "a value and an oscillator exclude each other; take one");
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  auto& cluster = opened->cluster();
  const auto edit = oscillator_edit(opened->current.show, options);
  if (!edit) return failed(context, edit.error().message);
  if (const auto checked = check_slot(cluster, *edit, edit->slot, "oscillators." + edit->name);
      !checked)
    return failed(context, checked.error().message);
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    return oscillator_edit(show, options).map([](auto made) {
      return model::Edit(std::move(made));
    });
  };
  return run_edit(context, cluster, {make, "set", edit->slot.submix});
}

int run_tempo(Context& context, const TempoOptions& options) {
  return run_tempo_edit(context, options, &show::Tempo::beats_per_minute, "tempo");
}

// The time is read for each attempt: others may have edited the show meanwhile.
int run_sync(Context& context, const SyncOptions&) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    const auto now = session::read_show_time(cluster);
    SUBMIX_TRY(now);
    return model::set_beat(show.tempo, 0.0, *now);
  };
  return run_edit(context, cluster, {make, "sync"});
}

int run_speed(Context& context, const TempoOptions& options) {
  return run_tempo_edit(context, options, &show::Tempo::master_speed, "speed");
}

}  // namespace submix::cli
