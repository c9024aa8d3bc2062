// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/macros.hpp"

#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace submix::show {
namespace {

std::size_t index_of(const Submix& submix, std::string_view name) {
  const auto found = std::find_if(submix.slots.begin(), submix.slots.end(),
                                  [&](const Slot& slot) { return slot.name == name; });
  return static_cast<std::size_t>(found - submix.slots.begin());
}

// One use of a submix: the submix itself on its node, or a copy in place of another submix's slot.
class SubmixUse {
 public:
  SubmixUse(const Show& show, const Submix& submix) : show_(show), submix_(submix) {}
  SubmixUse(const SubmixUse& outer, const Slot& place)
      : show_(outer.show_),
        submix_(*show_.find_submix(macro_of(place))),
        outer_(&outer),
        place_(&place),
        prefix_(outer.prefix_ + place.name + "/"),
        is_bypassed_(outer.is_bypassed_ || place.is_bypassed) {}

  void add_to(std::vector<Slot>& slots) const {
    for (std::size_t i = 0; i < submix_.slots.size(); ++i) {
      auto slot = with_own_parameters(submix_.slots[i]);
      if (is_port(slot)) continue;
      if (!macro_of(slot).empty()) {
        SubmixUse(*this, slot).add_to(slots);
        continue;
      }
      if (slot.inputs) {
        for (auto& input : *slot.inputs)
          input = source_of(input);
      }
      if (const auto above = source_above(i); !slot.inputs && !is_next_to(slots, above))
        slot.above = above;
      slot.name = prefix_ + slot.name;
      slot.is_bypassed = slot.is_bypassed || is_bypassed_;
      slots.push_back(std::move(slot));
    }
  }

  // The slot that produces the picture of slot `name` of this submix, with the delay on the path.
  [[nodiscard]] std::string source(const std::string& name) const {
    const auto i = index_of(submix_, name);
    const auto& slot = submix_.slots[i];
    if (!macro_of(slot).empty()) return SubmixUse(*this, slot).output();
    if (!is_port(slot)) return prefix_ + name;
    if (slot.plugin == kStreamOutPlugin) return source_of_input(i, 0);
    const auto ports = slots_of_plugin(submix_, kStreamInPlugin);
    const auto port = std::find(ports.begin(), ports.end(), &slot) - ports.begin();
    return outer_->source_of_input(index_of(outer_->submix_, place_->name),
                                   static_cast<std::size_t>(port));
  }

 private:
  // A copy's ports do not become slots: they are the place's inputs and its output.
  [[nodiscard]] bool is_port(const Slot& slot) const {
    return place_ != nullptr && (slot.plugin == kStreamInPlugin || slot.plugin == kStreamOutPlugin);
  }

  [[nodiscard]] Slot with_own_parameters(Slot slot) const {
    if (place_ == nullptr) return slot;
    const auto prefix = slot.name + ".";
    for (const auto& [name, value] : place_->parameters) {
      if (!name.starts_with(prefix)) continue;
      slot.parameters.insert_or_assign(name.substr(prefix.size()), value);
      // A value stated for this use replaces the oscillator.
      slot.oscillators.erase(name.substr(prefix.size()));
      slot.fades.erase(name.substr(prefix.size()));
    }
    for (const auto& [name, oscillator] : place_->oscillators) {
      if (name.starts_with(prefix))
        slot.oscillators.insert_or_assign(name.substr(prefix.size()), oscillator);
    }
    for (const auto& [name, fade] : place_->fades) {
      if (name.starts_with(prefix)) slot.fades.insert_or_assign(name.substr(prefix.size()), fade);
    }
    return slot;
  }

  static bool is_next_to(const std::vector<Slot>& slots, const std::string& above) {
    return slots.empty() ? above.empty() : slots.back().name == above;
  }

  [[nodiscard]] std::string source_of_input(std::size_t i, std::size_t input) const {
    const auto& inputs = submix_.slots[i].inputs;
    return inputs ? source_of(inputs->at(input)) : source_above(i);
  }

  // The source of an input as the show states it. Delays on the path add up.
  [[nodiscard]] std::string source_of(const std::string& text) const {
    const auto named = parse_input(text).value_or(Input{text, 0});
    auto found = source(named.slot);
    if (named.delay == 0) return found;
    const auto inner = parse_input(found).value_or(Input{found, 0});
    return fmt::format("{}@{}", inner.slot, inner.delay + named.delay);
  }

  [[nodiscard]] std::string source_above(std::size_t i) const {
    return i == 0 ? std::string() : source(submix_.slots[i - 1].name);
  }

  [[nodiscard]] std::string output() const {
    return source(slots_of_plugin(submix_, kStreamOutPlugin).front()->name);
  }

  const Show& show_;
  const Submix& submix_;
  const SubmixUse* outer_ = nullptr;
  const Slot* place_ = nullptr;
  std::string prefix_;
  bool is_bypassed_ = false;
};

// Puts a place for the chain in front of each output whose picture has not passed the chain yet.
class OutputChain {
 public:
  OutputChain(const std::string& chain, const Submix& submix) : chain_(chain), submix_(submix) {}

  Submix run() {
    Submix chained = submix_;
    chained.slots.clear();
    for (std::size_t i = 0; i < submix_.slots.size(); ++i) {
      auto slot = submix_.slots[i];
      const auto input = input_of(i);
      if (is_shown_at(slot) && input && !is_through_chain(*input)) {
        slot.inputs = {add_place(chained, *input)};
      }
      chained.slots.push_back(std::move(slot));
    }
    return chained;
  }

 private:
  [[nodiscard]] std::optional<std::string> input_of(std::size_t i) const {
    const auto& slot = submix_.slots[i];
    if (slot.inputs)
      return slot.inputs->empty() ? std::nullopt : std::optional(slot.inputs->front());
    return i == 0 ? std::nullopt : std::optional(submix_.slots[i - 1].name);
  }

  // Outputs pass their input on, so an output behind another output has passed the chain.
  [[nodiscard]] bool is_through_chain(std::string name) const {
    for (std::size_t hops = 0; hops < submix_.slots.size(); ++hops) {
      const auto i = index_of(submix_, name);
      if (is_shown_at(submix_.slots[i])) return true;
      if (submix_.slots[i].plugin != kStreamOutPlugin) return false;
      const auto input = input_of(i);
      if (!input) return false;
      name = *input;
    }
    return false;
  }

  // All outputs that show the same picture share one place.
  std::string add_place(Submix& chained, const std::string& input) const {
    auto name = fmt::format("output:{}", input);
    if (index_of(chained, name) < chained.slots.size()) return name;
    Slot place;
    place.name = name;
    place.plugin = std::string(kMacroPrefix) + chain_;
    place.inputs = {input};
    chained.slots.push_back(std::move(place));
    return name;
  }

  const std::string& chain_;
  const Submix& submix_;
};

Submix with_output_chain(const Show& show, const Submix& submix) {
  if (show.output_chain.empty() || submix.name == show.output_chain) return submix;
  return OutputChain(show.output_chain, submix).run();
}

}  // namespace

std::string_view macro_of(const Slot& slot) {
  const std::string_view plugin = slot.plugin;
  return plugin.starts_with(kMacroPrefix) ? plugin.substr(kMacroPrefix.size()) : std::string_view();
}

bool has_macros(const Show& show) {
  return std::ranges::any_of(show.submixes, [](const Submix& submix) {
    return std::ranges::any_of(submix.slots,
                               [](const Slot& slot) { return !macro_of(slot).empty(); });
  });
}

bool stands_in_others(const Show& show, std::string_view submix) {
  const auto is_place = [&](const Slot& slot) { return macro_of(slot) == submix; };
  return show.output_chain == submix ||
         std::any_of(show.submixes.begin(), show.submixes.end(), [&](const auto& each) {
           return std::any_of(each.slots.begin(), each.slots.end(), is_place);
         });
}

std::vector<const Slot*> slots_of_plugin(const Submix& submix, std::string_view plugin) {
  std::vector<const Slot*> found;
  for (const auto& slot : submix.slots) {
    if (slot.plugin == plugin) found.push_back(&slot);
  }
  return found;
}

bool is_shown_at(const Slot& slot) {
  return slot.plugin == "window" || slot.plugin == "record" || slot.plugin == "send" ||
         slot.plugin == "camera-out";
}

Show expand(const Show& show) {
  Show expanded = show;
  expanded.output_chain.clear();
  for (auto& submix : expanded.submixes) {
    const auto chained = with_output_chain(show, submix);
    submix.slots.clear();
    SubmixUse(show, chained).add_to(submix.slots);
  }
  return expanded;
}

std::string slot_behind(const Show& show, const Port& port) {
  const auto* slot = show.find_slot(port);
  if (slot == nullptr || macro_of(*slot).empty()) return port.slot;
  const auto source = SubmixUse(show, *show.find_submix(port.submix)).source(port.slot);
  return parse_input(source).value_or(Input{source, 0}).slot;
}

PluginForm form_of_macro(const Show& show, const Submix& submix, const Catalogue& plugins) {
  PluginForm form{slots_of_plugin(submix, kStreamInPlugin).size(), {}};
  for (const auto& slot : submix.slots) {
    const auto* inner = show.find_submix(macro_of(slot));
    const auto known = plugins.find(slot.plugin);
    if (inner == nullptr && known == plugins.end()) continue;
    const auto own = inner != nullptr ? form_of_macro(show, *inner, plugins) : known->second;
    for (const auto& name : own.parameters)
      form.parameters.push_back(fmt::format("{}.{}", slot.name, name));
    for (const auto& [name, range] : own.numbers)
      form.numbers.emplace(fmt::format("{}.{}", slot.name, name), range);
  }
  return form;
}

}  // namespace submix::show
