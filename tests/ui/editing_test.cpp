// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a patch and plugs streams with a real mouse and keyboard.
#include "tests/ui/controller_fixture.hpp"

namespace submix::ui {
namespace {

constexpr int kInOutputs =
    26;  // a column of pixels in the boxes of the patch bay's outputs, beside their names

std::vector<std::string> names_of(const show::Show& show, const std::string& submix) {
  std::vector<std::string> names;
  const auto* found = show.find_submix(submix);
  if (found == nullptr) return names;
  for (const auto& slot : found->slots)
    names.push_back(slot.name);
  return names;
}

using Names = std::vector<std::string>;

class EditingTest : public ControllerTest {
 protected:
  EditingTest() { show_.submixes[1].slots.push_back(model::sample::slot("second", "stream-in")); }

  void open_streams() {
    desktop_->press("ctrl+k");
    desktop_->type("show streams");
    desktop_->press("Return");
  }
  [[nodiscard]] std::size_t streams() const { return show_now().streams.size(); }
  [[nodiscard]] std::vector<Point> ports(int x) const {
    return areas_below(desktop_->screenshot(), x, color::kChip, kPortHeightMin);
  }
};

TEST_F(EditingTest, ConnectsAnOutputToAnInputByDraggingAndUndoesIt) {
  start_all();
  open_streams();
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return ports(kInInputs).size() == 2; })) << ports(kInInputs).size();
  const auto outputs = ports(kInOutputs);
  ASSERT_EQ(outputs.size(), 1U);
  const auto inputs = ports(kInInputs);
  desktop_->drag(outputs[0], inputs[1]);
  EXPECT_TRUE(until([&] { return streams() == 2; })) << streams();
  EXPECT_EQ(show_now().streams.back().to.slot, "second");
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return streams() == 1; })) << streams();
}

TEST_F(EditingTest, ChangesNoStreamWhileThePatchBayIsLocked) {
  start_all();
  open_streams();
  desktop_->press("ctrl+l");
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return ports(kInInputs).size() == 2; }));
  desktop_->drag(ports(kInOutputs).front(), ports(kInInputs)[1]);
  desktop_->press("Delete");
  desktop_->press("ctrl+l");
  desktop_->press("Delete");
  EXPECT_TRUE(until([&] { return streams() == 0; }))
      << "unlocked, the key deletes the chosen stream";
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return streams() == 1; })) << "only one edit was made";
}

TEST_F(EditingTest, ConnectsACableAfterASlotWasDeletedByKey) {
  start_all();
  desktop_->press("ctrl+4");
  desktop_->press("Delete");
  const Names left{"clip", "out"};
  ASSERT_TRUE(until([&] { return names_of(show_now(), "left") == left; }))
      << "the slot is not deleted";
  open_streams();
  desktop_->move(kNowhere);
  ASSERT_TRUE(until([&] { return ports(kInInputs).size() == 2 && ports(kInOutputs).size() == 1; }));
  desktop_->drag(ports(kInOutputs)[0], ports(kInInputs)[1]);
  EXPECT_TRUE(until([&] { return streams() == 2; })) << streams();
  desktop_->press("ctrl+z");
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return show_now() == show_; })) << "the window does not go on";
}

// Where things are in a window of 1440x900.
constexpr Point kDevice{1311, 670};
constexpr Point kSecondDevice{1311, 742};

class DevicesTest : public EditingTest {
 protected:
  DevicesTest() { show_.submixes[0].slots[1] = model::sample::slot("camera", "camera-out"); }

  [[nodiscard]] bool becomes(const show::ParameterValue& device) const {
    return until([&] {
      const auto show = show_now();
      const auto* slot = show.find_slot({"left", "camera"});
      return slot != nullptr && slot->parameters.contains("device") &&
             slot->parameters.at("device") == device;
    });
  }
};

TEST_F(DevicesTest, OfACameraOutAreOfferedByTheirNames) {
  start_all();
  desktop_->click(kDevice);
  std::this_thread::sleep_for(500ms);
  desktop_->click(kSecondDevice);
  EXPECT_TRUE(becomes(std::string("video11")));
}

class EditingWithNodesTest : public ControllerWithNodesTest {
 protected:
  // The rows of the chosen slot and the chosen plugin.
  static constexpr std::size_t kPixelsOfTwoRows = 26'000;
};

TEST_F(EditingWithNodesTest, InsertsAPluginFoundByTypingDeletesItAndUndoesBoth) {
  start_all();
  desktop_->press("Insert");
  desktop_->type("stamp");
  ASSERT_TRUE(until([&] { return pixels(color::kChosen) > kPixelsOfTwoRows; }))
      << "no plugin is found";
  desktop_->press("Return");
  const Names inserted{"pattern", "stamp", "stamp-2", "out"};
  ASSERT_TRUE(until([&] { return names_of(show_now(), "left") == inserted; }));
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; })) << "nothing flows through it";
  desktop_->press("Escape");
  desktop_->press("Delete");
  EXPECT_TRUE(until([&] { return names_of(show_now(), "left").size() == 3; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return names_of(show_now(), "left") == inserted; }));
  desktop_->press("ctrl+z");
  EXPECT_TRUE(until([&] { return names_of(show_now(), "left").size() == 3; }));
}

// The field keeps the focus, and typing replaces its text. A typed blank does not pause the show.
TEST_F(EditingWithNodesTest, GoesOnSearchingAfterASearchThatFoundNothing) {
  start_all();
  desktop_->press("Insert");
  desktop_->type("no such thing");
  desktop_->press("Return");
  desktop_->type("strip number");
  ASSERT_TRUE(until([&] { return pixels(color::kChosen) > kPixelsOfTwoRows; }))
      << "no plugin is found";
  desktop_->press("Return");
  const Names inserted{"pattern", "stamp", "stamp-2", "out"};
  EXPECT_TRUE(until([&] { return names_of(show_now(), "left") == inserted; }));
  EXPECT_FALSE(transport().is_paused);
}

// Start_all() gives the show its own slots; new slots are below them.
TEST_F(EditingWithNodesTest, ConnectsACableAfterASlotWasDeletedByKeyWhileFramesFlow) {
  start_all();
  show_.submixes[1].slots.push_back(model::sample::slot("second", "stream-in"));
  show_.submixes[1].slots.push_back(model::sample::slot("nowhere", "null"));
  ASSERT_TRUE(cluster_->put_show({show::to_toml(show_), "test"}, std::nullopt));
  desktop_->press("ctrl+4");
  desktop_->press("Delete");
  ASSERT_TRUE(until([&] { return names_of(show_now(), "left").size() == 2; }))
      << "it is not deleted";
  desktop_->press("ctrl+5");
  desktop_->move(kNowhere);
  const auto ports = [&](int x) {
    return areas_below(desktop_->screenshot(), x, color::kChip, kPortHeightMin);
  };
  ASSERT_TRUE(until([&] { return ports(kInInputs).size() == 2 && ports(kInOutputs).size() == 1; }));
  desktop_->drag(ports(kInOutputs)[0], ports(kInInputs)[1]);
  ASSERT_TRUE(until([&] { return show_now().streams.size() == 2; })) << "it is not connected";
  const auto before = frames_of("mix");
  EXPECT_TRUE(until([&] { return frames_of("mix") > before + 30; })) << "nothing flows";
}

}  // namespace
}  // namespace submix::ui
