// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "common/show/nearest.hpp"
#include "common/show/sound.hpp"
#include "common/show/text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Finds the things of a show by name. If a name is missing, the error names the most similar one.
namespace submix::show {

/// The iterator of the item with this name, or the end. An empty name finds nothing, even if a
/// thing in the show still has no name. Otherwise a slot that stands for no submix would stand for
/// the unnamed one.
template <typename Items>
[[nodiscard]] auto find_named(Items& items, std::string_view name) {
  return std::ranges::find_if(items,
                              [&](const auto& item) { return !name.empty() && item.name == name; });
}

/// The item with this name, or null. An empty name finds nothing.
template <typename Items>
[[nodiscard]] auto item_named(Items& items, std::string_view name) -> decltype(items.data()) {
  const auto found = find_named(items, name);
  return found == items.end() ? nullptr : &*found;
}

template <typename Items>
[[nodiscard]] bool has_named(const Items& items, std::string_view name) {
  return find_named(items, name) != items.end();
}

/// ` (did you mean "left"?)`, or "; there are: left, right". Empty if there are no items.
template <typename Items>
[[nodiscard]] std::string names_instead(std::string_view word, const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back(item.name);
  auto text = did_you_mean(word, names);
  return !text.empty() || names.empty() ? text
                                        : fmt::format("; there are: {}", fmt::join(names, ", "));
}

template <typename Items>
[[nodiscard]] tl::unexpected<Error> not_there(std::string_view kind, std::string_view name,
                                              const Items& items) {
  return fail("{} \"{}\" is not in the show{}", kind, name, names_instead(name, items));
}

/// The bytes of one frame on the stream's links, without headers.
[[nodiscard]] inline double frame_bytes(const Show& show, const Stream& stream) {
  return static_cast<double>(show.size.pixels() * bytes_per_pixel(stream.pixels));
}

/// What the stream carries at the show's rate, in MB/s (10^6 bytes).
[[nodiscard]] inline double mb_per_second(const Show& show, const Stream& stream) {
  return frame_bytes(show, stream) * show.rate.frames_per_second() / 1e6;
}

/// The slot of a submix, or null. `AnySubmix` is Submix or const Submix.
template <typename AnySubmix>
[[nodiscard]] auto find_slot(AnySubmix& submix, std::string_view name) {
  return item_named(submix.slots, name);
}

/// The submix of a show, or an error. `AnyShow` is Show or const Show; the pointer is const like
/// the show.
template <typename AnyShow>
[[nodiscard]] auto submix_of(AnyShow& show, std::string_view name)
    -> Result<decltype(show.find_submix(name))> {
  if (auto* submix = show.find_submix(name)) return submix;
  return not_there("submix", name, show.submixes);
}

template <typename AnyShow>
[[nodiscard]] auto slot_of(AnyShow& show, const Port& port)
    -> Result<decltype(show.find_slot(port))> {
  const auto submix = submix_of(show, port.submix);
  SUBMIX_TRY(submix);
  if (auto* slot = show.find_slot(port)) return slot;
  return fail("submix \"{}\" has no slot \"{}\"{}", port.submix, port.slot,
              names_instead(port.slot, (*submix)->slots));
}

/// The slot of the clip whose sound the show follows. Empty: it follows no clip, or has it not.
[[nodiscard]] inline std::optional<Port> heard_clip(const Show& show) {
  const auto name = slot_of_sound(show.sound.device);
  if (!name) return std::nullopt;
  auto port = parse_port(*name);
  if (!port || show.find_slot(*port) == nullptr) return std::nullopt;
  return *std::move(port);
}

}  // namespace submix::show
