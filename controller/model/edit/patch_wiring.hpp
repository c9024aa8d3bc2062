// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to patch_changes.cpp: a patch with what each of its slots reads, whether the show says so or not.

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace submix::model {

struct WiredSlot {
  enum class Source {
    stated,   ///< in the show
    implied,  ///< by what the plugin takes
    guessed,  ///< nobody has described the plugin: if it takes an input, it is this one
  };
  show::Slot slot;
  std::vector<show::Input> reads{};
  Source source = Source::stated;

  [[nodiscard]] bool reads_slot(std::string_view name) const;
};

/// A patch that is being changed. What its slots read stays what it is when they change places.
class PatchWiring {
 public:
  PatchWiring(const show::Show& show, const show::Submix& submix, const PluginMap& plugins);

  [[nodiscard]] std::vector<WiredSlot>& slots() { return slots_; }
  [[nodiscard]] std::size_t index_of(std::string_view name) const;
  /// The name of the slot above place `index`; empty on top.
  [[nodiscard]] std::string above(std::size_t index) const;
  /// Who reads `name`; null: nobody.
  [[nodiscard]] const WiredSlot* reader_of(std::string_view name) const;

  /// Puts `slot` at `index`; with `takes_over`, who read the slot above it without delay reads this one.
  void insert(std::size_t index, WiredSlot slot, bool takes_over);
  /// Takes a slot out; who read it reads what it read first, but for itself, as late as both together.
  [[nodiscard]] Result<WiredSlot> take_out(std::size_t index);

  /// As the show states it: inputs are left out where they are what the plugin reads by default. Fails on
  /// circles, and where the place of a slot whose plugin nobody has described would change what it reads.
  [[nodiscard]] Result<std::vector<show::Slot>> stated() const;

 private:
  std::string submix_;
  std::vector<WiredSlot> slots_;
};

}  // namespace submix::model
