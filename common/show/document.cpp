// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/document.hpp"

#include <algorithm>

namespace submix::show {
namespace {

// An empty name finds nothing, even if a thing in the show still has no name. Otherwise a slot that
// stands for no submix would stand for the unnamed one.
template <typename Items>
auto* find_named(Items& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) {
    return !name.empty() && item.name == name;
  });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const Submix* Show::find_submix(std::string_view submix_name) const {
  return find_named(submixes, submix_name);
}

Submix* Show::find_submix(std::string_view submix_name) {
  return find_named(submixes, submix_name);
}

const Stream* Show::find_stream(std::string_view stream_name) const {
  return find_named(streams, stream_name);
}

Stream* Show::find_stream(std::string_view stream_name) {
  return find_named(streams, stream_name);
}

const Slot* Show::find_slot(const Port& port) const {
  const auto* submix = find_submix(port.submix);
  return submix == nullptr ? nullptr : find_named(submix->slots, port.slot);
}

Slot* Show::find_slot(const Port& port) {
  auto* submix = find_submix(port.submix);
  return submix == nullptr ? nullptr : find_named(submix->slots, port.slot);
}

}  // namespace submix::show
