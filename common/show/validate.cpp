// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/validate.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/loops.hpp"
#include "common/show/macros.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "common/show/validate_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace submix::show {
namespace {

// Why a value is invalid. Empty: it is valid.
struct ValueFault {
  std::string operator()(bool) const { return {}; }
  std::string operator()(double value) const {
    return std::isfinite(value) ? "" : fmt::format("{} is not a number; give one", value);
  }
  std::string operator()(const std::string& value) const {
    if (value.size() > kTextBytesMax) {
      return fmt::format("text of {} bytes is longer than {}; shorten it", value.size(),
                         kTextBytesMax);
    }
    return is_plain_text(value) ? ""
                                : "text is not UTF-8 or holds control characters; take them out";
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

// Checks that there are at most `limit` tables `[[key]]`.
void check_count(Problems& problems, const char* key, std::size_t count, std::size_t limit) {
  if (count <= limit) return;
  problems.push_back(
      {key, fmt::format("show: {} [[{}]] are more than {}; take some out", count, key, limit)});
}

// Collects faults in the order of the document.
class Validation {
 public:
  explicit Validation(const Show& show) : show_(show) {}

  Problems run() {
    check_counts();
    check_format();
    check_nodes();
    check_sound();
    check_submixes();
    if (check_macros(show_, problems_)) check_paths();
    check_streams(show_, problems_);
    check_performing(show_, problems_);
    shorten(problems_);
    return std::move(problems_);
  }

 private:
  void complain(std::string path, std::string text) {
    problems_.push_back({std::move(path), std::move(text)});
  }

  // Checked first, so that a long list of other errors cannot hide these problems.
  void check_counts() {
    check_count(problems_, "node", show_.nodes.size(), kNodesMax);
    check_count(problems_, "submix", show_.submixes.size(), kSubmixesMax);
    for (std::size_t i = 0; i < show_.submixes.size() && !is_full(problems_); ++i)
      check_slot_count(show_.submixes[i], i);
    check_count(problems_, "stream", show_.streams.size(), kStreamsMax);
    check_count(problems_, "knob", show_.knobs.size(), kKnobsMax);
    check_count(problems_, "preset", show_.presets.size(), kPresetsMax);
    check_count(problems_, "cue", show_.cues.size(), kCuesMax);
  }

  void check_slot_count(const Submix& submix, std::size_t i) {
    if (!submix.slots.empty() && submix.slots.size() <= kSlotsMax) return;
    complain(
        fmt::format("submix[{}]", i),
        fmt::format(
            "submix \"{}\": {} slots are not within 1 to {}; write one [[submix.slot]] for each "
            "plugin",
            submix.name, submix.slots.size(), kSlotsMax));
  }

  void check_format() {
    if (show_.name.empty() || show_.name.size() > 100 || !is_one_plain_line(show_.name)) {
      complain("show.name",
               fmt::format("show: name \"{}\" is empty, longer than 100 bytes or not one line of "
                           "plain text; write name = \"duo\"",
                           is_one_plain_line(show_.name) ? show_.name.substr(0, 40) : "?"));
    }
    if (!is_allowed(show_.size)) {
      complain("show.size",
               fmt::format("show: size [{}, {}] is not within [{}, {}] to [{}, {}] pixels; write "
                           "size = [1280, 720]",
                           show_.size.width, show_.size.height, kSmallestSize.width,
                           kSmallestSize.height, kLargestSize.width, kLargestSize.height));
    }
    const auto rate = show_.rate;
    const bool is_rate = rate.denominator != 0 && rate.frames_per_second() >= kFramesPerSecondMin &&
                         rate.frames_per_second() <= kFramesPerSecondMax &&
                         rate.numerator <= 1'000'000;
    if (!is_rate) {
      complain(
          "show.rate",
          fmt::format("show: rate {} is not within {} to {} frames per second; write rate = 30 or "
                      "rate = \"30000/1001\"",
                      to_string(rate), kFramesPerSecondMin, kFramesPerSecondMax));
    }
    check_tempo(show_.tempo, problems_);
    const bool is_delay_allowed =
        show_.delay_frames == 0 ||
        (show_.delay_frames >= kDelayFramesMin && show_.delay_frames <= kDelayFramesMax);
    if (!is_delay_allowed) {
      complain(
          "show.delay",
          fmt::format("show: delay = {} is not within {} to {} frames; write delay = {}, or leave "
                      "it out for the least delay",
                      show_.delay_frames, kDelayFramesMin, kDelayFramesMax, kDelayFramesMax));
    }
  }

  // Some plugin families take only sizes of whole blocks. Reported once, not for each slot.
  void check_nodes() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < show_.nodes.size() && !is_full(problems_); ++i) {
      const auto& node = show_.nodes[i];
      const auto path = fmt::format("node[{}]", i);
      const auto title = fmt::format("node \"{}\"", node.name);
      check_name(problems_, path, title, node.name, taken);
      const auto fault = ValueFault()(node.description);
      if (!fault.empty())
        complain(path + ".description", fmt::format("{}: description: {}", title, fault));
    }
  }

  void check_sound() {
    const auto& [node, device] = show_.sound;
    if (show_.sound == SoundInput()) return;
    const auto nodes = names_of(show_.nodes);
    if (std::ranges::find(nodes, node) == nodes.end()) {
      complain("show.sound.node",
               fmt::format("show, sound: node \"{}\" is not in the show{}; name the node that "
                           "listens, or leave \"sound\" out",
                           plain_text(node, 40), did_you_mean(node, nodes)));
    }
    if (const auto checked = check_sound_name(device); !checked)
      complain("show.sound.device", "show, sound: " + checked.error().message);
  }

  void check_submixes() {
    std::set<std::string> taken;
    const auto nodes = names_of(show_.nodes);
    for (std::size_t i = 0; i < show_.submixes.size() && !is_full(problems_); ++i) {
      const auto& submix = show_.submixes[i];
      const auto path = fmt::format("submix[{}]", i);
      check_name(problems_, path, fmt::format("submix \"{}\"", submix.name), submix.name, taken);
      if (!submix.node.empty() &&
          std::find(nodes.begin(), nodes.end(), submix.node) == nodes.end()) {
        complain(
            path + ".node",
            fmt::format("submix \"{}\": node \"{}\" is not in the show{}; add [[node]] name = "
                        "\"{}\", or leave \"node\" out to assign it later",
                        submix.name, submix.node, did_you_mean(submix.node, nodes), submix.node));
      }
      check_slots(submix, path);
    }
  }

  void check_slots(const Submix& submix, const std::string& path) {
    if (submix.frames_in_flight < 0 || submix.frames_in_flight > kFramesInFlightMax) {
      complain(
          path + ".frames_in_flight",
          fmt::format(
              "submix \"{}\": frames_in_flight = {} is not within 1 to {}; leave it out to have as "
              "many as the longest path needs",
              submix.name, submix.frames_in_flight, kFramesInFlightMax));
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < submix.slots.size() && !is_full(problems_); ++i) {
      const auto title =
          fmt::format("submix \"{}\", slot \"{}\"", submix.name, submix.slots[i].name);
      const auto slot_path = fmt::format("{}.slot[{}]", path, i);
      check_name(problems_, slot_path, title, submix.slots[i].name, taken);
      check_plugin(submix.slots[i], slot_path, title);
      check_inputs(submix, submix.slots[i], slot_path, title);
    }
  }

  void check_plugin(const Slot& slot, const std::string& path, const std::string& title) {
    if (slot.plugin.empty() || slot.plugin.size() > 128 || !is_plain_text(slot.plugin)) {
      complain(path + ".plugin",
               fmt::format("{}: plugin is empty, longer than 128 bytes or not plain text; \"submix "
                           "plugins\" lists the ids",
                           title));
    }
    if (slot.helpers < 1 || slot.helpers > kHelpersMax) {
      complain(path + ".helpers",
               fmt::format(
                   "{}: helpers = {} is not within 1 to {}; take one for each core that shall work "
                   "at it",
                   title, slot.helpers, kHelpersMax));
    }
    if ((slot.helpers != 1 || slot.is_stateless) && !macro_of(slot).empty()) {
      complain(path + ".helpers",
               fmt::format("{}: a submix stands here; give helpers to slots of it", title));
    }
    check_values(slot, path, title, problems_);
    check_fades(slot, path, title, problems_);
  }

  void check_inputs(const Submix& submix, const Slot& slot, const std::string& path,
                    const std::string& title) {
    if (!slot.inputs) return;
    const auto slots = names_of(submix.slots);
    for (const auto& text : *slot.inputs) {
      if (is_full(problems_)) return;
      const auto parsed = parse_input(text);
      if (!parsed) {
        complain(path + ".inputs", fmt::format("{}: {}", title, parsed.error().message));
        continue;
      }
      if (parsed->delay > 0 && &text == &slot.inputs->front()) {
        complain(path + ".inputs",
                 fmt::format("{}: input \"{}\": {}", title, text, kFirstInputRule));
      }
      const auto& input = parsed->slot;
      if (std::find(slots.begin(), slots.end(), input) != slots.end()) continue;
      complain(path + ".inputs",
               fmt::format("{}: input \"{}\" is not a slot of this submix{}; other submixes are "
                           "reached by a [[stream]] to a \"{}\" slot",
                           title, input, did_you_mean(input, slots), kStreamInPlugin));
    }
    const bool is_stream_in = slot.plugin == kStreamInPlugin;
    const std::size_t inputs = is_stream_in ? 0 : 1;
    if ((is_stream_in || slot.plugin == kStreamOutPlugin) && slot.inputs->size() != inputs) {
      complain(path + ".inputs", fmt::format("{}: \"{}\" takes {} input, but \"inputs\" names {}",
                                             title, slot.plugin, inputs, slot.inputs->size()));
    }
  }

  // Considers only stated inputs, and the inputs of submixes and outputs, which pass frames on.
  // check_plugins() knows the default inputs of plugins.
  void check_paths() {
    std::vector<std::size_t> all(show_.submixes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto found = check_all_loops(show_, all, [](const Slot&) { return std::nullopt; });
    std::move(found.begin(), found.end(), std::back_inserter(problems_));
  }

  const Show& show_;
  Problems problems_;
};

}  // namespace

std::string value_fault(const ParameterValue& value) {
  return std::visit(ValueFault(), value);
}

void check_values(const Slot& slot, const std::string& path, const std::string& title,
                  Problems& problems) {
  if (slot.parameters.size() > kParametersMax) {
    problems.push_back(
        {path + ".parameters", fmt::format("{}: {} parameters are more than {}; take some out",
                                           title, slot.parameters.size(), kParametersMax)});
  }
  for (const auto& [name, value] : slot.parameters) {
    if (is_full(problems)) return;
    const bool is_parameter_name =
        !name.empty() && name.size() <= kParameterNameBytesMax && is_plain_text(name);
    auto fault =
        is_parameter_name ? value_fault(value) : "the name is empty, too long or not plain text";
    if (fault.empty()) continue;
    problems.push_back(
        {fmt::format("{}.parameters.{}", path, name),
         fmt::format("{}: parameter \"{}\": {}", title, is_parameter_name ? name : "?", fault)});
  }
  check_oscillators(slot, path, title, problems);
}

void check_name(Problems& problems, const std::string& path, const std::string& title,
                const std::string& name, std::set<std::string>& taken) {
  if (!is_name(name)) {
    const auto shown_name = is_plain_text(name) ? name.substr(0, 40) : "?";
    problems.push_back({path + ".name", fmt::format("{}: name \"{}\" cannot be used; {}", title,
                                                    shown_name, kNameRule)});
  } else if (!taken.insert(name).second) {
    problems.push_back(
        {path + ".name",
         fmt::format("{}: the name \"{}\" is taken already; names must differ", title, name)});
  }
}

Problems validate(const Show& show) {
  return Validation(show).run();
}

}  // namespace submix::show
