// SPDX-License-Identifier: GPL-3.0-or-later
// Reads parameters, oscillators and the tempo.
#include "common/show/parse_parts.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::show {
namespace {

std::optional<std::vector<double>> numbers_of(const toml::array& array) {
  std::vector<double> numbers;
  for (const auto& item : array) {
    const auto number = number_of(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<ParameterValue> parameter_of(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  if (const auto number = number_of(node)) return *number;
  if (const auto* array = node.as_array()) {
    if (auto numbers = numbers_of(*array)) return *std::move(numbers);
  }
  return std::nullopt;
}

std::optional<double> read_beats(TableReader& reader) {
  const auto* node = reader.any("beats");
  if (node == nullptr) return std::nullopt;
  const auto* text = node->as_string();
  if (text == nullptr) return reader.number("beats", 1.0);
  const auto beats = parse_beats(text->get());
  if (!beats) reader.complain("beats", beats.error().message);
  return beats.value_or(1.0);
}

std::chrono::milliseconds read_since(TableReader& reader) {
  return std::chrono::milliseconds(reader.integer("since", 0));
}

void read_pace(TableReader& reader, Oscillator& oscillator) {
  const bool has_frequency = reader.any("frequency") != nullptr;
  oscillator.frequency = reader.number("frequency", oscillator.frequency);
  oscillator.beats = read_beats(reader);
  if (has_frequency && oscillator.beats) {
    reader.complain("beats",
                    "frequency and beats both say how long a period is; take one of them out");
  }
  oscillator.since = read_since(reader);
  oscillator.shift = reader.number("shift", oscillator.shift);
}

FormerPace read_former_pace(TableReader reader) {
  Oscillator pace;
  read_pace(reader, pace);
  reader.finish();
  return {pace.since, pace.frequency, pace.beats, pace.shift};
}

// The tables of a list, each with a reader of its own.
template <typename Read>
auto read_list(TableReader& owner, std::string_view key, std::size_t limit, ParseContext& context,
               Read read) {
  std::vector<decltype(read(std::declval<TableReader>()))> items;
  const auto tables = owner.tables(key, limit);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    items.push_back(
        read(TableReader(*tables[i], fmt::format("{}[{}]", owner.path_of(key), i),
                         fmt::format("{}, {} {}", owner.title(), key, i + 1), context)));
  }
  return items;
}

Oscillator read_oscillator(TableReader reader, ParseContext& context) {
  Oscillator oscillator;
  if (const auto waveform = reader.required_text("waveform"); !waveform.empty()) {
    const auto parsed = parse_waveform(waveform);
    if (!parsed) reader.complain("waveform", parsed.error().message);
    oscillator.waveform = parsed.value_or(oscillator.waveform);
  }
  read_pace(reader, oscillator);
  oscillator.before = read_list(reader, "before", kFormerPacesMax, context, read_former_pace);
  oscillator.phase = reader.number("phase", oscillator.phase);
  oscillator.width = reader.number("width", oscillator.width);
  oscillator.from = reader.number("from", oscillator.from);
  oscillator.to = reader.number("to", oscillator.to);
  oscillator.start = reader.number("start", oscillator.start);
  oscillator.shots = reader.integer("shots", oscillator.shots);
  oscillator.is_on = reader.boolean("on", oscillator.is_on);
  reader.finish();
  return oscillator;
}

}  // namespace

std::optional<ParameterValue> read_value(TableReader& reader, std::string_view key) {
  const auto* node = reader.any(key);
  if (node == nullptr) {
    reader.complain(key, fmt::format("{} is missing; write {} = 0.5", key, key));
    return std::nullopt;
  }
  auto value = parameter_of(*node);
  if (!value)
    reader.complain_of_type(key, *node, "true, false, a number, a text, or numbers in a row");
  return value;
}

Parameters read_parameters(TableReader& owner, ParseContext& context) {
  Parameters parameters;
  const auto* table = owner.table("parameters");
  if (table == nullptr) return parameters;
  TableReader reader(*table, owner.path_of("parameters"), owner.title(), context);
  if (!reader.holds_at_most(kParametersMax, "parameters")) return parameters;
  for (const auto& [key, node] : *table) {
    if (auto value = read_value(reader, key.str()))
      parameters.emplace(key.str(), *std::move(value));
  }
  return parameters;
}

Oscillators read_oscillators(TableReader& slot, ParseContext& context) {
  Oscillators oscillators;
  const auto* table = slot.table("oscillators");
  if (table == nullptr) return oscillators;
  TableReader reader(*table, slot.path_of("oscillators"), slot.title(), context);
  if (!reader.holds_at_most(kParametersMax, "oscillators")) return oscillators;
  for (const auto& [key, node] : *table) {
    const auto* settings = reader.table(key.str());
    if (settings == nullptr) continue;
    const auto title = fmt::format("{}, oscillator of \"{}\"", slot.title(), key.str());
    oscillators.emplace(
        key.str(),
        read_oscillator({*settings, reader.path_of(key.str()), title, context}, context));
  }
  return oscillators;
}

Tempo read_tempo(TableReader& show, ParseContext& context) {
  const auto read_segment = [](TableReader& reader) {
    TempoSegment segment;
    segment.beats_per_minute = reader.number("tempo", segment.beats_per_minute);
    segment.master_speed = reader.number("master_speed", segment.master_speed);
    return segment;
  };
  const auto read_begin = [](TableReader& reader, TempoSegment& segment) {
    segment.since = read_since(reader);
    segment.seconds = reader.number("seconds", segment.seconds);
    segment.beats = reader.number("beats", segment.beats);
    reader.finish();
  };
  auto newest = read_segment(show);
  if (const auto* begin = show.table("tempo_begin")) {
    TableReader reader(*begin, show.path_of("tempo_begin"), show.title() + ", tempo_begin",
                       context);
    read_begin(reader, newest);
  }
  auto before = read_list(show, "former_tempos", kFormerPacesMax, context, [&](TableReader reader) {
    auto segment = read_segment(reader);
    read_begin(reader, segment);
    return segment;
  });
  return {newest.beats_per_minute, newest.master_speed, newest.since,
          newest.seconds,          newest.beats,        std::move(before)};
}

}  // namespace submix::show
