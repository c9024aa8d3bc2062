// SPDX-License-Identifier: GPL-3.0-or-later
// submix layer, slot, submix, stream, node and show: a show's structure
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/editing.hpp"
#include "controller/cli/plugin_check.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/cli/size_text.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::cli {
namespace {

// The submix's new objections after the edit, by the plugins of its node.
Result<void> check_patch(const show::Show& before, const model::Edit& edit,
                         const std::string& submix, const model::PluginMap& plugins) {
  const auto problems_of = [&](const show::Show& show) -> show::Problems {
    std::vector<cluster::PluginSummary> list;
    for (const auto& [id, plugin] : plugins)
      list.push_back(plugin);
    const auto* found = show.find_submix(submix);
    if (found == nullptr) return {};
    return check_submix(show, static_cast<std::size_t>(found - show.submixes.data()), list);
  };
  auto after = before;
  if (auto applied = model::apply(after, edit); !applied) return applied;
  const auto known = problems_of(before);
  for (const auto& problem : problems_of(after)) {
    const bool is_old =
        std::ranges::any_of(known, [&](const auto& old) { return old.text == problem.text; });
    if (!is_old) return fail("{}", problem.text);
  }
  return {};
}

using ChangePatch = std::function<Result<model::Edit>(const show::Show&, const model::PluginMap&,
                                                      const show::Port&)>;

int change_patch(Context& context, const std::string& place, const ChangePatch& change) {
  const auto port = parse_place(place);
  if (!port) return failed(context, port.error().message);
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    const auto plugins = plugins_for(cluster, show, {port->submix});
    auto edit = change(show, plugins, *port);
    if (!edit || plugins.empty()) return edit;
    const auto checked = check_patch(show, *edit, port->submix, plugins);
    return checked ? edit : tl::unexpected(checked.error());
  };
  return run_edit(context, cluster, {make, "slot", port->submix});
}

// The submixes that the streams of a submix lead to.
SubmixNames readers_of(const show::Show& show, const std::string& submix) {
  SubmixNames readers;
  for (const auto& stream : show.streams) {
    if (stream.from.submix == submix) readers.insert(stream.to.submix);
  }
  return readers;
}

using ChangeLayer = std::function<Result<model::Edit>(const show::Show&, const model::PluginMap&)>;

int change_layer(Context& context, const std::string& layer, const char* command,
                 const ChangeLayer& change) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto make = [&](const show::Show& show) {
    return change(show, plugins_for(cluster, show, readers_of(show, layer)));
  };
  return run_edit(context, cluster, {make, command});
}

model::NewLayer layer_of(const LayerOptions& options) {
  model::NewLayer layer{.name = options.layer,
                        .mix = options.mix,
                        .node = options.node,
                        .plugin = options.plugin,
                        .level = options.level};
  if (!options.clip.empty()) model::play_file(layer, options.clip);
  return layer;
}

}  // namespace

int run_slot_insert(Context& context, const SlotOptions& options) {
  return change_patch(
      context, options.slot, [&](const auto& show, const auto& plugins, show::Port above) {
        const auto* submix = show.find_submix(above.submix);
        if (above.slot.empty() && submix != nullptr) above.slot = submix->slots.back().name;
        return model::insert_slot(show, plugins, above, {options.word, options.name});
      });
}

int run_slot_duplicate(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot, model::duplicate_slot);
}

int run_slot_delete(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot, model::delete_slot);
}

int run_slot_move(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot,
                      [&](const auto& show, const auto& plugins, const auto& port) {
                        return model::move_slot(show, plugins, port, options.word);
                      });
}

int run_slot_connect(Context& context, const SlotOptions& options) {
  const auto input = show::parse_input(options.word);
  if (!input) return failed(context, input.error().message);
  return change_patch(context, options.slot,
                      [&](const auto& show, const auto& plugins, const auto& port) {
                        return model::connect_input(show, plugins, port, options.input - 1, *input);
                      });
}

int run_slot_disconnect(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot,
                      [&](const auto& show, const auto& plugins, const auto& port) {
                        return model::disconnect_input(show, plugins, port, options.input - 1);
                      });
}

int run_slot_rename(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot, [&](const auto& show, const auto&, const auto& port) {
    return model::rename_slot(show, port, options.word);
  });
}

int run_slot_replace(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot,
                      [&](const auto& show, const auto& plugins, const auto& port) {
                        return model::replace_plugin(show, plugins, port, options.word);
                      });
}

int run_slot_solo(Context& context, const SlotOptions& options) {
  return change_patch(context, options.slot, model::solo_slot);
}

int run_layer_add(Context& context, const LayerOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  if (const auto checked = check_node(cluster, options.node); !checked)
    return failed(context, checked.error().message);
  const auto make = [&](const show::Show& show) -> Result<model::Edit> {
    auto layer = layer_of(options);
    if (layer.mix.empty()) {
      auto mix = model::find_mix(show);
      SUBMIX_TRY(mix);
      layer.mix = *std::move(mix);
    }
    return model::add_layer(show, plugins_for(cluster, show, {layer.mix}), layer);
  };
  return run_edit(context, cluster, {make, "layer add", options.layer});
}

int run_layer_duplicate(Context& context, const LayerOptions& options) {
  return change_layer(context, options.layer, "layer duplicate",
                      [&](const auto& show, const auto& plugins) {
                        return model::duplicate_layer(show, plugins, options.layer);
                      });
}

int run_layer_move(Context& context, const LayerOptions& options) {
  return change_layer(context, options.layer, "layer move",
                      [&](const auto& show, const auto& plugins) {
                        return model::move_layer(show, plugins, options.layer, options.place);
                      });
}

int run_layer_delete(Context& context, const LayerOptions& options) {
  return change_layer(context, options.layer, "layer delete",
                      [&](const auto& show, const auto& plugins) {
                        return model::delete_layer(show, plugins, options.layer);
                      });
}

int run_submix_add(Context& context, const SubmixOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  if (const auto checked = check_node(connection->cluster(), options.node); !checked)
    return failed(context, checked.error().message);
  auto& cluster = connection->cluster();
  const auto make = [&](const show::Show& show) {
    auto edit = model::add_submix(show, {options.submix, options.node, options.plugin});
    auto after = show;
    if (!edit || !model::apply(after, *edit)) return edit;
    const auto plugins = plugins_for(cluster, after, {options.submix});
    if (plugins.empty()) return edit;
    const auto checked = check_patch(show, *edit, options.submix, plugins);
    return checked ? edit : tl::unexpected(checked.error());
  };
  return run_edit(context, cluster, {make, "submix add", options.submix});
}

int run_submix_delete(Context& context, const SubmixOptions& options) {
  return change_show(
      context, [&](const auto& show) { return model::delete_submix(show, options.submix); },
      "submix delete");
}

int run_submix_rename(Context& context, const SubmixOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::rename_submix(show, options.submix, options.name); },
      "submix rename", options.name);
}

int run_submix_frames(Context& context, const SubmixOptions& options) {
  return change_show(
      context,
      [&](const auto& show) {
        return model::set_frames_in_flight(show, options.submix, options.frames);
      },
      "submix frames", options.submix);
}

int run_stream_add(Context& context, const StreamOptions& options) {
  const auto from = parse_place(options.from);
  if (!from) return failed(context, from.error().message);
  const auto to = parse_place(options.to);
  if (!to) return failed(context, to.error().message);
  return change_show(
      context,
      [&](const auto& show) {
        return model::add_stream(show, {*from, *to, options.stream, options.replaces_others});
      },
      "stream add", from->submix);
}

int run_stream_delete(Context& context, const StreamOptions& options) {
  return change_show(
      context, [&](const auto& show) { return model::delete_stream(show, options.stream); },
      "stream delete");
}

int run_stream_rename(Context& context, const StreamOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::rename_stream(show, options.stream, options.word); },
      "stream rename");
}

int run_stream_pixels(Context& context, const StreamOptions& options) {
  const auto pixels = show::parse_pixels(options.word);
  if (!pixels) return failed(context, pixels.error().message);
  return change_show(
      context, [&](const auto& show) { return model::set_pixels(show, options.stream, *pixels); },
      "stream pixels");
}

int run_stream_checksum(Context& context, const StreamOptions& options) {
  const auto checksum = show::parse_checksum(options.word);
  if (!checksum) return failed(context, checksum.error().message);
  return change_show(
      context,
      [&](const auto& show) { return model::set_checksum(show, options.stream, *checksum); },
      "stream checksum");
}

int run_stream_encrypt(Context& context, const StreamOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::set_encryption(show, options.stream, options.is_on); },
      "stream encrypt");
}

int run_stream_local(Context& context, const StreamOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::set_local(show, options.stream, options.is_on); },
      "stream local");
}

int run_node_add(Context& context, const NodeOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::add_node(show, options.node, options.description); },
      "node add");
}

int run_node_rename(Context& context, const NodeOptions& options) {
  return change_show(
      context,
      [&](const auto& show) { return model::rename_node(show, options.node, options.name); },
      "node rename");
}

int run_node_delete(Context& context, const NodeOptions& options) {
  return change_show(
      context, [&](const auto& show) { return model::delete_node(show, options.node); },
      "node delete");
}

int run_show_name(Context& context, const ShowOptions& options) {
  return change_show(context, always(model::SetShowName{options.word}), "show name");
}

int run_show_size(Context& context, const ShowOptions& options) {
  const auto size = parse_size(options.word);
  if (!size) return failed(context, size.error().message);
  return change_show(context, always(model::SetShowSize{*size}), "show size");
}

int run_show_rate(Context& context, const ShowOptions& options) {
  const auto rate = show::parse_frame_rate(options.word);
  if (!rate) return failed(context, rate.error().message);
  return change_show(context, always(model::SetShowRate{*rate}), "show rate");
}

int run_show_delay(Context& context, const ShowOptions& options) {
  const auto frames = show::parse_delay(options.word);
  if (!frames) return failed(context, frames.error().message);
  return change_show(context, always(model::SetShowDelay{*frames}), "show delay");
}

int run_show_chain(Context& context, const ShowOptions& options) {
  return change_show(context, always(model::SetOutputChain{options.word}), "show chain");
}

}  // namespace submix::cli
