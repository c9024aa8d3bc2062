// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/model/view/output_views.hpp"

#include <optional>
#include <string>
#include <vector>

namespace submix::model {

/// Switches of full screen, by what people see.
///
/// An output obeys the show's parameter when it changes, and its own keys at any time. After such a
/// key the parameter may have the wanted value already. A switch then writes the contrary first, and
/// the wanted value when the outputs' nodes have taken that up: see finish().
class FullScreenSwitch {
 public:
  /// Whether the output is switched to full screen; by the show, until its node can have obeyed.
  [[nodiscard]] bool is_full(const OutputView& output, const ClusterView& view) const;
  [[nodiscard]] bool is_any_full(const ClusterView& view) const;

  /// Switches all outputs of the view's show, which is there. A show without an output gets one
  /// beside the end of `mix`.
  [[nodiscard]] Result<Edit> turn_all(bool is_wanted, const std::string& mix,
                                      const ClusterView& view);
  [[nodiscard]] Edit turn(const OutputView& output, bool is_wanted, const ClusterView& view);

  /// Whether a wanted value is still to be written.
  [[nodiscard]] bool is_begun() const { return begun_.has_value(); }
  /// Writes it, when it is due. To be asked once a frame.
  [[nodiscard]] std::optional<Edit> finish(const ClusterView& view);

 private:
  struct Begun {
    std::vector<show::Port> windows;
    bool is_wanted = false;
    LocalTime since{};
  };

  /// The outputs whose parameters have the value already, because people have switched them by hand.
  [[nodiscard]] std::vector<show::Port> held_by_hand(const std::vector<OutputView>& outputs,
                                                     bool is_wanted, const ClusterView& view) const;
  [[nodiscard]] Edit write_contrary(std::vector<show::Port> held, bool is_wanted,
                                    const ClusterView& view);

  std::optional<Begun> begun_;
  std::optional<LocalTime> switched_;
};

}  // namespace submix::model
