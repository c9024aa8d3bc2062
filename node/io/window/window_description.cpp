// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_description.hpp"

namespace submix::io {

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
