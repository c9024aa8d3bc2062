// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"

#include "common/show/circles.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "common/show/validate_parts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace submix::show {
namespace {

// Why a value cannot be taken; empty: it can.
struct ValueFault {
  std::string operator()(bool) const { return {}; }
  std::string operator()(double value) const {
    return std::isfinite(value) ? "" : fmt::format("{} is not a number; give one", value);
  }
  std::string operator()(const std::string& value) const {
    if (value.size() > kTextBytesMax) {
      return fmt::format("text of {} bytes is longer than {}; shorten it", value.size(), kTextBytesMax);
    }
    return is_plain_text(value) ? "" : "text is not UTF-8 or holds control characters; take them out";
  }
  std::string operator()(const std::vector<double>& values) const {
    if (values.empty() || values.size() > kNumbersMax) {
      return fmt::format("{} numbers in a row are not within 1 to {}; a colour has 3, a position 2",
                         values.size(), kNumbersMax);
    }
    for (const double value : values) {
      if (auto fault = (*this)(value); !fault.empty()) return fault;
    }
    return {};
  }
};

// Collects what is wrong, in the order of the document.
class Validation {
 public:
  explicit Validation(const Show& show) : show_(show) {}

  Problems run() {
    check_format();
    check_nodes();
    check_submixes();
    check_streams(show_, problems_);
    return std::move(problems_);
  }

 private:
  void complain(std::string path, std::string text) {
    problems_.push_back({std::move(path), std::move(text)});
  }

  void check_format() {
    if (show_.name.empty() || show_.name.size() > 100 || !is_plain_text(show_.name)) {
      complain("show.name",
               fmt::format("show: name \"{}\" is empty, longer than 100 bytes or not plain text; write "
                           "name = \"duo\"",
                           is_plain_text(show_.name) ? show_.name.substr(0, 40) : "?"));
    }
    if (!is_allowed(show_.size)) {
      complain("show.size",
               fmt::format(
                   "show: size [{}, {}] is not within [{}, {}] to [{}, {}] pixels; write size = [1280, 720]",
                   show_.size.width, show_.size.height, kSmallestSize.width, kSmallestSize.height,
                   kLargestSize.width, kLargestSize.height));
    }
    const auto rate = show_.rate;
    const bool is_rate = rate.denominator != 0 && rate.frames_per_second() >= kFramesPerSecondMin &&
                         rate.frames_per_second() <= kFramesPerSecondMax && rate.numerator <= 1'000'000;
    if (!is_rate) {
      complain("show.rate",
               fmt::format("show: rate {} is not within {} to {} frames per second; write rate = 30 or "
                           "rate = \"30000/1001\"",
                           to_string(rate), kFramesPerSecondMin, kFramesPerSecondMax));
    }
  }

  void check_nodes() {
    check_count(problems_, "node", show_.nodes.size(), kNodesMax);
    std::set<std::string> taken;
    for (std::size_t i = 0; i < show_.nodes.size(); ++i) {
      const auto& node = show_.nodes[i];
      const auto path = fmt::format("node[{}]", i);
      const auto title = fmt::format("node \"{}\"", node.name);
      check_name(problems_, path, title, node.name, taken);
      const auto fault = ValueFault()(node.description);
      if (!fault.empty()) complain(path + ".description", fmt::format("{}: description: {}", title, fault));
    }
  }

  void check_submixes() {
    check_count(problems_, "submix", show_.submixes.size(), kSubmixesMax);
    std::set<std::string> taken;
    const auto nodes = names_of(show_.nodes);
    for (std::size_t i = 0; i < show_.submixes.size(); ++i) {
      const auto& submix = show_.submixes[i];
      const auto path = fmt::format("submix[{}]", i);
      check_name(problems_, path, fmt::format("submix \"{}\"", submix.name), submix.name, taken);
      if (!submix.node.empty() && std::find(nodes.begin(), nodes.end(), submix.node) == nodes.end()) {
        complain(path + ".node",
                 fmt::format(
                     "submix \"{}\": node \"{}\" is not in the show{}; add [[node]] name = \"{}\", or leave "
                     "\"node\" out to assign it later",
                     submix.name, submix.node, did_you_mean(submix.node, nodes), submix.node));
      }
      check_slots(submix, path);
    }
  }

  void check_slots(const Submix& submix, const std::string& path) {
    if (submix.slots.empty() || submix.slots.size() > kSlotsMax) {
      complain(path, fmt::format(
                         "submix \"{}\": {} slots are not within 1 to {}; write one [[submix.slot]] for each "
                         "plugin",
                         submix.name, submix.slots.size(), kSlotsMax));
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < submix.slots.size(); ++i) {
      const auto title = fmt::format("submix \"{}\", slot \"{}\"", submix.name, submix.slots[i].name);
      const auto slot_path = fmt::format("{}.slot[{}]", path, i);
      check_name(problems_, slot_path, title, submix.slots[i].name, taken);
      check_plugin(submix.slots[i], slot_path, title);
      check_inputs(submix, submix.slots[i], slot_path, title);
    }
    check_patch_circle(submix, path);
  }

  void check_plugin(const Slot& slot, const std::string& path, const std::string& title) {
    if (slot.plugin.empty() || slot.plugin.size() > 128 || !is_plain_text(slot.plugin)) {
      complain(path + ".plugin",
               fmt::format("{}: plugin is empty, longer than 128 bytes or not plain text; \"submix "
                           "plugins\" lists the ids",
                           title));
    }
    if (slot.hosting != Slot().hosting && !slot.plugin.starts_with(kFrei0rPrefix)) {
      complain(path + ".host",
               fmt::format("{}: host = \"{}\", but only third-party plugins ({}…) are hosted; "
                           "leave it out",
                           title, to_string(slot.hosting), kFrei0rPrefix));
    }
    if (slot.parameters.size() > kParametersMax) {
      complain(path + ".parameters", fmt::format("{}: {} parameters are more than {}; take some out", title,
                                                 slot.parameters.size(), kParametersMax));
    }
    for (const auto& [name, value] : slot.parameters) {
      const bool is_parameter_name = !name.empty() && name.size() <= 128 && is_plain_text(name);
      auto fault = is_parameter_name ? std::visit(ValueFault(), value)
                                     : "the name is empty, too long or not plain text";
      if (fault.empty()) continue;
      complain(fmt::format("{}.parameters.{}", path, name),
               fmt::format("{}: parameter \"{}\": {}", title, is_parameter_name ? name : "?", fault));
    }
  }

  void check_inputs(const Submix& submix, const Slot& slot, const std::string& path,
                    const std::string& title) {
    if (!slot.inputs) return;
    const auto slots = names_of(submix.slots);
    for (const auto& input : *slot.inputs) {
      if (std::find(slots.begin(), slots.end(), input) != slots.end()) continue;
      complain(path + ".inputs",
               fmt::format("{}: input \"{}\" is not a slot of this submix{}; other submixes are "
                           "reached by a [[stream]] to a \"{}\" slot",
                           title, input, did_you_mean(input, slots), kStreamInPlugin));
    }
    const bool is_stream_in = slot.plugin == kStreamInPlugin;
    const std::size_t inputs = is_stream_in ? 0 : 1;
    if ((is_stream_in || slot.plugin == kStreamOutPlugin) && slot.inputs->size() != inputs) {
      complain(path + ".inputs", fmt::format("{}: \"{}\" takes {} input, but \"inputs\" names {}", title,
                                             slot.plugin, inputs, slot.inputs->size()));
    }
  }

  // Only by the inputs that are stated: what a plugin reads by default is known to check_plugins().
  void check_patch_circle(const Submix& submix, const std::string& path) {
    Graph readers;
    for (const auto& slot : submix.slots) {
      for (const auto& input : slot.inputs.value_or(std::vector<std::string>()))
        readers[input].push_back(slot.name);
    }
    if (const auto circle = find_circle(readers); !circle.empty()) {
      complain(
          path,
          fmt::format("submix \"{}\": slots feed each other in a circle: {}; take one of these names out of "
                      "\"inputs\"",
                      submix.name, circle));
    }
  }

  const Show& show_;
  Problems problems_;
};

}  // namespace

void check_count(Problems& problems, const char* key, std::size_t count, std::size_t limit) {
  if (count <= limit) return;
  problems.push_back(
      {key, fmt::format("show: {} [[{}]] are more than {}; take some out", count, key, limit)});
}

void check_name(Problems& problems, const std::string& path, const std::string& title,
                const std::string& name, std::set<std::string>& taken) {
  if (!is_name(name)) {
    const auto shown_name = is_plain_text(name) ? name.substr(0, 40) : "?";
    problems.push_back(
        {path + ".name", fmt::format("{}: name \"{}\" cannot be used; {}", title, shown_name, kNameRule)});
  } else if (!taken.insert(name).second) {
    problems.push_back({path + ".name",
                        fmt::format("{}: the name \"{}\" is taken already; names must differ", title, name)});
  }
}

Problems validate(const Show& show) {
  return Validation(show).run();
}

}  // namespace submix::show
