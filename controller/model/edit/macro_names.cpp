// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/macro_names.hpp"

#include "common/show/macros.hpp"

#include <utility>
#include <variant>
#include <vector>

namespace submix::model {
namespace {

/// The beginning of a parameter's name, "look.blur", and its replacement. Empty `to`: the parameter
/// is removed.
struct Prefix {
  std::string from;
  std::string to;

  [[nodiscard]] bool is_of(const std::string& name) const { return name.starts_with(from + "."); }
  [[nodiscard]] std::string renamed(const std::string& name) const {
    return to + name.substr(from.size());
  }
  [[nodiscard]] Prefix inside(const std::string& slot) const {
    return {slot + "." + from, to.empty() ? std::string() : slot + "." + to};
  }

  template <typename Values>
  void follow(Values& values) const {
    Values kept;
    for (auto& [name, value] : values) {
      if (!is_of(name)) {
        kept.emplace(name, std::move(value));
      } else if (!to.empty()) {
        kept.emplace(renamed(name), std::move(value));
      }
    }
    values = std::move(kept);
  }
};

// For knob targets and cue parameters. True: the item is removed.
template <typename Named>
bool follow_or_go(Named& named, const show::Port& port, const Prefix& prefix) {
  if (named.slot != port || !prefix.is_of(named.parameter)) return false;
  if (prefix.to.empty()) return true;
  named.parameter = prefix.renamed(named.parameter);
  return false;
}

void follow_in_presets(show::Show& show, const show::Port& port, const Prefix& prefix) {
  for (auto& preset : show.presets) {
    if (preset.of.submix != port.submix || (!preset.of.slot.empty() && preset.of.slot != port.slot))
      continue;
    const auto own = preset.of.slot.empty() ? prefix.inside(port.slot) : prefix;
    own.follow(preset.parameters);
    own.follow(preset.oscillators);
  }
}

// Follows in the values of slot `port`, which stands for a submix.
void follow_in_slot(show::Show& show, const show::Port& port, const Prefix& prefix) {
  auto& slot = *show.find_slot(port);
  prefix.follow(slot.parameters);
  prefix.follow(slot.oscillators);
  prefix.follow(slot.fades);
  for (auto& knob : show.knobs)
    std::erase_if(knob.targets, [&](auto& target) { return follow_or_go(target, port, prefix); });
  follow_in_presets(show, port, prefix);
  for (auto& cue : show.cues) {
    std::erase_if(cue.changes, [&](show::CueChange& change) {
      auto* parameter = std::get_if<show::CueParameter>(&change);
      return parameter != nullptr && follow_or_go(*parameter, port, prefix);
    });
  }
}

// Ends, because the submixes of a valid show contain each other in no circle.
void follow_outwards(show::Show& show, const std::string& macro, const Prefix& prefix) {
  std::vector<show::Port> uses;
  for (const auto& submix : show.submixes) {
    for (const auto& slot : submix.slots) {
      if (show::macro_of(slot) == macro) uses.push_back({submix.name, slot.name});
    }
  }
  for (const auto& use : uses) {
    follow_in_slot(show, use, prefix);
    follow_outwards(show, use.submix, prefix.inside(use.slot));
  }
}

}  // namespace

void follow_in_macros(show::Show& show, const show::Port& port, const std::string& name) {
  follow_outwards(show, port.submix, {port.slot, name});
}

}  // namespace submix::model
