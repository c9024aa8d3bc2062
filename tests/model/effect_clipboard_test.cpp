// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/effect_clipboard.hpp"

#include "tests/model/edited.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

class EffectClipboardTest : public ::testing::Test {
 protected:
  EffectClipboardTest() {
    for (const auto* id : {"frei0r/glow", "frei0r/tint0r"})
      plugins_[id] = {.id = id, .kind = "filter"};
    plugins_["pattern"] = {.id = "pattern", .kind = "source"};
    plugins_["null"] = {.id = "null", .kind = "output"};
    show_.name = "club";
    show_.size = {320, 176};
    for (const auto* name : {"left", "right"}) {
      show_.submixes.push_back({.name = name, .node = {}, .slots = {}});
      show_.submixes.back().slots = {
          {.name = "pattern", .plugin = "pattern", .parameters = {}, .inputs = {}},
          {.name = "end", .plugin = "null", .parameters = {}, .inputs = {}}};
    }
    glow_ = {.name = "glow", .plugin = "frei0r/glow", .parameters = {{"Blur", 0.25}}, .inputs = {}};
    glow_.is_bypassed = true;
    glow_.oscillators["Blur"] = {.from = 0.1, .to = 0.4};
  }
  [[nodiscard]] std::vector<std::string> plugins_of(const show::Show& show,
                                                    const std::string& submix) const {
    std::vector<std::string> ids;
    for (const auto& slot : show.find_submix(submix)->slots)
      ids.push_back(slot.plugin);
    return ids;
  }

  PluginMap plugins_;
  show::Show show_;
  show::Slot glow_;
};

TEST_F(EffectClipboardTest, KeepsAllOfAnEffectInItsText) {
  glow_.inputs = {{"pattern"}};
  const auto again = effects_in(text_of_effects({glow_}));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->size(), 1U);
  glow_.inputs.reset();
  EXPECT_EQ(again->front(), glow_);
}

TEST_F(EffectClipboardTest, PastesBehindASlotInTheirOrderAsOneEdit) {
  show::Slot tint{.name = "tint0r", .plugin = "frei0r/tint0r", .parameters = {}, .inputs = {}};
  const auto edit = paste_effects(show_, plugins_, {"right", "pattern"}, {glow_, tint});
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(title(*edit), "paste 2 effects into right");
  auto after = show_;
  ASSERT_TRUE(model::apply(after, *edit));
  EXPECT_THAT(plugins_of(after, "right"),
              ::testing::ElementsAre("pattern", "frei0r/glow", "frei0r/tint0r", "null"));
  EXPECT_EQ(after.find_submix("left")->slots.size(), 2U);
  EXPECT_EQ(after.find_slot({"right", "glow"})->parameters, glow_.parameters);
}

TEST_F(EffectClipboardTest, GivesANewNameWhereTheNameIsTaken) {
  auto after = show_;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(model::apply(after, *paste_effects(after, plugins_, {"left", "pattern"}, {glow_})));
  EXPECT_NE(after.find_slot({"left", "glow"}), nullptr);
  EXPECT_NE(after.find_slot({"left", "glow-2"}), nullptr);
}

TEST_F(EffectClipboardTest, RefusesWhatIsNoEffect) {
  EXPECT_THAT(why(effects_in("rm -rf /")), HasSubstr("copy one first"));
  EXPECT_THAT(why(effects_in("")), HasSubstr("copy one first"));
  EXPECT_THAT(why(effects_in(std::string(kEffectsTextBytesMax + 1, 'x'))), HasSubstr("bytes"));
  show::Slot source{.name = "pattern", .plugin = "pattern", .parameters = {}, .inputs = {}};
  EXPECT_THAT(why(paste_effects(show_, plugins_, {"left", "pattern"}, {source})),
              HasSubstr("\"pattern\" is no effect"));
}

TEST_F(EffectClipboardTest, TakesTheFiltersOfALayerOnly) {
  show_.submixes[0].slots.insert(show_.submixes[0].slots.begin() + 1, glow_);
  const auto effects = effects_of(show_.submixes[0], plugins_);
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0].plugin, "frei0r/glow");
}

}  // namespace
}  // namespace submix::model
