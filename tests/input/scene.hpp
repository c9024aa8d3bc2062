// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/input/control.hpp"
#include "tests/model/readings.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The small show of tests/model; its plugins have parameters of each type.
namespace submix::input::sample {

inline std::vector<cluster::PluginSummary> plugins() {
  cluster::PluginSummary clip{"clip", "source"};
  clip.parameters = {{"speed", "number", "", 1.0, -4, 4},
                     {"loop", "switch", "", true},
                     {"mode", "text", "", std::string("once"), 0, 1, {"once", "loop", "bounce"}},
                     {"file", "text", "", std::string("a.mkv")}};
  cluster::PluginSummary glow{"frei0r/glow", "filter"};
  glow.parameters = {{"Blur", "number", "", 0.2},
                     {"Border width", "number", "", 0.0, 0, 64},
                     {"tint", "colour", "", std::vector<double>{1, 0.5, 0}}};
  return {clip, glow, {"stream-out", "output"}, {"stream-in", "source"}, {"window", "output"}};
}

inline model::ClusterView view(show::Show show = model::sample::show()) {
  model::ClusterView view;
  view.connection = model::ConnectionState::connected;
  view.show = std::make_shared<const show::Show>(std::move(show));
  std::map<std::string, cluster::PluginSummary, std::less<>> known;
  for (auto& plugin : plugins())
    known.emplace(plugin.id, std::move(plugin));
  view.plugins = std::make_shared<const decltype(known)>(std::move(known));
  for (const auto* name : {"rack1", "rack2"}) {
    view.nodes.emplace_back();
    view.nodes.back().name = name;
  }
  return view;
}

/// A view that orders change, as a session would change it.
class Stage {
 public:
  [[nodiscard]] Scene scene() const { return {view_}; }
  [[nodiscard]] model::ClusterView& view() { return view_; }

  void obey(const std::vector<Order>& orders) {
    for (const auto& order : orders)
      obey(order);
  }
  void obey(const Order& order) {
    if (const auto* edit = std::get_if<session::EditShow>(&order)) change(edit->edit);
    if (const auto* pause = std::get_if<session::SetPaused>(&order))
      view_.transport.is_paused = pause->is_paused;
    if (const auto* black = std::get_if<session::SetBlack>(&order))
      view_.transport.is_black = black->is_black;
    if (const auto* freeze = std::get_if<session::SetFrozen>(&order))
      view_.transport.is_frozen = freeze->is_frozen;
  }
  void change(const model::Edit& edit) {
    auto show = *view_.show;
    static_cast<void>(model::apply(show, edit));
    view_.show = std::make_shared<const show::Show>(std::move(show));
  }
  void set_blur(double value) { change(model::SetParameter{{"left", "glow"}, "Blur", value}); }
  [[nodiscard]] double blur() const {
    return std::get<double>(view_.show->find_slot({"left", "glow"})->parameters.at("Blur"));
  }

 private:
  model::ClusterView view_ = sample::view();
};

}  // namespace submix::input::sample
