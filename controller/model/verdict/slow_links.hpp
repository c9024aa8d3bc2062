// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>

namespace submix::model {

/// A link that carries less than half of its expected rate, and cannot carry more.
struct SlowLink {
  double mb_per_second = 0;  ///< that the link can carry now
  double of = 0;             ///< expected rate
  std::string sentence;      ///< "rack1's eth1 carries 2.4 of 119 MB/s", for people
};

/// The fault of a slow link, whether or not the show needs the link. Empty: no fault, or too little
/// traffic to know.
///
/// The link's limit must be known: recently more data waited than its path holds, or the kernel
/// accepts no more for most of the time. The limit (or the rate, if greater) is compared with the
/// card's speed, the greatest rate the link has carried, and its stream's other links on equally
/// fast cards. Cards beyond kSpeedKnownMbit are not compared with their speed: one connection may
/// not reach it on a healthy card, and virtual cards state any speed.
///
/// Two cases are not reported. Other links use the same card, which carries nearly its full rate.
/// All links of the stream are equally slow and the computer at either end has no time left.
[[nodiscard]] std::optional<SlowLink> slowness_of(const ClusterView& view, const StreamView& stream,
                                                  const LinkView& link);

/// Whether a card of the link carries nearly `mb_per_second` in total: then the link gets the rest.
[[nodiscard]] bool is_card_full(const ClusterView& view, const StreamView& stream,
                                const LinkView& link, double mb_per_second);

inline constexpr int kSpeedKnownMbit = 2500;

/// Whether more data waits than the link can carry.
[[nodiscard]] bool is_at_its_limit(const LinkView& link);

}  // namespace submix::model
