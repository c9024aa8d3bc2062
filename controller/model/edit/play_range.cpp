// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/play_range.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/macros.hpp"
#include "common/show/stated_value.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace submix::model {
namespace {

constexpr std::string_view kClip = "clip";

struct RangeEnds {
  double least = 0;
  double most = 0;

  friend bool operator==(const RangeEnds&, const RangeEnds&) = default;
};

// The least and greatest value of a parameter. An unstated or non-numeric value counts as 0; other
// checks refuse non-numbers.
RangeEnds ends_of(const show::Slot& slot, std::string_view name) {
  const auto moves = slot.oscillators.find(name);
  if (moves != slot.oscillators.end() && moves->second.is_on)
    return {std::min(moves->second.from, moves->second.to),
            std::max(moves->second.from, moves->second.to)};
  const double number = show::stated_value(slot.parameters, name, 0.0);
  return {number, number};
}

bool has_same_range(const show::Slot& a, const show::Slot& b) {
  return a.plugin == b.plugin && ends_of(a, show::kClipIn) == ends_of(b, show::kClipIn) &&
         ends_of(a, show::kClipOut) == ends_of(b, show::kClipOut);
}

// The show with macros expanded. Empty: no macros, or the show is invalid, which other checks
// report.
std::optional<show::Show> with_copies(const show::Show& show) {
  if (!show::has_macros(show) || !show::validate(show).empty()) return std::nullopt;
  return show::expand(show);
}

// Slots of an expanded macro are called "slot/inner", and "output:slot/inner" in an output chain.
std::string outer_slot(const std::string& name) {
  constexpr std::string_view kChain = "output:";
  const auto plain = name.starts_with(kChain) ? name.substr(kChain.size()) : name;
  return plain.substr(0, plain.find('/'));
}

}  // namespace

bool is_play_range(const show::Slot& slot, std::string_view parameter) {
  if (slot.plugin == kClip) return parameter == show::kClipIn || parameter == show::kClipOut;
  return !show::macro_of(slot).empty() &&
         (parameter.ends_with(".in") || parameter.ends_with(".out"));
}

std::string empty_range_of(const show::Slot& slot) {
  if (slot.plugin != kClip) return {};
  const auto in = ends_of(slot, show::kClipIn);
  const auto out = ends_of(slot, show::kClipOut);
  const bool begins_at_start = in.most <= 0 && out.least >= 0;
  if (out.most <= 0 || out.least > in.most || begins_at_start) return {};
  return fmt::format(
      "in point {:g} s is not before the out point {:g} s; set the in point lower, or the out "
      "point higher, or to 0: the clip's end",
      in.most, out.least);
}

std::vector<EmptyRange> new_empty_ranges(const show::Show* before, const show::Show& after) {
  const auto copies = with_copies(after);
  const auto former_copies = before == nullptr ? std::nullopt : with_copies(*before);
  const auto* former = former_copies ? &*former_copies : before;

  std::vector<EmptyRange> found;
  for (const auto& submix : (copies ? *copies : after).submixes) {
    for (const auto& slot : submix.slots) {
      auto reason = empty_range_of(slot);
      if (reason.empty()) continue;
      const auto* old = former == nullptr ? nullptr : former->find_slot({submix.name, slot.name});
      if (old != nullptr && has_same_range(*old, slot)) continue;
      const show::Port inner{submix.name, slot.name};
      found.push_back({{submix.name, outer_slot(slot.name)},
                       fmt::format("{}: {}", show::to_string(inner), reason)});
    }
  }
  return found;
}

}  // namespace submix::model
