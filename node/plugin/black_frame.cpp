// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/black_frame.hpp"

#include "node/plugin/drawing_surface.hpp"

#include <utility>

namespace submix::plugin {

std::optional<media::Frame> black_frame(Work& work) {
  auto output = work.acquire_output();
  if (!output) return std::nullopt;
  const Size size = output->size();
  DrawingSurface(output->rgba(), size).fill({0, 0, size.width, size.height}, {0, 0, 0, 255});
  return std::move(*output).publish();
}

}  // namespace submix::plugin
