// SPDX-License-Identifier: GPL-3.0-or-later
// submix sound list, from, off
#include "controller/model/edit/sound.hpp"
#include "common/show/nearest.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace submix::cli {
namespace {

using Json = nlohmann::ordered_json;

// Null: nobody listens, or the node is not here.
const model::NodeView* listener_in(const model::ClusterView& view) {
  return view.show ? view.find_healthy_node(view.show->sound.node) : nullptr;
}

std::string tempo_text(const HeardTempo& tempo) {
  return tempo.beats_per_minute > 0.0 ? fmt::format("{:.1f} beats a minute", tempo.beats_per_minute)
                                      : "no sure beat";
}

std::string heard_text(const model::ClusterView& view) {
  if (!view.show || view.show->sound.node.empty())
    return "the show follows no sound: submix sound from NODE\n";
  const auto& wanted = view.show->sound;
  const auto input = wanted.device.empty() ? "its default input" : wanted.device;
  const auto* node = listener_in(view);
  if (node == nullptr) return fmt::format("{} would listen, but it is not here\n", wanted.node);
  const auto& [is_listening, sound, trouble, tempo] = node->sound;
  if (!is_listening) return fmt::format("{} does not listen yet\n", wanted.node);
  if (!trouble.empty()) return fmt::format("{} hears nothing: {}\n", wanted.node, trouble);
  return fmt::format(
      "{} listens to {}: level {:.2f}, bass {:.2f}, mids {:.2f}, highs {:.2f}, onset {:.2f}; {}\n",
      wanted.node, input, sound.level, sound.bass, sound.mids, sound.highs, sound.onset,
      tempo_text(tempo));
}

std::string inputs_text(const model::ClusterView& view) {
  Table table({"NODE", "INPUT", "NAME"});
  for (const auto& node : view.nodes) {
    for (const auto& input : node.sound_devices)
      table.add({node.name, input.device, input.name});
  }
  return table.is_empty() ? "no node tells of an input; each looks for inputs every ten seconds\n"
                          : table.text();
}

std::string sound_json(const model::ClusterView& view) {
  auto inputs = Json::array();
  for (const auto& node : view.nodes) {
    for (const auto& input : node.sound_devices)
      inputs.push_back({{"node", node.name}, {"input", input.device}, {"name", input.name}});
  }
  const auto wanted = view.show ? view.show->sound : show::SoundInput();
  const auto* node = listener_in(view);
  const auto heard = node == nullptr ? telemetry::SoundReading() : node->sound;
  const Json whole{{"node", wanted.node},
                   {"input", wanted.device},
                   {"is_listening", heard.is_listening},
                   {"trouble", heard.trouble},
                   {"level", heard.sound.level},
                   {"bass", heard.sound.bass},
                   {"mids", heard.sound.mids},
                   {"highs", heard.sound.highs},
                   {"onset", heard.sound.onset},
                   {"beats_per_minute", heard.tempo.beats_per_minute},
                   {"tempo_confidence", heard.tempo.confidence},
                   {"inputs", std::move(inputs)}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The node may have the input later: a card that is not plugged in yet. Hence --force.
Result<void> check_input(const model::ClusterView& view, const SoundFromOptions& options) {
  const auto* node = view.find_node(options.node);
  if (node == nullptr || options.input.empty()) return {};
  std::vector<std::string> names;
  for (const auto& input : node->sound_devices)
    names.push_back(input.device);
  if (std::ranges::find(names, options.input) != names.end()) return {};
  return fail(
      "node \"{}\" has no input \"{}\"{}; submix sound list tells its inputs, and --force takes it "
      "nevertheless",
      options.node, options.input, show::did_you_mean(options.input, names));
}

int listen(Context& context, const show::SoundInput& input, std::string_view command) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto known = input.node.empty() ? Result<void>() : check_node(cluster, input.node);
  if (!known) return failed(context, known.error().message);
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    return model::listen(show, input);
  };
  return run_edit(context, cluster, {make, command});
}

}  // namespace

int run_sound_list(Context& context, const SoundListOptions&) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  const auto view = (*observer)->measured_view();
  context.out << (context.is_json ? sound_json(view) : heard_text(view) + "\n" + inputs_text(view))
              << std::flush;
  return kOk;
}

int run_sound_from(Context& context, const SoundFromOptions& options) {
  if (options.node.empty())
    return failed(context, "the node's name is empty; submix sound off ends the listening");
  if (const auto checked = show::check_sound_name(options.input); !checked)
    return failed(context, checked.error().message);
  if (!context.is_forced) {
    const auto observer = Observer::start(context);
    if (!observer) return failed(context, observer.error().message);
    if (const auto checked = check_input((*observer)->measured_view(), options); !checked)
      return failed(context, checked.error().message);
  }
  return listen(context, {options.node, options.input}, "sound from");
}

int run_sound_off(Context& context, const SoundOffOptions&) {
  return listen(context, {}, "sound off");
}

}  // namespace submix::cli
