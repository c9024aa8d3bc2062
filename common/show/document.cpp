// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/document.hpp"

#include "common/show/lookup.hpp"

namespace submix::show {

const Submix* Show::find_submix(std::string_view submix_name) const {
  return item_named(submixes, submix_name);
}

Submix* Show::find_submix(std::string_view submix_name) {
  return item_named(submixes, submix_name);
}

const Stream* Show::find_stream(std::string_view stream_name) const {
  return item_named(streams, stream_name);
}

Stream* Show::find_stream(std::string_view stream_name) {
  return item_named(streams, stream_name);
}

const Slot* Show::find_slot(const Port& port) const {
  const auto* submix = find_submix(port.submix);
  return submix == nullptr ? nullptr : item_named(submix->slots, port.slot);
}

Slot* Show::find_slot(const Port& port) {
  auto* submix = find_submix(port.submix);
  return submix == nullptr ? nullptr : item_named(submix->slots, port.slot);
}

}  // namespace submix::show
