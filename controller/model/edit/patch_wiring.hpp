// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to this room: a patch with the inputs of each slot, stated by the show or
// implied.

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

struct WiredSlot {
  enum class Source {
    stated,   ///< in the show
    implied,  ///< by the plugin's inputs
    guessed,  ///< the plugin's description is unknown: the input it would read, if it takes one
  };
  show::Slot slot;
  std::vector<show::Input> reads{};
  Source source = Source::stated;

  [[nodiscard]] bool reads_slot(std::string_view name) const;
};

/// A patch during a change. Slots keep their inputs when they change places.
class PatchWiring {
 public:
  PatchWiring(const show::Show& show, const show::Submix& submix, const PluginMap& plugins);

  [[nodiscard]] std::vector<WiredSlot>& slots() { return slots_; }
  [[nodiscard]] std::size_t index_of(std::string_view name) const;
  /// The name of the slot above place `index`. Empty on top.
  [[nodiscard]] std::string above(std::size_t index) const;
  /// A reader of `name`. Null: none.
  [[nodiscard]] const WiredSlot* reader_of(std::string_view name) const;

  /// Puts `slot` at `index`. With `takes_over`, undelayed readers of the slot above read `slot`
  /// instead.
  void insert(std::size_t index, WiredSlot slot, bool takes_over);
  /// Takes a slot out. Its readers then read its first input (other than itself), with both delays
  /// added.
  [[nodiscard]] Result<WiredSlot> take_out(std::size_t index);

  /// The slots in the show's form: inputs equal to the plugin's default are left out. Fails on
  /// circles. Also fails where a new place would change the inputs of a plugin with unknown
  /// description.
  [[nodiscard]] Result<std::vector<show::Slot>> stated() const;

 private:
  std::string submix_;
  std::vector<WiredSlot> slots_;
};

/// Whether nobody reads the slot's picture and its plugin shows, writes or sends it. A checker, for
/// example, passes its picture on and may be read.
[[nodiscard]] bool is_end_of(const PatchWiring& wiring, const PluginMap& plugins,
                             const WiredSlot& wired);
/// The slot whose picture the patch shows: what its first end reads; without an end the last slot.
/// Empty: no slot has a picture.
[[nodiscard]] std::optional<std::string> shown_slot(PatchWiring& wiring, const PluginMap& plugins);

}  // namespace submix::model
