// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/pipes.hpp"

#include "common/show/lookup.hpp"
#include "common/show/pipe_plugins.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/patch_wiring.hpp"
#include "controller/model/edit/plugin_kinds.hpp"
#include "controller/model/edit/show_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

Result<void> apply_change(show::Show& show, const Result<Edit>& edit) {
  SUBMIX_TRY(edit);
  return apply(show, *edit);
}

// An output that add_pipe_out() has added has the name of its stream.
bool is_added_by_pipe(const show::Show& show, const show::Port& output) {
  const auto* stream = show::item_named(show.streams, output.slot);
  if (stream == nullptr || stream->from != output) return false;
  const auto* receiver = show.find_submix(stream->to.submix);
  return receiver != nullptr && is_pipe(*receiver);
}

Result<std::string> shown_slot_of(const show::Show& show, const PluginMap& plugins,
                                  const show::Submix& submix) {
  PatchWiring wiring(show, submix, plugins);
  const auto shown = shown_slot(wiring, plugins);
  if (!shown) return fail("submix \"{}\" has no picture; insert a source first", submix.name);
  return *shown;
}

// The stream-out that the pipe's stream begins at. Adds one named `name` where there is none.
Result<show::Port> output_for(show::Show& show, const PluginMap& plugins, const show::Port& from,
                              const std::string& name) {
  const auto submix = show::submix_of(show, from.submix);
  SUBMIX_TRY(submix);
  const auto& slots = (*submix)->slots;
  const auto is_output = [](const show::Slot& slot) {
    return slot.plugin == show::kStreamOutPlugin;
  };
  // A stream-out that a pipe has added may have another slot's picture.
  const auto is_of_the_show = [&](const show::Slot& slot) {
    return is_output(slot) && !is_added_by_pipe(show, {from.submix, slot.name});
  };
  auto read = from.slot;
  if (read.empty()) {
    const auto output = std::ranges::find_if(slots, is_of_the_show);
    if (output != slots.end()) return show::Port{from.submix, output->name};
    const auto shown = shown_slot_of(show, plugins, **submix);
    SUBMIX_TRY(shown);
    read = *shown;
  }
  const auto* slot = show::item_named(slots, read);
  if (slot == nullptr) return show::not_there("slot", read, slots);
  if (is_output(*slot)) return show::Port{from.submix, read};

  // At the end, where it is nobody's input by default.
  show::Slot output;
  output.name = name;
  output.plugin = show::kStreamOutPlugin;
  output.inputs = std::vector<std::string>{read};
  show.find_submix(from.submix)->slots.push_back(std::move(output));
  return show::Port{from.submix, name};
}

show::Stream stream_to_pipe(const show::Port& from, const NewPipeOut& pipe) {
  show::Stream stream;
  stream.name = pipe.name;
  stream.from = from;
  stream.to = {pipe.name, "in"};
  stream.policy = pipe.is_lossless ? show::InputPolicy::wait : show::InputPolicy::latest;
  // A receiver that others wait for is given up after its budget, and then frames are left out.
  if (pipe.is_lossless) stream.pause_budget = show::kPauseBudgetMax;
  return stream;
}

Result<void> remove_output(show::Show& show, const PluginMap& plugins, const show::Port& output) {
  auto& slots = show.find_submix(output.submix)->slots;
  const bool is_last = !slots.empty() && slots.back().name == output.slot;
  if (!is_last) return apply_change(show, delete_slot(show, plugins, output));
  slots.pop_back();
  return {};
}

Result<void> remove_streams_to(show::Show& show, const PluginMap& plugins,
                               const std::string& submix) {
  const auto streams = show.streams;
  for (const auto& stream : streams) {
    if (stream.to.submix != submix) continue;
    SUBMIX_TRY(apply_change(show, delete_stream(show, stream.name)));
    const bool was_added = stream.from.slot == stream.name;
    const bool is_used =
        std::ranges::find(show.streams, stream.from, &show::Stream::from) != show.streams.end();
    if (was_added && !is_used) SUBMIX_TRY(remove_output(show, plugins, stream.from));
  }
  return {};
}

Result<void> remove_submix(show::Show& show, const PluginMap& plugins, const std::string& submix) {
  const bool is_layer = std::ranges::any_of(
      show.streams, [&](const auto& stream) { return stream.from.submix == submix; });
  if (is_layer) {
    // Somebody may have rewired the layer. Its inputs then stay, and show black.
    const auto layer = delete_layer(show, plugins, submix);
    return layer ? apply(show, *layer) : apply_change(show, delete_submix(show, submix));
  }
  SUBMIX_TRY(remove_streams_to(show, plugins, submix));
  return apply_change(show, delete_submix(show, submix));
}

}  // namespace

bool is_pipe(const show::Submix& submix) {
  return std::ranges::any_of(submix.slots, [](const auto& slot) {
    return slot.plugin == show::kPipeOutPlugin || slot.plugin == show::kPipeInPlugin;
  });
}

Result<Edit> add_pipe_out(const show::Show& show, const PluginMap& plugins,
                          const NewPipeOut& pipe) {
  auto after = show;
  const auto from = output_for(after, plugins, pipe.from, pipe.name);
  SUBMIX_TRY(from);
  SUBMIX_TRY(apply_change(after, add_node(after, pipe.name, pipe.description)));
  SUBMIX_TRY(apply_change(after, add_submix(after, {pipe.name, pipe.name})));
  after.find_submix(pipe.name)->slots = {{"in", std::string(show::kStreamInPlugin), {}, {}, false},
                                         {"out", std::string(show::kPipeOutPlugin), {}, {}, false}};
  after.streams.push_back(stream_to_pipe(*from, pipe));
  return difference(
      show, after,
      fmt::format("{} to {}", pipe.from.slot.empty() ? pipe.from.submix : to_string(pipe.from),
                  pipe.description));
}

Result<Edit> add_pipe_in(const show::Show& show, const PluginMap& plugins, const NewPipeIn& pipe) {
  auto layer = pipe.layer;
  layer.plugin = show::kPipeInPlugin;
  auto after = show;
  SUBMIX_TRY(apply_change(after, add_node(after, layer.node, pipe.description)));
  SUBMIX_TRY(apply_change(after, add_layer(after, plugins, layer)));
  if (pipe.is_lossless)
    show::find_named(after.streams, layer.name)->policy = show::InputPolicy::wait;
  return difference(show, after, fmt::format("layer {} from {}", layer.name, pipe.description));
}

std::vector<std::string> pipe_nodes(const show::Show& show) {
  std::vector<std::string> nodes;
  for (const auto& submix : show.submixes) {
    if (is_pipe(submix) && !submix.node.empty()) nodes.push_back(submix.node);
  }
  return nodes;
}

bool has_pipe_node(const show::Show& show, std::string_view node) {
  return std::ranges::any_of(show.submixes, [&](const show::Submix& submix) {
    return submix.node == node && is_pipe(submix);
  });
}

std::set<std::string, std::less<>> neighbors_of_pipe(const show::Show& show,
                                                     const std::string& node) {
  std::set<std::string, std::less<>> neighbors;
  const auto is_of_pipe = [&](const std::string& name) {
    const auto* submix = show::item_named(show.submixes, name);
    return submix != nullptr && submix->node == node;
  };
  for (const auto& stream : show.streams) {
    if (is_of_pipe(stream.from.submix)) neighbors.insert(stream.to.submix);
    if (is_of_pipe(stream.to.submix)) neighbors.insert(stream.from.submix);
  }
  return neighbors;
}

Result<Edit> remove_pipe(const show::Show& show, const PluginMap& plugins,
                         const std::string& node) {
  auto after = show;
  for (const auto& submix : show.submixes) {
    if (submix.node != node) continue;
    if (!is_pipe(submix))
      return fail(
          "node \"{}\" runs submix \"{}\", which is no pipe; move it to another node: submix "
          "assign {} NODE",
          node, submix.name, submix.name);
    SUBMIX_TRY(remove_submix(after, plugins, submix.name));
  }
  if (show::has_named(after.nodes, node)) SUBMIX_TRY(apply_change(after, delete_node(after, node)));
  return difference(show, after, fmt::format("remove pipe {}", node));
}

}  // namespace submix::model
