// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"

#include <string>
#include <utility>

namespace submix::chain {

/// A slot whose plugin runs in this process.
inline show::Slot slot_in_process(std::string name, std::string plugin) {
  show::Slot slot{
      .name = std::move(name), .plugin = std::move(plugin), .parameters = {}, .inputs = {}};
  slot.hosting = show::Hosting::in_process;
  return slot;
}

}  // namespace submix::chain
