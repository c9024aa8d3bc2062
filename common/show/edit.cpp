// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/edit.hpp"

#include "common/show/lookup.hpp"
#include "common/show/references.hpp"
#include "common/show/text.hpp"

#include <algorithm>
#include <utility>

namespace submix::show {
namespace {

Result<Stream*> stream_of(Show& show, std::string_view name) {
  if (auto* stream = show.find_stream(name)) return stream;
  return not_there("stream", name, show.streams);
}

}  // namespace

Result<void> assign(Show& show, std::string_view submix, std::string_view node) {
  const auto found = submix_of(show, submix);
  SUBMIX_TRY(found);
  if (!node.empty() && !is_name(node))
    return fail("node \"{}\" cannot be a name; {}", node.substr(0, 40), kNameRule);
  if (!node.empty() && !has_named(show.nodes, node)) show.nodes.push_back({std::string(node), ""});
  if (!node.empty()) show.sound = sound_after_move(show.sound, **found, node);
  (*found)->node = node;
  return {};
}

Result<void> set_parameter(Show& show, const Port& slot, std::string_view parameter,
                           ParameterValue value) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  (*found)->parameters.insert_or_assign(std::string(parameter), std::move(value));
  std::erase_if((*found)->fades, [&](const auto& fade) { return fade.first == parameter; });
  return {};
}

Result<void> clear_parameter(Show& show, const Port& slot, std::string_view parameter) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  auto& parameters = (*found)->parameters;
  const auto stated = parameters.find(parameter);
  if (stated != parameters.end()) parameters.erase(stated);
  std::erase_if((*found)->fades, [&](const auto& fade) { return fade.first == parameter; });
  return {};
}

Result<void> set_oscillator(Show& show, const Port& slot, std::string_view parameter,
                            std::optional<Oscillator> oscillator) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  auto& oscillators = (*found)->oscillators;
  if (oscillator) {
    if (oscillator->beats)
      oscillator->frequency = Oscillator().frequency;  // a document has only one of the two
    oscillators.insert_or_assign(std::string(parameter), *oscillator);
  } else if (const auto has = oscillators.find(parameter); has != oscillators.end()) {
    oscillators.erase(has);
  }
  return {};
}

Result<void> set_fade(Show& show, const Port& slot, std::string_view parameter,
                      std::optional<Fade> fade) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  auto& fades = (*found)->fades;
  if (fade) {
    fades.insert_or_assign(std::string(parameter), *fade);
  } else {
    std::erase_if(fades, [&](const auto& each) { return each.first == parameter; });
  }
  return {};
}

void forget_fades(Show& show) {
  show.following.reset();
  for (auto& submix : show.submixes) {
    for (auto& slot : submix.slots)
      slot.fades.clear();
  }
}

Result<void> set_links(Show& show, std::string_view stream, int link_count,
                       std::vector<LinkRoute> routes) {
  const auto found = stream_of(show, stream);
  SUBMIX_TRY(found);
  (*found)->link_count = routes.empty() ? link_count : static_cast<int>(routes.size());
  (*found)->routes = std::move(routes);
  return {};
}

Result<void> set_policy(Show& show, std::string_view stream, InputPolicy policy,
                        std::optional<std::chrono::milliseconds> pause_budget) {
  const auto found = stream_of(show, stream);
  SUBMIX_TRY(found);
  (*found)->policy = policy;
  (*found)->pause_budget = pause_budget.value_or((*found)->pause_budget);
  return {};
}

Result<void> set_helpers(Show& show, const Port& slot, int helpers) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  (*found)->helpers = helpers;
  return {};
}

Result<void> set_bypassed(Show& show, const Port& slot, bool is_bypassed) {
  const auto found = slot_of(show, slot);
  SUBMIX_TRY(found);
  (*found)->is_bypassed = is_bypassed;
  return {};
}

}  // namespace submix::show
