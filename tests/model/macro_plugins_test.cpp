// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/macro_plugins.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

cluster::PluginSummary plugin(std::string id,
                              std::vector<cluster::ParameterSummary> parameters = {}) {
  return {std::move(id), "filter", "", "", std::move(parameters)};
}

show::Slot slot(std::string name, std::string plugin, show::Parameters parameters = {}) {
  return {std::move(name), std::move(plugin), std::move(parameters), {}, false};
}

show::Show show_with_look() {
  show::Show show;
  show.submixes = {
      {"mix", "desk", {slot("a", "clip"), slot("l", "submix/twice")}},
      {"twice",
       "",
       {slot("in", "stream-in"), slot("look", "submix/look"), slot("out", "stream-out")}},
      {"look",
       "",
       {slot("in", "stream-in"), slot("blur", "blur", {{"Amount", 0.25}}),
        slot("out", "stream-out")}}};
  return show;
}

PluginMap node_plugins() {
  PluginMap plugins;
  for (auto& each : {plugin("stream-in"), plugin("stream-out"),
                     plugin("blur", {{"Amount", "number", "how much", 0.5, 0, 2, {}}})})
    plugins.emplace(each.id, each);
  return plugins;
}

TEST(WithMacros, DescribesASubmixByTheParametersOfItsSlots) {
  const auto plugins = with_macros(node_plugins(), show_with_look());
  const auto& look = plugins.at("submix/look");
  ASSERT_EQ(look.parameters.size(), 1U);
  EXPECT_EQ(look.parameters[0].name, "blur.Amount");
  EXPECT_EQ(look.parameters[0].initial, show::ParameterValue(0.25)) << "what the submix states";
  EXPECT_EQ(look.parameters[0].maximum, 2);
  EXPECT_EQ(plugins.at("submix/twice").parameters.at(0).name, "look.blur.Amount");
}

TEST(WithMacros, LeavesOutWhatHasNoOutputOrAPluginThatNobodyHasDescribed) {
  auto plugins = node_plugins();
  plugins.erase("blur");
  const auto known = with_macros(plugins, show_with_look());
  EXPECT_FALSE(known.contains("submix/look"));
  EXPECT_FALSE(known.contains("submix/twice"));
  EXPECT_FALSE(known.contains("submix/mix"));
}

}  // namespace
}  // namespace submix::model
