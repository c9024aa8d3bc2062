// SPDX-License-Identifier: GPL-3.0-or-later
// Datagrams of Open Sound Control, as the input service receives them, sent to a core with a small
// show.
#include "controller/input/osc_core.hpp"
#include "controller/input/osc_message.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/input/scene.hpp"

#include <string_view>

namespace submix::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  const std::vector<input::OscMessage> messages{
      {"/submix/left/glow/Blur", {0.5F}},
      {"/submix/*/{clip,glow}/[A-Z]*", {std::string("?")}},
      {"/subscribe", {std::string("/submix")}},
      {"/get", {std::string("/bypass/*/*")}},
      {"/bypass/left/*", {true}},
      {"/transport/step", {std::int32_t{1}}},
      {"/tempo", {133.0F}},
      {"/assign/left", {std::string("rack2")}}};
  for (const auto& message : messages)
    seeds.push_back(input::encode_osc(message));
  using std::string_literals::operator""s;
  seeds.push_back("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x10/tempo\0\0,i\0\0\0\0\0\x60"s);
  return seeds;
}

}  // namespace submix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace submix;
  const auto messages = input::decode_osc({reinterpret_cast<const char*>(data), size});
  if (!messages) return 0;
  input::sample::Stage stage;
  input::OscCore core;
  const LocalTime now(std::chrono::hours(1));
  core.begin_datagram();
  for (const auto& message : *messages)
    stage.obey(core.handle(message, {"198.18.0.9", 50'000}, stage.scene(), now).orders);
  static_cast<void>(core.feedback(stage.scene(), now));
  return 0;
}
