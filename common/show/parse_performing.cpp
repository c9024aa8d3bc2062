// SPDX-License-Identifier: GPL-3.0-or-later
// Reads [[knob]], [[preset]], [[cue]], and the fades of a slot.
#include "common/show/parse_parts.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

namespace submix::show {
namespace {

std::uint64_t to_count(std::int64_t number) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number));
}

// Reads "left.glow.Border width".
std::pair<Port, std::string> read_target(TableReader& reader, std::string_view key) {
  const auto text = reader.required_text(key);
  if (text.empty()) return {};
  auto target = parse_target(text);
  if (!target) reader.complain(key, fmt::format("{}: {}", key, target.error().message));
  return target ? *std::move(target) : std::pair<Port, std::string>();
}

KnobTarget read_knob_target(TableReader reader) {
  KnobTarget target;
  std::tie(target.slot, target.parameter) = read_target(reader, "parameter");
  target.from = reader.number("from", target.from);
  target.to = reader.number("to", target.to);
  reader.finish();
  return target;
}

CueParameter read_cue_parameter(TableReader& reader) {
  CueParameter change;
  std::tie(change.slot, change.parameter) = read_target(reader, "parameter");
  if (auto value = read_value(reader, "value")) change.value = *std::move(value);
  return change;
}

CueBypass read_cue_bypass(TableReader& reader) {
  CueBypass change;
  if (const auto port = parse_port(reader.text("bypass"))) {
    change.slot = *port;
  } else {
    reader.complain("bypass", fmt::format("bypass: {}", port.error().message));
  }
  change.is_bypassed = reader.boolean("value", true);
  return change;
}

// One of these keys determines the kind of change.
constexpr std::array<std::string_view, 5> kChangeKinds{"parameter", "knob", "preset", "bypass",
                                                       "assign"};

std::optional<CueChange> read_change(const toml::table& table, TableReader reader) {
  const auto kinds =
      std::ranges::count_if(kChangeKinds, [&](auto kind) { return table.contains(kind); });
  std::optional<CueChange> change;
  if (kinds != 1) {
    reader.complain("",
                    fmt::format("a change has one of the keys {}", fmt::join(kChangeKinds, ", ")));
    return change;
  }
  if (table.contains("parameter")) {
    change = read_cue_parameter(reader);
  } else if (table.contains("knob")) {
    change = CueKnob{reader.text("knob"), reader.number("value", 0.0)};
  } else if (table.contains("preset")) {
    change = CuePreset{reader.text("preset")};
  } else if (table.contains("bypass")) {
    change = read_cue_bypass(reader);
  } else {
    change = CueAssign{reader.text("assign"), reader.text("node")};
  }
  reader.finish();
  return change;
}

// `follow = { seconds = 4 }` or `follow = { beats = 16 }`.
std::optional<FollowOn> read_follow(TableReader& cue, ParseContext& context) {
  const auto* table = cue.table("follow");
  if (table == nullptr) return std::nullopt;
  const bool has_beats = table->contains("beats");
  if (has_beats == table->contains("seconds")) {
    cue.complain("follow", "follow has either seconds or beats: { beats = 16 }");
    return std::nullopt;
  }
  TableReader reader(*table, cue.path_of("follow"), cue.title(), context);
  FollowOn follow;
  follow.unit = has_beats ? FollowUnit::beats : FollowUnit::seconds;
  follow.after = reader.number(has_beats ? "beats" : "seconds", follow.after);
  reader.finish();
  return follow;
}

}  // namespace

Fades read_fades(TableReader& slot, ParseContext& context) {
  Fades fades;
  const auto* table = slot.table("fades");
  if (table == nullptr) return fades;
  TableReader reader(*table, slot.path_of("fades"), slot.title(), context);
  if (!reader.holds_at_most(kParametersMax, "fades")) return fades;
  for (const auto& [key, node] : *table) {
    const auto* settings = reader.table(key.str());
    if (settings == nullptr) continue;
    TableReader each(*settings, reader.path_of(key.str()),
                     fmt::format("{}, fade of \"{}\"", slot.title(), key.str()), context);
    Fade fade{each.number("from", 0.0), to_count(each.integer("frame", 0)),
              to_count(each.integer("frames", 1))};
    each.finish();
    fades.emplace(key.str(), fade);
  }
  return fades;
}

Knob read_knob(TableReader reader, ParseContext& context) {
  Knob knob;
  knob.name = reader.required_text("name");
  knob.value = reader.number("value", knob.value);
  const auto targets = reader.tables("targets", kTargetsMax);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    knob.targets.push_back(
        read_knob_target({*targets[i], fmt::format("{}[{}]", reader.path_of("targets"), i),
                          fmt::format("{}, target {}", reader.title(), i + 1), context}));
  }
  reader.finish();
  return knob;
}

Preset read_preset(TableReader reader, ParseContext& context) {
  Preset preset;
  preset.name = reader.required_text("name");
  if (const auto of = reader.required_text("of"); of.find('.') == std::string::npos) {
    preset.of.submix = of;
  } else if (const auto port = parse_port(of)) {
    preset.of = *port;
  } else {
    reader.complain("of", fmt::format("of: {}", port.error().message));
  }
  preset.parameters = read_parameters(reader, context);
  preset.oscillators = read_oscillators(reader, context);
  reader.finish();
  return preset;
}

Cue read_cue(TableReader reader, ParseContext& context) {
  Cue cue;
  cue.name = reader.required_text("name");
  cue.text = reader.text("text");
  cue.fade_seconds = reader.number("fade", cue.fade_seconds);
  if (reader.any("pause") != nullptr) cue.is_paused = reader.boolean("pause");
  const auto changes = reader.tables("changes", kCueChangesMax);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto change =
        read_change(*changes[i], {*changes[i], fmt::format("{}[{}]", reader.path_of("changes"), i),
                                  fmt::format("{}, change {}", reader.title(), i + 1), context});
    if (change) cue.changes.push_back(*std::move(change));
  }
  cue.follow = read_follow(reader, context);
  reader.finish();
  return cue;
}

}  // namespace submix::show
