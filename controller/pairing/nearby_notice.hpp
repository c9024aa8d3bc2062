// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/pairing/desk_description.hpp"
#include "controller/pairing/nearby_pcs.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace submix::pairing {

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
