// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/desk_description.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// Desks that show themselves on the network, by DNS-SD (`_submix-desk._tcp`) through this PC's
/// Avahi daemon. Anybody on the network can show a desk: what a desk is worth, the code tells.
namespace submix::pairing {

struct NearbyDesk {
  std::string name;            ///< one plain line
  std::vector<HostPort> ends;  ///< one for each network on which it was seen
  DeskDescription told{};
};

/// Looks for `patience` or until a stop request, and returns the desks sorted by name.
///
/// Threads  Blocks.
/// Errors   No Avahi daemon answers.
[[nodiscard]] Result<std::vector<NearbyDesk>> find_desks(std::chrono::milliseconds patience,
                                                         const std::stop_token& stop = {});

/// Shows a desk, at all cards, as long as this object and the daemon live.
///
/// Threads  Owns a thread of libavahi.
class DeskNotice {
 public:
  /// If the name is taken on the network, a number is added to it. Anybody on the network can read
  /// `told`.
  ///
  /// Errors   No Avahi daemon answers.
  [[nodiscard]] static Result<std::unique_ptr<DeskNotice>> show(const std::string& name,
                                                                std::uint16_t port,
                                                                DeskDescription told);
  DeskNotice(const DeskNotice&) = delete;
  DeskNotice& operator=(const DeskNotice&) = delete;
  ~DeskNotice();

  /// Tells something else from now on. Cheap if it is the same.
  ///
  /// Threads  Waits for libavahi's thread, which does nothing for long.
  void tell(const DeskDescription& told);

 private:
  class Publisher;
  DeskNotice(std::unique_ptr<Publisher> publisher, DeskDescription told);

  std::unique_ptr<Publisher> publisher_;
  DeskDescription told_;
};

}  // namespace submix::pairing
