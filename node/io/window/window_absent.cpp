// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_description.hpp"

namespace submix::io {

void add_window_plugin(plugin::Catalog& catalog, std::shared_ptr<OutputControl> /*output*/,
                       std::shared_ptr<Displays> /*displays*/) {
  catalog.add(window_description(),
              [](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                return fail(
                    "{}: this node was built without windows; build it with -DSUBMIX_WINDOW=ON, "
                    "or remove the slot",
                    setup.about());
              });
}

}  // namespace submix::io
