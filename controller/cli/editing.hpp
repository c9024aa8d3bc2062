// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"
#include "controller/model/edit/show_edit.hpp"

#include <string>

/// Checks before commands edit the cluster's show.
namespace submix::cli {

/// Asks the slot's node whether its plugin takes an edit at `place` of `slot` ("parameters.Blur").
/// Passes while the node is absent.
[[nodiscard]] Result<void> check_slot(cluster::Cluster& cluster, const model::Edit& edit,
                                      const show::Port& slot, const std::string& place);

/// Fails unless the show names the node or the node is present. A typing error would stop the show.
[[nodiscard]] Result<void> check_node(cluster::Cluster& cluster, const std::string& node);

/// Parses "left.glow", or "left" for the submix itself.
[[nodiscard]] Result<show::Port> parse_place(const std::string& text);

/// Parses "left.glow.Border width", without a value. Names have no dots, but a parameter may.
[[nodiscard]] Result<model::SetParameter> parse_target(const std::string& target);

/// Reads the text of a value for `target`. A switch takes on, off, yes and no, too; other texts for
/// a switch fail.
[[nodiscard]] Result<show::ParameterValue> value_for(cluster::Cluster& cluster,
                                                     const model::SetParameter& target,
                                                     const std::string& text);

}  // namespace submix::cli
