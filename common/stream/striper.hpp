// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/frame.hpp"
#include "common/stream/flights.hpp"
#include "common/stream/rate_meter.hpp"
#include "common/stream/share.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace submix::stream {

/// A piece of a frame for one link to carry.
struct Stripe {
  media::Frame frame;         ///< keeps the pixels
  wire::StripeHeader header;  ///< which of them
};

/// What of all that a link was given is still here or on its way.
struct LinkBacklog {
  std::uint64_t queued_bytes = 0;  ///< not known to have arrived
  std::uint64_t unsent_bytes = 0;  ///< of these, have not even left
  std::chrono::nanoseconds round_trip{
      0};  ///< of the way itself, without what queues on it; 0: not known
  /// The last two may be acknowledged long after they have arrived.
  std::uint64_t segment_bytes = 0;
};

struct StriperOptions {
  Size size;
  std::uint64_t epoch = 0;
  std::size_t frames_max = 4;           ///< retained until acknowledged
  std::uint32_t stripe_cells_min = 21;  ///< of a slow link's stripe; less only where its share ends
  std::uint32_t stripe_cells_max = 21;  ///< of a fast link's; a cell has wire::kCellPixels
};

/// The sender's core: numbers the frames, shares them out to the links by their measured rates so that all
/// finish together, remembers which link has which cells, and keeps all of it until the receiver has released
/// the frame.
///
/// Shape    Memory is fixed by the options: a byte for each cell of each retained frame.
/// Threads  Compatible. No socket, no clock.
/// Cost     No allocation. pull(): a look at each link for each frame that waits, O(cells) of one frame.
/// Errors   Words of the receiver that cannot be true fail and change nothing.
class Striper {
 public:
  explicit Striper(StriperOptions options);

  // -- the patch's side
  [[nodiscard]] bool has_credit() const;
  /// Takes the next frame. Only with credit.
  void offer(const media::Frame& frame);
  /// Without a credit: the oldest of the frames that no link has begun gives way to `frame`, which becomes
  /// the newest. Answers which one; empty, and nothing is taken: the links have begun with all.
  [[nodiscard]] std::optional<FrameIndex> replace_oldest_unsent(const media::Frame& frame);

  // -- the links' side; `link` is less than wire::kLinksMax
  void open_link(std::size_t link);
  /// How `link` stands. To be said before each pull(), and about each millisecond while it carries something.
  void observe(std::size_t link, LocalTime now, const LinkBacklog& backlog);
  /// The next piece for `link`: its share of the oldest frame that it can help to finish sooner, else what
  /// another link is late with. Empty: nothing to do now; ask again when something has changed, or in
  /// a millisecond.
  [[nodiscard]] std::optional<Stripe> pull(std::size_t link, LocalTime now);
  /// The oldest frame of which a piece waits, all of it: for a link that carries no bytes. Such a link is
  /// neither opened nor observed, and the plan of the others does not count on it.
  [[nodiscard]] std::optional<Stripe> pull_whole(std::size_t link);
  /// What `link` had is for the other links now, oldest first.
  void lose_link(std::size_t link);
  /// Whether time alone may change what pull() says: something is on its way, or waits for a link.
  [[nodiscard]] bool is_under_way() const;
  /// Whether some of a frame waits for a link.
  [[nodiscard]] bool has_queued() const;
  /// The same, of links so fast that the next frame is better made later: it would leave the cache.
  [[nodiscard]] bool has_plenty() const;
  /// What may be committed to `link`.
  [[nodiscard]] double queue_limit_bytes(std::size_t link) const;
  [[nodiscard]] double bytes_per_second(std::size_t link) const {
    return loads_[link].bytes_per_second;
  }
  /// What `link` has carried while it was at its limit.
  [[nodiscard]] const RateMeter::Full& full(std::size_t link) const {
    return lines_[link].meter.full();
  }
  [[nodiscard]] std::uint64_t stripes_taken_over() const { return stripes_taken_over_; }

  // -- the receiver's words
  /// What a Welcome says. Another instance than before has nothing: all retained frames are sent again,
  /// and the links to the former one must be closed before they pull.
  [[nodiscard]] Result<void> welcome(const wire::Welcome& welcome);
  [[nodiscard]] Result<void> acknowledge(const wire::Ack& ack);

  [[nodiscard]] std::uint64_t epoch() const { return options_.epoch; }
  [[nodiscard]] FrameIndex first_retained() const { return first_; }
  [[nodiscard]] FrameIndex next_frame() const { return next_; }
  [[nodiscard]] std::uint64_t credits() const;  ///< frames that may still be offered
  [[nodiscard]] std::size_t frames_unbegun()
      const;  ///< of the retained ones: no link has any of them
  [[nodiscard]] std::optional<std::uint64_t> instance() const { return instance_; }

 private:
  static constexpr std::uint8_t kQueued = 0xff;  // no link has it
  static constexpr std::size_t kFlightsMax = 256;

  struct Entry {
    media::Frame frame;
    std::vector<std::uint8_t> carriers;  // for each cell the link that had it last, or kQueued
    std::size_t first_queued = 0;        // none before it is queued
    std::size_t queued = 0;
    bool is_begun = false;  // some of it was given to a link, so that it must not change any more
  };
  /// What a link was given since it opened.
  struct Line {
    std::uint64_t given_bytes = 0;
    std::uint64_t known_bytes = 0;    // of these, to have arrived, as TCP says
    std::uint64_t arrived_bytes = 0;  // those, and the last segments once all have left
    RateMeter meter;
    LocalTime hoped_at;
    Flights flights{kFlightsMax};
    LocalTime observed;
    LocalTime::duration held_up{
        0};  // time in which this computer did not look: nobody is late for that
  };

  [[nodiscard]] Entry& entry(FrameIndex index) { return entries_[index.value % entries_.size()]; }
  [[nodiscard]] const Entry& entry(FrameIndex index) const {
    return entries_[index.value % entries_.size()];
  }
  [[nodiscard]] Result<void> check_progress(FrameIndex released, FrameIndex limit) const;
  [[nodiscard]] std::optional<Stripe> pull_share(std::size_t link, LocalTime now);
  [[nodiscard]] double waiting_bytes(std::size_t link, double queued, LocalTime::duration passed);
  void hope_for(std::size_t link, LocalTime now);
  [[nodiscard]] std::optional<Stripe> pull_late(std::size_t link, LocalTime now);
  [[nodiscard]] Flight* find_late(std::size_t link, LocalTime now);
  [[nodiscard]] double seconds_to_finish(std::size_t link) const;
  [[nodiscard]] bool is_late(std::size_t link, LocalTime now) const;
  [[nodiscard]] std::size_t stripe_cells(std::size_t link) const;
  [[nodiscard]] Stripe cut(std::size_t link, FrameIndex index, std::size_t cells, LocalTime now);
  [[nodiscard]] Stripe give(std::size_t link, Flight flight, LocalTime now);
  void release_before(FrameIndex released);
  void queue_all_of(std::optional<std::uint8_t> carrier);

  StriperOptions options_;
  std::size_t cells_per_frame_;
  std::vector<Entry> entries_;  // a ring; the frames first_ to next_
  std::vector<Line> lines_;     // one for each link
  std::array<LinkLoad, wire::kLinksMax> loads_;
  FrameIndex first_;
  FrameIndex next_;
  FrameIndex first_with_queued_;  // none before it has a queued cell
  FrameIndex limit_;
  std::optional<std::uint64_t> instance_;
  std::uint64_t stripes_taken_over_ = 0;
};

}  // namespace submix::stream
