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

/// Desks and PCs without a show that show themselves on the network, by DNS-SD through this PC's
/// Avahi daemon. Anybody on the network can show any: what a PC is worth, the code tells.
namespace submix::pairing {

enum class NearbyKind {
  desk,    ///< `_submix-desk._tcp`
  waiting  ///< `_submix-pc._tcp`: a PC that waits to be invited
};

struct NearbyPc {
  std::string name;            ///< one plain line
  std::vector<HostPort> ends;  ///< one for each network on which it was seen
  DeskDescription told{};      ///< by a desk
};

/// Looks for `patience` or until a stop request, and returns the PCs sorted by name. PCs
/// that this PC shows itself are left out.
///
/// Threads  Blocks.
/// Errors   No Avahi daemon answers.
[[nodiscard]] Result<std::vector<NearbyPc>> find_nearby(NearbyKind kind,
                                                        std::chrono::milliseconds patience,
                                                        const std::stop_token& stop = {});

/// Shows this PC, at all cards, as long as this object and the daemon live.
///
/// Threads  Owns a thread of libavahi.
class NearbyNotice {
 public:
  /// If the name is taken on the network, a number is added to it. Anybody on the network can read
  /// `told`.
  ///
  /// Errors   No Avahi daemon answers.
  [[nodiscard]] static Result<std::unique_ptr<NearbyNotice>> show(NearbyKind kind,
                                                                  const std::string& name,
                                                                  std::uint16_t port,
                                                                  DeskDescription told);
  NearbyNotice(const NearbyNotice&) = delete;
  NearbyNotice& operator=(const NearbyNotice&) = delete;
  ~NearbyNotice();

  /// Tells something else from now on. Cheap if it is the same.
  ///
  /// Threads  Waits for libavahi's thread, which does nothing for long.
  void tell(const DeskDescription& told);

 private:
  class Publisher;
  NearbyNotice(std::unique_ptr<Publisher> publisher, DeskDescription told);

  std::unique_ptr<Publisher> publisher_;
  DeskDescription told_;
};

}  // namespace submix::pairing
