// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/stream_plugins.hpp"

#include <utility>

namespace submix::io {

void add_stream_plugins(plugin::Catalog& catalog, StreamEnds ends) {
  using Made = Result<std::unique_ptr<plugin::Plugin>>;
  catalog.add(
      stream_in_description(),
      [open = std::move(ends.open_input)](const plugin::Setup& setup) -> Made {
        auto input = open(setup);
        SUBMIX_TRY(input);
        return make_stream_in(setup, std::move(*input));
      },
      plugin::TryOut::none);
  catalog.add(
      stream_out_description(),
      [open = std::move(ends.open_output)](const plugin::Setup& setup) -> Made {
        auto output = open(setup);
        SUBMIX_TRY(output);
        return make_stream_out(setup, std::move(*output));
      },
      plugin::TryOut::none);
}

}  // namespace submix::io
