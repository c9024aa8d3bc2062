// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_form.hpp"

#include "common/show/loops.hpp"
#include "common/show/macros.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace submix::show {
namespace {

Result<std::vector<Input>> parse_inputs(const std::vector<std::string>& names) {
  std::vector<Input> inputs;
  for (const auto& name : names) {
    auto input = parse_input(name);
    SUBMIX_TRY(input);
    inputs.push_back(std::move(*input));
  }
  if (!inputs.empty() && inputs.front().delay > 0) {
    return fail("input \"{}\": {}", names.front().substr(0, 80), kFirstInputRule);
  }
  return inputs;
}

std::vector<std::string> ids_of(const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto& [id, form] : catalogue)
    ids.push_back(id);
  return ids;
}

// Collects the faults of one submix's slots.
class PluginCheck {
 public:
  PluginCheck(const Show& show, std::size_t submix_index, const Catalogue& catalogue,
              const std::string& node)
      : submix_(show.submixes[submix_index]),
        index_(submix_index),
        catalogue_(catalogue),
        node_(node) {}

  Problems run() {
    for (std::size_t i = 0; i < submix_.slots.size(); ++i)
      check(i);
    return std::move(problems_);
  }

 private:
  void check(std::size_t i) {
    const auto& slot = submix_.slots[i];
    const auto found = catalogue_.find(slot.plugin);
    if (found == catalogue_.end()) {
      complain(
          i, "plugin",
          fmt::format("plugin \"{}\" is not on node \"{}\"{}; \"submix plugins\" lists what is",
                      slot.plugin, node_, did_you_mean(slot.plugin, ids_of(catalogue_))));
      return;
    }
    if (const auto& reason = found->second.refused_because; !reason.empty())
      return complain(i, "plugin", reason);
    check_parameters(i, found->second);
    for (const auto& [name, oscillator] : submix_.slots[i].oscillators)
      check_oscillator(i, found->second, name, oscillator);
    if (const auto inputs = resolve_inputs(submix_, i, found->second.inputs); !inputs)
      complain(i, "inputs", inputs.error().message);
  }

  void check_parameters(std::size_t i, const PluginForm& form) {
    for (const auto& [name, value] : submix_.slots[i].parameters)
      check_known(i, form, "parameters", name);
  }

  bool check_known(std::size_t i, const PluginForm& form, std::string_view key,
                   const std::string& name) {
    if (std::find(form.parameters.begin(), form.parameters.end(), name) != form.parameters.end())
      return true;
    complain(
        i, fmt::format("{}.{}", key, name),
        fmt::format("plugin \"{}\" has no parameter \"{}\"{}; \"submix plugins {}\" lists them",
                    submix_.slots[i].plugin, name, did_you_mean(name, form.parameters),
                    submix_.slots[i].plugin));
    return false;
  }

  void check_oscillator(std::size_t i, const PluginForm& form, const std::string& name,
                        const Oscillator& oscillator) {
    if (!check_known(i, form, "oscillators", name)) return;
    const auto place = fmt::format("oscillators.{}", name);
    const auto number = form.numbers.find(name);
    if (number == form.numbers.end()) {
      return complain(
          i, place,
          fmt::format("oscillator of \"{}\": only numbers of sources, filters and mixers can "
                      "move; take the oscillator out",
                      name));
    }
    const auto [least, most] = number->second;
    for (const double end : {oscillator.from, oscillator.to}) {
      if (end >= least && end <= most) continue;
      return complain(
          i, place,
          fmt::format("oscillator of \"{}\": its range {} to {} is not within {} to {}, as the "
                      "plugin takes it; narrow it",
                      name, oscillator.from, oscillator.to, least, most));
    }
  }

  void complain(std::size_t i, const std::string& key, const std::string& text) {
    problems_.push_back(
        {fmt::format("submix[{}].slot[{}].{}", index_, i, key),
         fmt::format("submix \"{}\", slot \"{}\": {}", submix_.name, submix_.slots[i].name, text)});
  }

  const Submix& submix_;
  std::size_t index_;
  const Catalogue& catalogue_;
  const std::string& node_;
  Problems problems_;
};

// The output chain of this submix. Null: its picture passes no chain.
const Submix* chain_of(const Show& show, const Submix& submix) {
  if (std::none_of(submix.slots.begin(), submix.slots.end(), is_shown_at)) return nullptr;
  const auto* chain = show.find_submix(show.output_chain);
  return chain == &submix ? nullptr : chain;
}

// The submix, all submixes used in it at any depth, and the output chain.
std::vector<std::size_t> with_macros(const Show& show, std::size_t submix_index) {
  std::vector<std::size_t> reached{submix_index};
  const auto reach = [&](const Submix* submix) {
    if (submix == nullptr) return;
    const auto index = static_cast<std::size_t>(submix - show.submixes.data());
    if (std::find(reached.begin(), reached.end(), index) == reached.end()) reached.push_back(index);
  };
  reach(chain_of(show, show.submixes[submix_index]));
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const auto& slot : show.submixes[reached[i]].slots)
      reach(show.find_submix(macro_of(slot)));
  }
  return reached;
}

}  // namespace

Result<std::vector<Input>> resolve_inputs(const Submix& submix, std::size_t slot_index,
                                          InputCount inputs) {
  const auto& slot = submix.slots.at(slot_index);
  if (slot.inputs) {
    if (inputs.allows(slot.inputs->size())) return parse_inputs(*slot.inputs);
    return fail("plugin \"{}\" takes {}, but \"inputs\" names {}; name as many slots as it takes",
                slot.plugin, words_of(inputs), slot.inputs->size());
  }
  if (inputs.least == 0) return std::vector<Input>();
  if (inputs.least > 1) {
    return fail("plugin \"{}\" takes {}: say which slots they are, inputs = [\"a\", \"b\"]",
                slot.plugin, words_of(inputs));
  }
  auto above = slot.above.value_or(slot_index == 0 ? "" : submix.slots[slot_index - 1].name);
  if (above.empty()) {
    return fail(
        "plugin \"{}\" takes 1 input, but there is no slot above this one; put a source above it, "
        "or name a slot in \"inputs\"",
        slot.plugin);
  }
  return parse_inputs({std::move(above)});
}

Problems check_plugins(const Show& show, std::size_t submix_index, const Catalogue& catalogue) {
  auto known = catalogue;
  for (const auto& submix : show.submixes)
    known.insert_or_assign(std::string(kMacroPrefix) + submix.name,
                           form_of_macro(show, submix, catalogue));
  Problems problems;
  for (const auto index : with_macros(show, submix_index)) {
    const auto found = PluginCheck(show, index, known, show.submixes[submix_index].node).run();
    problems.insert(problems.end(), found.begin(), found.end());
  }
  std::vector<std::size_t> shown{submix_index};
  if (const auto* chain = chain_of(show, show.submixes[submix_index]))
    shown.push_back(static_cast<std::size_t>(chain - show.submixes.data()));
  const auto loops =
      check_all_loops(show, shown, [&](const Slot& slot) -> std::optional<InputCount> {
        const auto found = known.find(slot.plugin);
        return found == known.end() ? std::nullopt : std::optional(found->second.inputs);
      });
  problems.insert(problems.end(), loops.begin(), loops.end());
  return problems;
}

}  // namespace submix::show
