// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_description.hpp"

#include <string>
#include <utility>

namespace submix::io {
namespace {

plugin::ParameterDescription pixels(std::string name, std::string explanation) {
  constexpr double kPixelsMax = 16384;
  auto parameter =
      plugin::number_parameter(std::move(name), std::move(explanation), 0, 0, kPixelsMax);
  parameter.is_integer = true;
  return parameter;
}

}  // namespace

plugin::Description window_description() {
  using plugin::ParameterType;
  return {
      .id = "window",
      .kind = plugin::Kind::output,
      .explanation =
          "Shows the frames in a window, and passes them on; F or a double click: full screen",
      .author = "Submix",
      .parameters = {
          {"title", ParameterType::text, "empty: the names of submix and slot", std::string()},
          {"screen", ParameterType::text,
           "name of the display, as the node reports it; empty: by its number", std::string()},
          {"display",
           ParameterType::number,
           "number of the display, from 0; used without a name, and while its display is missing",
           0.0,
           0.0,
           15.0,
           {},
           true},
          pixels("width",
                 "pixels of the window's width; 0: the picture's own size, in the middle of the "
                 "display"),
          pixels("left", "pixels from the display's left edge to a window with a width"),
          pixels("top", "pixels from the display's upper edge to a window with a width"),
          {"fullscreen", ParameterType::boolean, "covers the whole display", false},
          {"visible", ParameterType::boolean, "off: the window is hidden and the show goes on",
           true},
          {"vsync", ParameterType::boolean,
           "keeps the display's time instead of the show's: a frame stays for the number of its "
           "refreshes that is nearest; one such window a node",
           false},
      }};
}

}  // namespace submix::io
