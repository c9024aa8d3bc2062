// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/missing_performers.hpp"

#include "common/show/lookup.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/model/verdict/bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

using show::InputPolicy;

// Policies that let the show go on after the pause budget.
bool continues_without(InputPolicy policy) {
  return policy == InputPolicy::hold || policy == InputPolicy::black ||
         policy == InputPolicy::standby;
}

bool is_waited_for(const show::Stream& stream) {
  return stream.policy == InputPolicy::wait;
}

bool is_missing(Health health) {
  return health == Health::absent || health == Health::silent || health == Health::gone;
}

}  // namespace

Result<Edit> continue_without(const show::Show& show, std::string_view submix) {
  if (show.find_submix(submix) == nullptr) return show::not_there("submix", submix, show.submixes);
  EditGroup group{fmt::format("go on without {}", submix), {}};
  for (const auto& stream : show.streams) {
    if (stream.from.submix == submix && is_waited_for(stream))
      group.edits.emplace_back(SetPolicy{stream.name, kNewStreamPolicy});
  }
  if (group.edits.empty())
    return fail("nobody waits for \"{}\": its streams have other policies than \"wait\"", submix);
  return group;
}

Result<Edit> wait_again_for(const show::Show& show, std::string_view submix) {
  if (show.find_submix(submix) == nullptr) return show::not_there("submix", submix, show.submixes);
  EditGroup group{fmt::format("wait for {} again", submix), {}};
  for (const auto& stream : show.streams) {
    if (stream.from.submix == submix && continues_without(stream.policy))
      group.edits.emplace_back(SetPolicy{stream.name, InputPolicy::wait});
  }
  if (group.edits.empty())
    return fail("\"{}\" has no stream that others go on without (hold, black, standby)", submix);
  return group;
}

std::vector<std::string> missing_performers(const ClusterView& view) {
  std::vector<std::string> missing;
  if (view.show == nullptr) return missing;
  for (const auto& stream : view.show->streams) {
    const auto* submix = view.show->find_submix(stream.from.submix);
    if (!is_waited_for(stream) || submix == nullptr) continue;
    const auto* node = view.find_node(submix->node);
    const bool is_away = submix->node.empty() || (node != nullptr && is_missing(node->health));
    if (is_away && std::ranges::find(missing, submix->name) == missing.end())
      missing.push_back(submix->name);
  }
  return missing;
}

std::vector<std::string> blocking_performers(const ClusterView& view) {
  auto performers = missing_performers(view);
  if (view.show == nullptr || view.bottleneck == nullptr) return performers;
  const auto& verdict = *view.bottleneck;
  const auto* stream = verdict.stream.empty() ? nullptr : view.show->find_stream(verdict.stream);
  const auto& culprit = stream == nullptr ? verdict.submix : stream->from.submix;
  const bool holds_up = verdict.is_slow() || verdict.kind == Bottleneck::Kind::standstill;
  const bool is_known = std::ranges::find(performers, culprit) != performers.end();
  if (holds_up && !is_known && continue_without(*view.show, culprit)) performers.push_back(culprit);
  return performers;
}

}  // namespace submix::model
