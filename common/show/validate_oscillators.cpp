// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "common/show/validate_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace submix::show {
namespace {

// Seconds or beats, in both directions; far below the values at which a double loses a frame.
constexpr double kMomentMax = 1e12;

// Whether `value` is within the range; NaN is within no range.
bool is_within(double value, double least, double most) {
  return value >= least && value <= most;
}

std::string range_fault(std::string_view key, double value, double least, double most) {
  if (is_within(value, least, most)) return {};
  return fmt::format("{} = {} is not within {} to {}", key, value, least, most);
}

// 1970 to 2096.
constexpr double kSinceMaxMs = 4e12;

double ms_of(std::chrono::milliseconds time) {
  return static_cast<double>(time.count());
}

std::string former_fault(const FormerPace& pace, std::chrono::milliseconds next) {
  auto fault = range_fault("frequency", pace.frequency, kFrequencyMin, kFrequencyMax);
  if (fault.empty()) fault = range_fault("beats", pace.beats.value_or(1.0), kBeatsMin, kBeatsMax);
  if (fault.empty()) fault = range_fault("since", ms_of(pace.since), 0.0, ms_of(next));
  if (fault.empty()) fault = range_fault("shift", pace.shift, -kMomentMax, kMomentMax);
  return fault.empty() ? fault : "before: " + fault + "; take \"before\" out";
}

// Former paces and segments stand in the order of their times.
template <typename Former>
std::chrono::milliseconds next_since(const std::vector<Former>& former, std::size_t i,
                                     std::chrono::milliseconds newest) {
  return i + 1 < former.size() ? former[i + 1].since : newest;
}

// The first fault and its key. An empty text: no fault.
struct KeyFault {
  std::string key;
  std::string text;
};

KeyFault fault_of(const Oscillator& oscillator) {
  const auto check = [](const char* key, double value, double least, double most,
                        std::string_view remedy) {
    auto text = range_fault(key, value, least, most);
    return KeyFault{key, text.empty() ? text : fmt::format("{}; {}", text, remedy)};
  };
  const KeyFault faults[] = {
      check("frequency", oscillator.frequency, kFrequencyMin, kFrequencyMax,
            "periods in a second: 0.5 is one in two seconds"),
      check("beats", oscillator.beats.value_or(1.0), kBeatsMin, kBeatsMax,
            "the beats that a period lasts: \"1/4\" is four periods in a beat"),
      check("phase", oscillator.phase, 0.0, 1.0, "0.5 is half a period ahead"),
      check("width", oscillator.width, 0.0, 1.0, "0.25 is a quarter of the period at \"to\""),
      check("start", oscillator.start, -kMomentMax, kMomentMax,
            "the moment at which a one-shot begins"),
      check("shots", static_cast<double>(oscillator.shots), 0.0, static_cast<double>(kShotsMax),
            "how often a one-shot was begun; leave it out"),
      check("since", ms_of(oscillator.since), 0.0, kSinceMaxMs,
            "milliseconds since 1970, written by programs; leave it out"),
      check("shift", oscillator.shift, -kMomentMax, kMomentMax,
            "periods, written by programs; leave it out"),
  };
  for (const auto& fault : faults) {
    if (!fault.text.empty()) return fault;
  }
  if (oscillator.before.size() > kFormerPacesMax)
    return {"before", fmt::format("{} former paces are more than {}; take \"before\" out",
                                  oscillator.before.size(), kFormerPacesMax)};
  for (std::size_t i = 0; i < oscillator.before.size(); ++i) {
    const auto next = next_since(oscillator.before, i, oscillator.since);
    if (auto fault = former_fault(oscillator.before[i], next); !fault.empty())
      return {"before", std::move(fault)};
  }
  if (!std::isfinite(oscillator.from)) return {"from", "from is not a number; give one"};
  if (!std::isfinite(oscillator.to)) return {"to", "to is not a number; give one"};
  return {};
}

}  // namespace

void check_oscillators(const Slot& slot, const std::string& path, const std::string& title,
                       Problems& problems) {
  if (slot.oscillators.size() > kParametersMax) {
    problems.push_back(
        {path + ".oscillators", fmt::format("{}: {} oscillators are more than {}; take some out",
                                            title, slot.oscillators.size(), kParametersMax)});
  }
  for (const auto& [name, oscillator] : slot.oscillators) {
    if (is_full(problems)) return;
    const auto place = fmt::format("{}.oscillators.{}", path, name);
    if (name.empty() || name.size() > kParameterNameBytesMax || !is_plain_text(name)) {
      problems.push_back(
          {place,
           fmt::format(
               "{}: oscillator of \"?\": the parameter's name is empty, too long or not plain text",
               title)});
      continue;
    }
    const auto about = fmt::format("{}, oscillator of \"{}\"", title, name);
    if (const auto [key, text] = fault_of(oscillator); !text.empty())
      problems.push_back({fmt::format("{}.{}", place, key), fmt::format("{}: {}", about, text)});
    const auto stated = slot.parameters.find(name);
    if (stated != slot.parameters.end() && !std::holds_alternative<double>(stated->second)) {
      problems.push_back(
          {place, fmt::format("{}: the parameter is {}, and only a number can move; take the "
                              "oscillator out",
                              about, to_string(stated->second).substr(0, 60))});
    }
  }
}

void check_tempo(const Tempo& tempo, Problems& problems) {
  const auto complain = [&](const char* key, const std::string& fault, std::string_view remedy) {
    if (!fault.empty())
      problems.push_back({fmt::format("show.{}", key), fmt::format("show: {}; {}", fault, remedy)});
  };
  const auto check = [&](const TempoSegment& segment, const std::string& prefix, double until_ms) {
    constexpr std::string_view kWritten = "programs write it; leave it out";
    complain((prefix + "tempo").c_str(),
             range_fault(prefix + "tempo", segment.beats_per_minute, kBeatsPerMinuteMin,
                         kBeatsPerMinuteMax),
             "beats in a minute; write tempo = 120");
    complain((prefix + "master_speed").c_str(),
             range_fault(prefix + "master_speed", segment.master_speed, 0.0, kMasterSpeedMax),
             "1 is as fast as oscillators say, 0 holds all of them");
    const auto begin = prefix.empty() ? std::string("tempo_begin.") : prefix;
    complain((begin + "since").c_str(),
             range_fault(begin + "since", ms_of(segment.since), 0.0, until_ms), kWritten);
    complain((begin + "seconds").c_str(),
             range_fault(begin + "seconds", segment.seconds, -kMomentMax, kMomentMax), kWritten);
    complain((begin + "beats").c_str(),
             range_fault(begin + "beats", segment.beats, -kMomentMax, kMomentMax), kWritten);
  };
  check({tempo.beats_per_minute, tempo.master_speed, tempo.since, tempo.seconds, tempo.beats}, "",
        kSinceMaxMs);
  if (tempo.before.size() > kFormerPacesMax) {
    complain(
        "former_tempos",
        fmt::format("former_tempos: {} are more than {}", tempo.before.size(), kFormerPacesMax),
        "programs write them; leave them out");
  }
  for (std::size_t i = 0; i < tempo.before.size() && !is_full(problems); ++i)
    check(tempo.before[i], fmt::format("former_tempos[{}].", i),
          ms_of(next_since(tempo.before, i, tempo.since)));
}

}  // namespace submix::show
