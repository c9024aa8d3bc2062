// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/link/stream_receiver.hpp"
#include "common/show/document.hpp"
#include "common/telemetry/readings.hpp"
#include "node/io/stream/stream_policy.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::agent {

/// Receivers that the show no longer has on this node, or not in their format. A slot that ends
/// still waits in each, or a slot that could not change its format still uses it.
///
/// Shape    Each receiver belongs to its slot; here are weak references:
///
///          | state  | condition                                          | next   |
///          |--------|----------------------------------------------------|--------|
///          | in use | a new slot asks for the same stream in this format | reused |
///          | in use | its slot has ended                                 | gone   |
///
///          A reused receiver belongs to the new slot and is not listed any more.
/// Threads  Compatible.
class DrainingReceivers {
 public:
  struct Receiver {
    std::string stream;
    show::Port to;
    std::weak_ptr<link::StreamReceiver> end;
    std::weak_ptr<io::StreamPolicy> policy;
  };

  void add(Receiver receiver) { receivers_.push_back(std::move(receiver)); }
  /// Applies the show's policies and pause budgets, and says which streams are removed.
  void follow(const show::Show& show) const;
  /// Takes out a receiver of `stream` in the format of `show`; null: none is in use.
  [[nodiscard]] std::shared_ptr<link::StreamReceiver> reuse(std::string_view stream,
                                                            const show::Show& show);
  /// Readings of the receivers whose submix has moved from `node`, and of the ones in another
  /// format than the show's.
  [[nodiscard]] std::vector<telemetry::StreamReading> readings(const show::Show& show,
                                                               std::string_view node) const;
  void forget_gone();

 private:
  std::vector<Receiver> receivers_;
};

}  // namespace submix::agent
