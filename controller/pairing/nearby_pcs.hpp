// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "controller/pairing/desk_description.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
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

/// Keeps the list of the PCs that show themselves now. PCs that this PC shows itself are left out.
///
/// Threads  Synchronized. Owns a thread of libavahi.
class NearbyWatch {
 public:
  /// `on_news` is called from another thread whenever the list has changed; it must not block.
  /// A daemon that does not run yet is waited for.
  ///
  /// Threads  Blocks until the message bus has answered.
  /// Errors   There is no message bus.
  [[nodiscard]] static Result<std::unique_ptr<NearbyWatch>> open(NearbyKind kind,
                                                                 std::function<void()> on_news);
  NearbyWatch(const NearbyWatch&) = delete;
  NearbyWatch& operator=(const NearbyWatch&) = delete;
  ~NearbyWatch();

  /// Sorted by name.
  ///
  /// Errors   No Avahi daemon answers.
  [[nodiscard]] Result<std::vector<NearbyPc>> pcs() const;
  /// The daemon has ended, and this object stays without news: open another.
  [[nodiscard]] bool has_ended() const;

 private:
  class Browser;
  explicit NearbyWatch(std::unique_ptr<Browser> browser);

  std::unique_ptr<Browser> browser_;
};

/// What a NearbyWatch has found after `patience`.
///
/// Threads  Blocks.
/// Errors   No Avahi daemon answers.
[[nodiscard]] Result<std::vector<NearbyPc>> find_nearby(NearbyKind kind,
                                                        std::chrono::milliseconds patience);

}  // namespace submix::pairing
