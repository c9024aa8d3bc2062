// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_form.hpp"

#include "common/show/circles.hpp"
#include "common/show/nearest.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

std::string names_of(std::size_t inputs) {
  return inputs == 1 ? "1 input" : fmt::format("{} inputs", inputs);
}

std::vector<std::string> ids_of(const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto& [id, form] : catalogue)
    ids.push_back(id);
  return ids;
}

// Collects what is wrong with the slots of one submix.
class PluginCheck {
 public:
  PluginCheck(const Show& show, std::size_t submix_index, const Catalogue& catalogue)
      : submix_(show.submixes[submix_index]), index_(submix_index), catalogue_(catalogue) {}

  Problems run() {
    for (std::size_t i = 0; i < submix_.slots.size(); ++i)
      check(i);
    if (const auto circle = find_circle(readers_); !circle.empty()) {
      problems_.push_back(
          {fmt::format("submix[{}]", index_),
           fmt::format("submix \"{}\": slots feed each other in a circle: {}; take one of these "
                       "names out of \"inputs\"",
                       submix_.name, circle)});
    }
    return std::move(problems_);
  }

 private:
  void check(std::size_t i) {
    const auto& slot = submix_.slots[i];
    const auto found = catalogue_.find(slot.plugin);
    if (found == catalogue_.end()) {
      complain(i, "plugin",
               fmt::format("plugin \"{}\" is not on node \"{}\"{}; \"submix plugins\" lists what is",
                           slot.plugin, submix_.node, did_you_mean(slot.plugin, ids_of(catalogue_))));
      return;
    }
    check_parameters(i, found->second);
    const auto inputs = resolve_inputs(submix_, i, found->second.inputs);
    if (!inputs) return complain(i, "inputs", inputs.error().message);
    for (const auto& input : *inputs)
      readers_[input].push_back(slot.name);
  }

  void check_parameters(std::size_t i, const PluginForm& form) {
    for (const auto& [name, value] : submix_.slots[i].parameters) {
      if (std::find(form.parameters.begin(), form.parameters.end(), name) != form.parameters.end()) continue;
      complain(i, fmt::format("parameters.{}", name),
               fmt::format("plugin \"{}\" has no parameter \"{}\"{}; \"submix plugins {}\" lists them",
                           submix_.slots[i].plugin, name, did_you_mean(name, form.parameters),
                           submix_.slots[i].plugin));
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
  Graph readers_;
  Problems problems_;
};

}  // namespace

Result<std::vector<std::string>> resolve_inputs(const Submix& submix, std::size_t slot_index,
                                                std::size_t inputs) {
  const auto& slot = submix.slots.at(slot_index);
  if (slot.inputs) {
    if (slot.inputs->size() == inputs) return *slot.inputs;
    return fail("plugin \"{}\" takes {}, but \"inputs\" names {}; name as many slots as it takes",
                slot.plugin, names_of(inputs), slot.inputs->size());
  }
  if (inputs == 0) return std::vector<std::string>();
  if (inputs > 1) {
    return fail("plugin \"{}\" takes {}: say which slots they are, inputs = [\"a\", \"b\"]", slot.plugin,
                names_of(inputs));
  }
  if (slot_index == 0) {
    return fail(
        "plugin \"{}\" takes 1 input, but there is no slot above this one; put a source above it, or name a "
        "slot in \"inputs\"",
        slot.plugin);
  }
  return std::vector<std::string>{submix.slots[slot_index - 1].name};
}

Problems check_plugins(const Show& show, std::size_t submix_index, const Catalogue& catalogue) {
  return PluginCheck(show, submix_index, catalogue).run();
}

}  // namespace submix::show
