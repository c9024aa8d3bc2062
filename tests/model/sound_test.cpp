// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/sound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;

// The show does not name "guest".
ClusterView view(show::SoundInput sound = {}) {
  show::Show show;
  show.nodes = {{"left", ""}, {"desk", ""}};
  show.sound = std::move(sound);
  ClusterView view;
  view.show = std::make_shared<const show::Show>(std::move(show));
  for (const auto* name : {"left", "desk", "guest"}) {
    view.nodes.emplace_back().name = name;
    view.nodes.back().health = Health::healthy;
  }
  view.nodes[1].sound_devices = {{"alsa_input.usb", "USB Audio"}, {"hw:1,0", ""}};
  view.nodes[2].sound_devices = {{"hw:0,0", "Mic"}};
  return view;
}

std::vector<std::string> texts(const ClusterView& view) {
  std::vector<std::string> texts;
  for (const auto& choice : sound_choices(view))
    texts.push_back(choice.text);
  return texts;
}

TEST(Sound, IsChosenAmongTheInputsOfTheShowsPcs) {
  EXPECT_THAT(texts(view()), ElementsAre("desk: default input", "desk: USB Audio", "desk: hw:1,0",
                                         "guest: default input", "guest: Mic", "nobody listens"));
  EXPECT_EQ(sound_text(view()), "nobody listens");
  EXPECT_EQ(sound_text(view({"desk", "alsa_input.usb"})), "desk: USB Audio");
  EXPECT_EQ(sound_text(view({"left", "hw:7,0"})), "left: hw:7,0") << "not plugged in";
  auto alone = view();
  alone.nodes[1].health = Health::gone;
  EXPECT_THAT(texts(alone), ElementsAre("guest: default input", "guest: Mic", "nobody listens"));
}

TEST(Sound, MayBeAClipsWhichIsNoDefaultInput) {
  auto playing = view();
  playing.nodes[0].sound_devices = {{"clip:left.clip", "clip in left.clip"}};
  EXPECT_THAT(texts(playing),
              ElementsAre("left: clip in left.clip", "desk: default input", "desk: USB Audio",
                          "desk: hw:1,0", "guest: default input", "guest: Mic", "nobody listens"));
  SetOscillator edit{{"left", "glow"}, "Blur", show::Oscillator()};
  edit.oscillator->waveform = show::Waveform::sound_bass;
  EXPECT_EQ(with_listener(edit, playing), Edit(EditGroup{"", {SetSound{{"desk", ""}}, edit}}));
}

TEST(Sound, IsHeardByTheFirstPcThatCanOnceAParameterFollowsIt) {
  SetOscillator edit{{"left", "glow"}, "Blur", show::Oscillator()};
  EXPECT_EQ(with_listener(edit, view()), Edit(edit)) << "a sine needs nobody who listens";
  edit.oscillator->waveform = show::Waveform::sound_bass;
  EXPECT_EQ(with_listener(edit, view()), Edit(EditGroup{"", {SetSound{{"desk", ""}}, edit}}));
  EXPECT_EQ(with_listener(edit, view({"left", ""})), Edit(edit)) << "somebody listens already";
  auto deaf = view();
  deaf.nodes[1].sound_devices.clear();
  deaf.nodes[2].sound_devices.clear();
  EXPECT_EQ(with_listener(edit, deaf), Edit(edit));
}

TEST(Sound, HasAFirstListenerOnlyWhileNobodyListens) {
  EXPECT_EQ(first_listener(view()), Edit(SetSound{{"desk", ""}}));
  EXPECT_EQ(first_listener(view({"left", ""})), std::nullopt);
  EXPECT_EQ(first_listener(ClusterView()), std::nullopt) << "no show";
}

TEST(Sound, MayBeHeardByAPcThatTheShowDoesNotNameYet) {
  auto show = *view().show;
  ASSERT_TRUE(model::apply(show, listen(show, {"guest", "hw:0,0"})));
  EXPECT_EQ(show.nodes.back().name, "guest");
  EXPECT_EQ(show.sound, (show::SoundInput{"guest", "hw:0,0"}));
}

}  // namespace
}  // namespace submix::model
