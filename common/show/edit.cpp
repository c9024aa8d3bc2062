// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/edit.hpp"

#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "common/show/validate_parts.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

// "; there are left, right, mix", or the one that was probably meant.
template <typename Items>
std::string remedy(std::string_view word, const Items& items) {
  const auto names = names_of(items);
  auto text = did_you_mean(word, names);
  return text.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : text;
}

Result<Submix*> submix_of(Show& show, std::string_view name) {
  if (auto* submix = show.find_submix(name)) return submix;
  return fail("submix \"{}\" is not in the show{}", name, remedy(name, show.submixes));
}

Result<Slot*> slot_of(Show& show, const Port& port) {
  const auto submix = submix_of(show, port.submix);
  if (!submix) return tl::unexpected(submix.error());
  if (auto* slot = show.find_slot(port)) return slot;
  return fail("submix \"{}\" has no slot \"{}\"{}", port.submix, port.slot,
              remedy(port.slot, (*submix)->slots));
}

Result<Stream*> stream_of(Show& show, std::string_view name) {
  if (auto* stream = show.find_stream(name)) return stream;
  return fail("stream \"{}\" is not in the show{}", name, remedy(name, show.streams));
}

}  // namespace

Result<void> assign(Show& show, std::string_view submix, std::string_view node) {
  const auto found = submix_of(show, submix);
  if (!found) return tl::unexpected(found.error());
  if (!node.empty() && !is_name(node))
    return fail("node \"{}\" cannot be a name; {}", node.substr(0, 40), kNameRule);
  const auto nodes = names_of(show.nodes);
  if (!node.empty() && std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
    show.nodes.push_back({std::string(node), ""});
  }
  (*found)->node = node;
  return {};
}

Result<void> set_parameter(Show& show, const Port& slot, std::string_view parameter, ParameterValue value) {
  const auto found = slot_of(show, slot);
  if (!found) return tl::unexpected(found.error());
  (*found)->parameters.insert_or_assign(std::string(parameter), std::move(value));
  return {};
}

Result<void> clear_parameter(Show& show, const Port& slot, std::string_view parameter) {
  const auto found = slot_of(show, slot);
  if (!found) return tl::unexpected(found.error());
  auto& parameters = (*found)->parameters;
  const auto stated = parameters.find(parameter);
  if (stated != parameters.end()) parameters.erase(stated);
  return {};
}

Result<void> set_links(Show& show, std::string_view stream, int link_count, std::vector<LinkRoute> routes) {
  const auto found = stream_of(show, stream);
  if (!found) return tl::unexpected(found.error());
  (*found)->link_count = routes.empty() ? link_count : static_cast<int>(routes.size());
  (*found)->routes = std::move(routes);
  return {};
}

Result<void> set_policy(Show& show, std::string_view stream, InputPolicy policy,
                        std::optional<std::chrono::milliseconds> pause_budget) {
  const auto found = stream_of(show, stream);
  if (!found) return tl::unexpected(found.error());
  (*found)->policy = policy;
  (*found)->pause_budget = pause_budget.value_or((*found)->pause_budget);
  return {};
}

Result<void> set_bypassed(Show& show, const Port& slot, bool is_bypassed) {
  const auto found = slot_of(show, slot);
  if (!found) return tl::unexpected(found.error());
  (*found)->is_bypassed = is_bypassed;
  return {};
}

}  // namespace submix::show
