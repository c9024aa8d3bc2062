// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_changes.hpp"

#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/references.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/new_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

std::string count_of(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

template <typename Change>
Result<Edit> change_stream(const show::Show& show, const std::string& name, std::string title,
                           const Change& change) {
  auto after = show;
  auto* stream = after.find_stream(name);
  if (stream == nullptr) return show::not_there("stream", name, show.streams);
  change(*stream);
  return difference(show, after, std::move(title));
}

bool is_fed(const show::Show& show, const show::Port& port) {
  return std::ranges::any_of(show.streams,
                             [&](const show::Stream& stream) { return stream.to == port; });
}

// The port of a cable where only the submix is named: its one output, or its first free input.
Result<show::Port> end_of(const show::Show& show, const show::Port& port, std::string_view plugin) {
  if (!port.slot.empty()) return port;
  const auto* submix = show.find_submix(port.submix);
  if (submix == nullptr) return show::not_there("submix", port.submix, show.submixes);
  std::vector<std::string> names;
  for (const auto* slot : show::slots_of_plugin(*submix, plugin)) {
    if (plugin == show::kStreamOutPlugin || !is_fed(show, {port.submix, slot->name}))
      names.push_back(slot->name);
  }
  if (names.empty()) {
    return fail("submix \"{}\" has no {}\"{}\" slot; insert one: submix slot insert {} {}",
                port.submix, plugin == show::kStreamInPlugin ? "free " : "", plugin, port.submix,
                plugin);
  }
  if (names.size() > 1 && plugin == show::kStreamOutPlugin)
    return fail("submix \"{}\" has {} outputs: {}; name one, as {}.{}", port.submix, names.size(),
                fmt::join(names, ", "), port.submix, names.front());
  return show::Port{port.submix, names.front()};
}

// "left", as its submix; "left-mix" where that is taken; "left-mix-2".
std::string free_stream_name(const show::Show& show, const show::Port& from, const show::Port& to) {
  auto base = fmt::format("{}-{}", from.submix, to.submix);
  base.resize(std::min(base.size(), show::kNameBytesMax - 4));  // room for "-128"
  auto name = show::has_named(show.streams, from.submix) ? base : from.submix;
  for (int number = 2; show::has_named(show.streams, name); ++number)
    name = fmt::format("{}-{}", base, number);
  return name;
}

}  // namespace

Result<Edit> add_submix(const show::Show& show, const NewSubmix& submix) {
  SUBMIX_TRY(check_new_name("submix", submix.name, show.submixes));
  auto after = show;
  show::Submix fresh;
  fresh.name = submix.name;
  fresh.node = submix.node;
  show::Slot slot;
  slot.plugin = submix.plugin;
  slot.name = submix.plugin.substr(submix.plugin.rfind('/') + 1);
  if (!show::is_name(slot.name)) slot.name = "source";
  fresh.slots.push_back(std::move(slot));
  after.submixes.push_back(std::move(fresh));
  if (!submix.node.empty() && !show::has_named(after.nodes, submix.node))
    after.nodes.push_back({submix.node, ""});
  return difference(show, after, fmt::format("add submix {}", submix.name));
}

Result<Edit> delete_submix(const show::Show& show, const std::string& name) {
  if (show.find_submix(name) == nullptr) return show::not_there("submix", name, show.submixes);
  if (show.output_chain == name)
    return fail(
        "submix \"{}\" is the chain that outputs are shown through; choose another chain, or none, "
        "first",
        name);
  if (show::stands_in_others(show, name))
    return fail(
        "submix \"{}\" stands in slots of others, as plugin \"{}{}\"; delete those slots first",
        name, show::kMacroPrefix, name);
  auto after = show;
  std::erase_if(after.submixes, [&](const show::Submix& submix) { return submix.name == name; });
  const auto streams = std::erase_if(after.streams, [&](const show::Stream& stream) {
    return stream.from.submix == name || stream.to.submix == name;
  });
  show::forget_missing(after);
  auto title = fmt::format("delete submix {}", name);
  if (streams > 0) title += fmt::format(" and {}", count_of(streams, "stream"));
  return difference(show, after, std::move(title));
}

Result<Edit> rename_submix(const show::Show& show, const std::string& name,
                           const std::string& new_name) {
  if (show.find_submix(name) == nullptr) return show::not_there("submix", name, show.submixes);
  SUBMIX_TRY(check_new_name("submix", new_name, show.submixes, name));
  auto after = show;
  after.find_submix(name)->name = new_name;
  for (auto& stream : after.streams) {
    for (auto* port : {&stream.from, &stream.to}) {
      if (port->submix == name) port->submix = new_name;
    }
  }
  for (auto& submix : after.submixes) {
    for (auto& slot : submix.slots) {
      if (show::macro_of(slot) == name) slot.plugin = std::string(show::kMacroPrefix) + new_name;
    }
  }
  if (after.output_chain == name) after.output_chain = new_name;
  show::follow_rename(after, {name, {}}, {new_name, {}});
  return difference(show, after, fmt::format("rename submix {} to {}", name, new_name));
}

Result<Edit> set_frames_in_flight(const show::Show& show, const std::string& submix, int frames) {
  if (show.find_submix(submix) == nullptr) return show::not_there("submix", submix, show.submixes);
  return SetFramesInFlight{submix, frames};
}

Result<Edit> add_stream(const show::Show& show, const NewStream& stream) {
  const auto from = end_of(show, stream.from, show::kStreamOutPlugin);
  SUBMIX_TRY(from);
  const auto to = end_of(show, stream.to, show::kStreamInPlugin);
  SUBMIX_TRY(to);
  auto after = show;
  show::Stream fresh;
  fresh.policy = kNewStreamPolicy;
  fresh.pause_budget = kNewStreamPauseBudget;
  const auto former = std::ranges::find(after.streams, *to, &show::Stream::to);
  if (stream.replaces_others && former != after.streams.end()) {
    fresh.policy = former->policy;
    fresh.pause_budget = former->pause_budget;
    after.streams.erase(former);
  }
  fresh.name = stream.name.empty() ? free_stream_name(after, *from, *to) : stream.name;
  fresh.from = *from;
  fresh.to = *to;
  SUBMIX_TRY(check_new_name("stream", fresh.name, after.streams));
  auto title = fmt::format("connect {} to {}", show::to_string(*from), show::to_string(*to));
  after.streams.push_back(std::move(fresh));
  return difference(show, after, std::move(title));
}

Result<Edit> delete_stream(const show::Show& show, const std::string& name) {
  if (show.find_stream(name) == nullptr) return show::not_there("stream", name, show.streams);
  auto after = show;
  std::erase_if(after.streams, [&](const show::Stream& stream) { return stream.name == name; });
  return difference(show, after, fmt::format("delete stream {}", name));
}

Result<Edit> rename_stream(const show::Show& show, const std::string& name,
                           const std::string& new_name) {
  if (show.find_stream(name) == nullptr) return show::not_there("stream", name, show.streams);
  SUBMIX_TRY(check_new_name("stream", new_name, show.streams, name));
  return change_stream(show, name, fmt::format("rename stream {} to {}", name, new_name),
                       [&](show::Stream& stream) { stream.name = new_name; });
}

Result<Edit> set_pixels(const show::Show& show, const std::string& stream, PixelFormat pixels) {
  return change_stream(show, stream, fmt::format("{}: pixels {}", stream, show::to_string(pixels)),
                       [&](show::Stream& changed) { changed.pixels = pixels; });
}

Result<Edit> set_checksum(const show::Show& show, const std::string& stream, Checksum checksum) {
  return change_stream(show, stream,
                       fmt::format("{}: checksum {}", stream, show::to_string(checksum)),
                       [&](show::Stream& changed) { changed.checksum = checksum; });
}

Result<Edit> set_encryption(const show::Show& show, const std::string& stream, bool is_encrypted) {
  return change_stream(
      show, stream,
      fmt::format("{}: {} between PCs", stream, is_encrypted ? "encrypted" : "not encrypted"),
      [&](show::Stream& changed) { changed.is_encrypted = is_encrypted; });
}

Result<Edit> set_local(const show::Show& show, const std::string& stream, bool is_allowed) {
  return change_stream(
      show, stream,
      fmt::format("{}: shared memory {}", stream, is_allowed ? "where it can be" : "never"),
      [&](show::Stream& changed) { changed.is_local_allowed = is_allowed; });
}

Result<Edit> add_node(const show::Show& show, const std::string& name,
                      const std::string& description) {
  SUBMIX_TRY(check_new_name("node", name, show.nodes));
  auto after = show;
  after.nodes.push_back({name, description});
  return difference(show, after, fmt::format("add node {}", name));
}

Result<Edit> rename_node(const show::Show& show, const std::string& name,
                         const std::string& new_name) {
  if (!show::has_named(show.nodes, name)) return show::not_there("node", name, show.nodes);
  SUBMIX_TRY(check_new_name("node", new_name, show.nodes, name));
  auto after = show;
  show::find_named(after.nodes, name)->name = new_name;
  for (auto& submix : after.submixes) {
    if (submix.node == name) submix.node = new_name;
  }
  if (after.sound.node == name) after.sound.node = new_name;
  for (auto& cue : after.cues) {
    for (auto& change : cue.changes) {
      auto* assign = std::get_if<show::CueAssign>(&change);
      if (assign != nullptr && assign->node == name) assign->node = new_name;
    }
  }
  return difference(show, after, fmt::format("rename node {} to {}", name, new_name));
}

Result<Edit> delete_node(const show::Show& show, const std::string& name) {
  if (!show::has_named(show.nodes, name)) return show::not_there("node", name, show.nodes);
  for (const auto& submix : show.submixes) {
    if (submix.node == name)
      return fail(
          "node \"{}\" runs submix \"{}\"; let another one run it first: submix assign {} NODE",
          name, submix.name, submix.name);
  }
  auto after = show;
  std::erase_if(after.nodes, [&](const show::Node& node) { return node.name == name; });
  if (after.sound.node == name) after.sound = {};
  show::forget_missing(after);
  return difference(show, after, fmt::format("delete node {}", name));
}

}  // namespace submix::model
