// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <optional>
#include <string>

namespace submix::model {

/// A link that carries less than half of what it should, and cannot do more.
struct SlowLink {
  double mb_per_second = 0;  ///< that it can carry now
  double of = 0;             ///< and should be able to
  std::string sentence;      ///< "rack1's eth1 carries 2.4 of 119 MB/s", for people
};

/// What is wrong with a link, whether or not the show has enough without it; empty: nothing, or it has too
/// little to do for that to be known.
///
/// Shape    The link's limit has to be known: of late more waited than its way takes, or the kernel takes no
///          more for most of the time. The limit, or the rate if that is greater, is compared with the card's
///          speed, with the greatest rate that the link has carried, and with the other links of its stream
///          on cards as fast. Cards beyond kSpeedKnownMbit are not compared with their speed: one connection
///          may not reach it on a healthy one, and virtual cards state any speed.
/// Not told Where others use the same card, which then carries nearly all that it should. Where all links of
///          the stream are slow alike and the computer at either end has no time left.
[[nodiscard]] std::optional<SlowLink> slowness_of(const ClusterView& view, const StreamView& stream,
                                                  const LinkView& link);

/// Whether a card of the link carries nearly `mb_per_second`, for whomever: then the link has what is left.
[[nodiscard]] bool is_card_full(const ClusterView& view, const StreamView& stream,
                                const LinkView& link, double mb_per_second);

inline constexpr int kSpeedKnownMbit = 2500;

/// Whether the link would carry more if it could.
[[nodiscard]] bool is_at_its_limit(const LinkView& link);

}  // namespace submix::model
