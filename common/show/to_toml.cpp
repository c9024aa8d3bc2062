// SPDX-License-Identifier: GPL-3.0-or-later
// Written by hand, since toml++ sorts the keys of a table: people read these files too.
#include "common/show/parse.hpp"
#include "common/show/text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace submix::show {
namespace {

class Writer {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_node(Writer& out, const Node& node) {
  out.line("\n[[node]]\nname = {}", quoted(node.name));
  if (!node.description.empty()) out.line("description = {}", quoted(node.description));
}

void write_slot(Writer& out, const Slot& slot) {
  out.line("\n  [[submix.slot]]\n  name = {}\n  plugin = {}", quoted(slot.name), quoted(slot.plugin));
  if (slot.inputs) {
    std::vector<std::string> names;
    for (const auto& input : *slot.inputs)
      names.push_back(quoted(input));
    out.line("  inputs = [{}]", fmt::join(names, ", "));
  }
  if (slot.is_bypassed) out.line("  bypass = true");
  if (slot.hosting != Slot().hosting) out.line("  host = {}", quoted(to_string(slot.hosting)));
  if (!slot.parameters.empty()) out.line("    [submix.slot.parameters]");
  for (const auto& [name, value] : slot.parameters)
    out.line("    {} = {}", quoted(name), to_string(value));
}

void write_submix(Writer& out, const Submix& submix) {
  out.line("\n[[submix]]\nname = {}", quoted(submix.name));
  if (!submix.node.empty()) out.line("node = {}", quoted(submix.node));
  for (const auto& slot : submix.slots)
    write_slot(out, slot);
}

void write_stream(Writer& out, const Stream& stream) {
  out.line("\n[[stream]]\nname = {}\nfrom = {}\nto = {}\npolicy = {}", quoted(stream.name),
           quoted(to_string(stream.from)), quoted(to_string(stream.to)), quoted(to_string(stream.policy)));
  if (stream.pause_budget != Stream().pause_budget)
    out.line("pause_budget_ms = {}", stream.pause_budget.count());
  if (stream.congestion != Stream().congestion) out.line("congestion = {}", quoted(stream.congestion));
  if (stream.checksum != Stream().checksum) out.line("checksum = {}", quoted(to_string(stream.checksum)));
  if (stream.is_local_allowed != Stream().is_local_allowed)
    out.line("local = {}", quoted(local_to_string(stream.is_local_allowed)));
  if (stream.routes.empty()) return out.line("links = {}", stream.link_count);
  std::vector<std::string> routes;
  for (const auto& route : stream.routes) {
    routes.push_back(fmt::format("{{ from = {}, to = {} }}", quoted(route.from), quoted(route.to)));
  }
  out.line("links = [{}]", fmt::join(routes, ", "));
}

}  // namespace

std::string to_toml(const Show& show) {
  Writer out;
  out.line("[show]\nname = {}\nsize = [{}, {}]\nrate = {}", quoted(show.name), show.size.width,
           show.size.height, quoted(to_string(show.rate)));
  for (const auto& node : show.nodes)
    write_node(out, node);
  for (const auto& submix : show.submixes)
    write_submix(out, submix);
  for (const auto& stream : show.streams)
    write_stream(out, stream);
  return std::move(out).text();
}

}  // namespace submix::show
