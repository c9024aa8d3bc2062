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
  media::Frame frame;         ///< keeps the pixels alive
  wire::StripeHeader header;  ///< the range of pixels
};

/// The part of a link's bytes that is still here or in flight.
struct LinkBacklog {
  std::uint64_t queued_bytes = 0;  ///< not known to have arrived
  std::uint64_t unsent_bytes = 0;  ///< part of queued_bytes: have not left yet
  /// Of the path alone, without queueing delay; 0: unknown
  std::chrono::nanoseconds round_trip{0};
  /// TCP may acknowledge the last two segments long after their arrival.
  std::uint64_t segment_bytes = 0;
};

struct StriperOptions {
  Size size;
  std::uint64_t epoch = 0;
  std::size_t frames_max = 4;  ///< frames kept until acknowledged
  /// Smallest stripe (slow link), unless its share ends earlier
  std::uint32_t stripe_cells_min = 21;
  /// Largest stripe (fast link); a cell has wire::kCellPixels
  std::uint32_t stripe_cells_max = 21;
  PixelFormat format = PixelFormat::rgb24;  ///< of the stripes
};

/// The sender's core: numbers the frames and divides them among the links by their measured rates,
/// so that all links finish together. Remembers which link carries which cells, and keeps each
/// frame until the receiver has released it.
///
/// Shape    Memory is fixed by the options: one byte for each cell of each retained frame.
/// Threads  Compatible. No socket, no clock.
/// Cost     No allocation. pull(): one look at each link for each waiting frame, O(cells) of one
///          frame.
/// Errors   Impossible acknowledgements are rejected; the state is unchanged.
class Striper {
 public:
  explicit Striper(StriperOptions options);

  // Called by the patch.
  [[nodiscard]] bool has_credit() const;
  /// Takes the next frame. Only with credit.
  void offer(const media::Frame& frame);
  /// Without credit: drops the oldest frame that no link has begun and takes `frame` as the newest.
  /// Returns the dropped frame's index. Empty: the links have begun all frames, and `frame` is not
  /// taken.
  [[nodiscard]] std::optional<FrameIndex> replace_oldest_unsent(const media::Frame& frame);

  // Called by the links. `link` is less than wire::kLinksMax.
  void open_link(std::size_t link);
  /// Reports the state of `link`. To be called before each pull(), and about each millisecond while
  /// the link carries something.
  void observe(std::size_t link, LocalTime now, const LinkBacklog& backlog);
  /// The next piece for `link`, the first that exists of:
  /// - its share of the oldest frame that it can help to finish sooner;
  /// - a stripe that is late on another link;
  /// - a copy that measures the link's rate.
  /// Empty: nothing to do; ask again after a change or in 1 ms.
  [[nodiscard]] std::optional<Stripe> pull(std::size_t link, LocalTime now);
  /// The oldest frame that has an unassigned piece, as a whole: for a link that lends frames and
  /// carries no pixels. Such a link is neither opened nor observed, and the other links' plan
  /// ignores it.
  [[nodiscard]] std::optional<Stripe> pull_whole(std::size_t link);
  /// Makes the cells of a lost `link` available to the other links, oldest first.
  void lose_link(std::size_t link);
  /// Whether time alone may change the result of pull(): a stripe is in flight, or cells wait for a
  /// link.
  [[nodiscard]] bool is_under_way() const;
  /// Whether some cells wait for a link.
  [[nodiscard]] bool has_queued() const;
  /// Whether the links have so much work that the next frame should come later: it would only wait,
  /// and its pixels would leave the cache. Without an open link nothing is plenty.
  [[nodiscard]] bool has_plenty() const;
  /// The most bytes that may be committed to `link`.
  [[nodiscard]] double queue_limit_bytes(std::size_t link) const;
  [[nodiscard]] double bytes_per_second(std::size_t link) const {
    return loads_[link].bytes_per_second;
  }
  /// Bytes and time of `link` while it was at its limit.
  [[nodiscard]] const RateMeter::Full& full(std::size_t link) const {
    return links_[link].meter.full();
  }
  [[nodiscard]] std::uint64_t stripes_taken_over() const { return stripes_taken_over_; }

  // Called with messages of the receiver.
  /// Applies a Welcome. A new receiver instance has nothing: all retained frames are sent again,
  /// and the links to the previous instance must be closed before they call pull().
  [[nodiscard]] Result<void> welcome(const wire::Welcome& welcome);
  [[nodiscard]] Result<void> acknowledge(const wire::Ack& ack);

  [[nodiscard]] std::uint64_t epoch() const { return options_.epoch; }
  [[nodiscard]] FrameIndex first_retained() const { return first_; }
  [[nodiscard]] FrameIndex next_frame() const { return next_; }
  [[nodiscard]] std::uint64_t credits() const;  ///< frames that may still be offered
  /// Retained frames of which no link has any cell
  [[nodiscard]] std::size_t frames_unbegun() const;
  [[nodiscard]] std::optional<std::uint64_t> instance() const { return instance_; }

 private:
  static constexpr std::uint8_t kQueued = 0xff;  // no link has this cell
  static constexpr std::size_t kFlightsMax = 256;

  struct RetainedFrame {
    media::Frame frame;
    std::vector<std::uint8_t> carriers;  // for each cell: the last link that had it, or kQueued
    std::size_t first_queued = 0;        // no cell before it is queued
    std::size_t queued = 0;
    bool is_begun = false;  // a link has some of it, so the frame must not change any more
  };
  /// One link since it opened.
  struct LinkProgress {
    std::uint64_t given_bytes = 0;
    std::uint64_t known_bytes = 0;    // part of given_bytes: arrived according to TCP
    std::uint64_t arrived_bytes = 0;  // known_bytes, and the last segments once all bytes have left
    RateMeter meter;
    LocalTime copied_at;         // when copies were last begun, to measure the link
    double copy_bytes = 0;       // how many bytes they had
    std::size_t copy_cells = 0;  // how many cells of them are left
    Flights flights{kFlightsMax};
    LocalTime observed;
    // Time in which this computer did not look at the link. It makes no stripe late.
    LocalTime::duration held_up{0};
  };

  [[nodiscard]] RetainedFrame& retained(FrameIndex index) {
    return retained_[index.value % retained_.size()];
  }
  [[nodiscard]] const RetainedFrame& retained(FrameIndex index) const {
    return retained_[index.value % retained_.size()];
  }
  [[nodiscard]] Result<void> check_progress(FrameIndex released, FrameIndex limit) const;
  [[nodiscard]] std::optional<Stripe> pull_share(std::size_t link, LocalTime now);
  [[nodiscard]] double waiting_bytes(std::size_t link, double queued, LocalTime::duration passed);
  [[nodiscard]] std::optional<Stripe> pull_late(std::size_t link, LocalTime now);
  [[nodiscard]] std::optional<Stripe> pull_copy(std::size_t link, LocalTime now);
  [[nodiscard]] bool is_to_be_measured(std::size_t link, LocalTime now) const;
  [[nodiscard]] std::size_t cells_to_measure(std::size_t link, LocalTime now);
  [[nodiscard]] bool is_in_flight() const;
  [[nodiscard]] Flight* find_late(std::size_t link, LocalTime now);
  [[nodiscard]] double seconds_to_finish(std::size_t link) const;
  [[nodiscard]] bool is_late(std::size_t link, LocalTime now) const;
  [[nodiscard]] std::size_t stripe_cells(std::size_t link) const;
  [[nodiscard]] Stripe cut(std::size_t link, FrameIndex index, std::size_t cells, LocalTime now);
  [[nodiscard]] Stripe give(std::size_t link, Flight flight, LocalTime now);
  [[nodiscard]] Stripe stripe_of(FrameIndex index, std::size_t offset_pixels,
                                 std::size_t pixels) const;
  void release_before(FrameIndex released);
  void queue_all_of(std::optional<std::uint8_t> carrier);

  StriperOptions options_;
  double cell_bytes_;
  std::size_t cells_per_frame_;
  std::vector<RetainedFrame> retained_;  // a ring with the frames first_ to next_
  std::vector<LinkProgress> links_;      // one for each link
  std::array<LinkLoad, wire::kLinksMax> loads_;
  FrameIndex first_;
  FrameIndex next_;
  FrameIndex first_with_queued_;  // no frame before it has a queued cell
  FrameIndex limit_;
  std::optional<std::uint64_t> instance_;
  std::uint64_t stripes_taken_over_ = 0;
};

}  // namespace submix::stream
