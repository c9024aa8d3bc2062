// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/diff.hpp"
#include "common/show/parse.hpp"
#include "common/show/validate.hpp"
#include "tests/show/random_show.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

TEST(ToToml, KeepsTheMeaningOfRandomShows) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto show = random_show(random);
    ASSERT_EQ(to_string(validate(show)), "");
    const auto text = to_toml(show);
    const auto again = parse(text, "random");
    ASSERT_TRUE(again) << to_string(again.error()) << "\n" << text;
    ASSERT_EQ(*again, show) << text;
    ASSERT_EQ(to_toml(*again), text);
  }
}

TEST(ToToml, QuotesKeysOnlyWhereTomlWantsIt) {
  Show show;
  show.name = "duo";
  Slot glow{"glow", "frei0r/glow", {{"Blur", 0.1}, {"Border width", 2.0}, {"", 1.0}}, {}};
  glow.oscillators = {{"a-b_9", Oscillator()}};
  show.submixes = {{"left", "", {glow}}};
  const auto text = to_toml(show);
  for (const auto* line : {"\n    Blur = 0.1\n", "\n    \"Border width\" = 2\n", "\n    \"\" = 1\n",
                           "\n    a-b_9 = {"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

// Applies the tuned slots of diff(before, after) to `before`; the result must equal `after`.
TEST(Diff, TellsAllThatChangedOverRandomEdits) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto before = random_show(random);
    auto after = before;
    for (int i = 0; i < 5; ++i)
      edit_randomly(after, random);
    const auto difference = diff(before, after);
    for (const auto& change : difference.tuned) {
      auto* slot = before.find_slot(change.slot);
      ASSERT_NE(slot, nullptr);
      for (const auto& [name, value] : change.parameters) {
        slot->parameters.erase(name);
        if (value) slot->parameters.emplace(name, *value);
      }
      slot->is_bypassed = change.is_bypassed.value_or(slot->is_bypassed);
    }
    for (const auto& moved : difference.moved)
      before.find_submix(moved)->node = after.find_submix(moved)->node;
    ASSERT_EQ(before, after);
    ASSERT_TRUE(diff(after, after).is_empty());
  }
}

}  // namespace
}  // namespace submix::show
