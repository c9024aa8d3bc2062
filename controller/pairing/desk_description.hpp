// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// What a desk tells everybody on the network about its show, in the TXT record of its DNS-SD
/// service: `machine=rack0`, `show=duo`, `state=running`. Anybody can claim anything there.
namespace submix::pairing {

enum class ShowState {
  untold,  ///< or a word that this version does not know
  none,    ///< "no show"
  running,
  paused
};

struct DeskDescription {
  std::string machine{};  ///< the desk's host name; empty: not told
  std::string show{};     ///< its name; empty: not told
  ShowState state = ShowState::untold;

  friend bool operator==(const DeskDescription&, const DeskDescription&) = default;
};

/// The entries of the TXT record, each far below the 255 bytes that DNS allows. Names are cut.
[[nodiscard]] std::vector<std::string> to_entries(const DeskDescription& description);
/// From anybody: each name becomes one plain line and is cut; all but the known entries is ignored.
[[nodiscard]] DeskDescription description_of(const std::vector<std::string>& entries);

/// For people: "show duo, running" or "no show". Empty: nothing is told.
[[nodiscard]] std::string to_text(const DeskDescription& description);

}  // namespace submix::pairing
