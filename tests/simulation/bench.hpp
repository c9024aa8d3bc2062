// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>
#include <utility>

namespace submix::simulation::sample {

inline show::Slot slot(std::string name, std::string plugin) {
  show::Slot slot;
  slot.name = std::move(name);
  slot.plugin = std::move(plugin);
  return slot;
}

/// left: source, look, out -> stream "left" -> mix: in, screen. left runs on a, mix on b.
inline show::Show duo() {
  show::Show show;
  show.name = "duo";
  show.nodes = {{"a", ""}, {"b", ""}};
  show.submixes.push_back(
      {"left",
       "a",
       {slot("source", "pattern"), slot("look", "frei0r/glow"), slot("out", "stream-out")}});
  show.submixes.push_back({"mix", "b", {slot("in", "stream-in"), slot("screen", "window")}});
  show::Stream stream;
  stream.name = "left";
  stream.from = {"left", "out"};
  stream.to = {"mix", "in"};
  show.streams.push_back(stream);
  return show;
}

}  // namespace submix::simulation::sample
