// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the example shows against the plugins installed on this machine.
#include "common/base/files.hpp"
#include "common/show/frei0r_renames.hpp"
#include "common/show/parse.hpp"
#include "common/show/plugin_form.hpp"
#include "node/io/io_plugins.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace submix {
namespace {

show::Catalogue forms_of(const plugin::Catalog& catalog) {
  show::Catalogue forms{{std::string(show::kStreamInPlugin), {0, {}}},
                        {std::string(show::kStreamOutPlugin), {1, {}}}};
  for (const auto& description : catalog.list()) {
    auto& form = forms[description.id];
    form.inputs = plugin::input_count(description.kind);
    for (const auto& parameter : description.parameters) {
      form.parameters.push_back(parameter.name);
      const bool may_move = parameter.type == plugin::ParameterType::number &&
                            description.kind != plugin::Kind::output;
      if (may_move) form.numbers.insert({parameter.name, {parameter.minimum, parameter.maximum}});
    }
  }
  return forms;
}

void expect_values_in_order(const plugin::Catalog& catalog, const show::Slot& slot) {
  const auto description = catalog.describe(slot.plugin);
  if (!description) return;  // the end of a stream; only nodes have these plugins
  for (const auto& [name, value] : slot.parameters) {
    const auto checked = plugin::check_parameter(**description, name, value);
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(checked->remark, "");
  }
}

TEST(Configs, EveryShowFitsThePlugins) {
  plugin::Catalog catalog;
  plugin::add_built_ins(catalog);
  io::add_io_plugins(catalog, {});
  const auto forms = forms_of(catalog);
  for (const auto& entry : std::filesystem::directory_iterator(SUBMIX_CONFIGS "/shows")) {
    SCOPED_TRACE(entry.path());
    const auto show =
        show::parse(read_text_file(entry.path()).value(), entry.path().filename().string());
    ASSERT_TRUE(show) << to_string(show.error());
    for (std::size_t i = 0; i < show->submixes.size(); ++i) {
      EXPECT_EQ(to_string(check_plugins(*show, i, forms)), "");
      for (const auto& slot : show->submixes[i].slots)
        expect_values_in_order(catalog, slot);
    }
  }
}

TEST(Configs, AShowOpensWithTheNamesOfEitherFrei0r) {
  const plugin::Catalog catalog;
  for (const auto& renamed : show::kFrei0rRenames) {
    for (const auto name : {renamed.name, renamed.name_in_two}) {
      const auto text = fmt::format(
          "[show]\nname = \"any\"\nsize = [640, 360]\nrate = 30\n[[node]]\nname = \"any\"\n"
          "[[submix]]\nname = \"any\"\nnode = \"any\"\n[[submix.slot]]\nname = \"effect\"\n"
          "plugin = \"frei0r/{}\"\n",
          name);
      const auto show = show::parse(text, "test");
      ASSERT_TRUE(show) << to_string(show.error());
      EXPECT_TRUE(catalog.describe(show->submixes.at(0).slots.at(0).plugin)) << name;
    }
  }
}

}  // namespace
}  // namespace submix
