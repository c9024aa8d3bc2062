// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/striper.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

// A smaller share is left to the other links. The header, the call and the wake-up would cost more
// than the share gains.
constexpr double kLeastShareBytes = 16 * 1024;

// The time of a link that one stripe takes. Short enough to plan by, long enough to hide call
// costs.
constexpr double kStripeSeconds = 0.5e-3;

// How much work may be committed to a link, as time at its rate. With more, a link that becomes
// slower would delay a whole frame.
constexpr double kCommittedSeconds = 30e-3;

// Links that still have work for this long need no further frame yet: it would only wait and grow
// old. Longer than the time between two observations of the links.
constexpr double kEnoughSeconds = 2e-3;

// Links that together carry more than this are limited by memory. One waiting frame keeps them
// busy. Further frames are better made later, because their pixels would leave the cache before
// they are sent.
constexpr double kSwiftBytesPerSecond = 1e9;

// A link is late after 1.5 times its planned time plus this. A smaller value would take a busy
// computer for a slow link.
constexpr auto kGrace = 3ms;

// Sending a late stripe again costs its bytes twice, so it must gain at least this much time.
constexpr double kGainSeconds = 8e-3;

// A link that has not been at its limit for this long is measured anew with copies.
constexpr auto kForgetTime = 250ms;

// How long copies keep a link busy: RateMeter's settling time and a whole sample.
constexpr double kCopySeconds = 6e-3;

// Acknowledgements may come in lumps of 64 KiB. A sample lies between two of them.
constexpr double kCopyBytesMin = 96 * 1024;

// No more than this, however long no copy has led to a measurement.
constexpr double kCopyBytesMax = 1024 * 1024;

// Links are observed each millisecond. After a longer gap, this computer was too busy.
constexpr auto kHeldUp = 4ms;

/// Size of one part if `cells` are cut into the fewest equal parts of at most `largest` cells.
/// Equal parts leave no tiny last part.
std::size_t even_part(std::size_t cells, std::size_t largest) {
  const auto parts = (cells + largest - 1) / largest;
  return parts == 0 ? 0 : (cells + parts - 1) / parts;
}

}  // namespace

Striper::Striper(StriperOptions options)
    : options_(options),
      cell_bytes_(static_cast<double>(wire::kCellPixels * bytes_per_pixel(options.format))),
      cells_per_frame_((options.size.pixels() + wire::kCellPixels - 1) / wire::kCellPixels),
      retained_(options.frames_max),
      links_(wire::kLinksMax) {
  SUBMIX_ASSERT(is_allowed(options.size) && options.frames_max > 0);
  SUBMIX_ASSERT(options.stripe_cells_min > 0 &&
                options.stripe_cells_min <= options.stripe_cells_max);
  SUBMIX_ASSERT(options.stripe_cells_max <= wire::kStripePixelsMax / wire::kCellPixels);
  for (auto& each : retained_)
    each.carriers.resize(cells_per_frame_, kQueued);
}

// Called by the patch.

std::uint64_t Striper::credits() const {
  const auto room = first_.value + retained_.size();
  return std::max(std::min(limit_.value, room), next_.value) - next_.value;
}

bool Striper::has_credit() const {
  return credits() > 0;
}

void Striper::offer(const media::Frame& frame) {
  SUBMIX_ASSERT(has_credit() && frame && frame.size() == options_.size);
  auto& fresh = retained(next_);
  fresh.frame = frame;
  std::fill(fresh.carriers.begin(), fresh.carriers.end(), kQueued);
  fresh.first_queued = 0;
  fresh.queued = cells_per_frame_;
  fresh.is_begun = false;
  next_ = next_.next();
}

std::size_t Striper::frames_unbegun() const {
  auto oldest = next_.value;
  while (oldest > first_.value && !retained({oldest - 1}).is_begun)
    --oldest;
  return next_.value - oldest;
}

std::optional<FrameIndex> Striper::replace_oldest_unsent(const media::Frame& frame) {
  SUBMIX_ASSERT(frame && frame.size() == options_.size);
  const auto oldest = next_.value - frames_unbegun();
  if (oldest == next_.value) return std::nullopt;
  for (auto index = oldest; index + 1 < next_.value; ++index)
    retained({index}).frame = retained({index + 1}).frame;
  retained({next_.value - 1}).frame = frame;
  return FrameIndex{oldest};
}

// Called by the links.

void Striper::open_link(std::size_t link) {
  links_[link].given_bytes = links_[link].known_bytes = links_[link].arrived_bytes = 0;
  links_[link].meter.restart();
  links_[link].flights.clear();
  links_[link].held_up = {};
  loads_[link].queued_bytes = 0;
  loads_[link].is_open = true;
}

void Striper::observe(std::size_t link, LocalTime now, const LinkBacklog& backlog) {
  auto& progress = links_[link];
  auto& load = loads_[link];
  const auto gap = now - progress.observed;
  if (progress.given_bytes > progress.arrived_bytes && gap > kHeldUp) {
    progress.held_up += gap;
    progress.meter.restart();
  }
  progress.observed = now;

  // Pings are queued too, but are not counted as given. Their bytes must not reduce the arrived
  // bytes.
  progress.known_bytes =
      std::max(progress.known_bytes,
               progress.given_bytes - std::min(backlog.queued_bytes, progress.given_bytes));
  const auto unknown = progress.given_bytes - progress.known_bytes;
  const bool is_end = backlog.unsent_bytes == 0 && unknown <= 2 * backlog.segment_bytes;
  progress.arrived_bytes =
      is_end ? progress.given_bytes : std::max(progress.arrived_bytes, progress.known_bytes);
  const auto queued = is_end ? 0 : unknown;

  progress.meter.observe(now,
                         {progress.known_bytes, queued, backlog.unsent_bytes, backlog.round_trip});
  progress.flights.land_until(progress.arrived_bytes);

  load.bytes_per_second = progress.meter.bytes_per_second();
  load.is_lower_bound = !progress.meter.measured_at();
  load.delay = Seconds(backlog.round_trip) / 2;
  load.queued_bytes = waiting_bytes(link, static_cast<double>(queued), gap);
}

/// Bytes that still wait in front of new ones. Bytes in flight, and bytes that have arrived without
/// an acknowledgement, delay nothing. A long path holds many of both.
double Striper::waiting_bytes(std::size_t link, double queued, LocalTime::duration passed) {
  const auto rate = planning_rate(loads_, link);
  const auto on_the_way = rate * 2 * loads_[link].delay.count();
  const auto by_rate = loads_[link].queued_bytes - rate * Seconds(passed).count();
  return std::clamp(by_rate, std::max(0.0, queued - on_the_way), queued);
}

std::optional<Stripe> Striper::pull(std::size_t link, LocalTime now) {
  SUBMIX_ASSERT(link < links_.size() && loads_[link].is_open);
  if (loads_[link].queued_bytes > queue_limit_bytes(link)) return std::nullopt;
  if (auto stripe = pull_share(link, now)) return stripe;
  if (auto stripe = pull_late(link, now)) return stripe;
  return pull_copy(link, now);
}

std::optional<Stripe> Striper::pull_whole(std::size_t link) {
  SUBMIX_ASSERT(link < links_.size());
  for (auto index = first_with_queued_; index < std::min(next_, limit_); index = index.next()) {
    auto& source = retained(index);
    if (source.queued == 0) continue;
    source.is_begun = true;
    std::fill(source.carriers.begin(), source.carriers.end(), static_cast<std::uint8_t>(link));
    source.queued = 0;
    first_with_queued_ = index.next();
    return stripe_of(index, 0, options_.size.pixels());
  }
  return std::nullopt;
}

bool Striper::is_under_way() const {
  const auto is_open = [](const LinkLoad& load) { return load.is_open; };
  return is_in_flight() || (has_queued() && std::any_of(loads_.begin(), loads_.end(), is_open));
}

bool Striper::is_in_flight() const {
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (loads_[link].is_open && links_[link].given_bytes > links_[link].arrived_bytes) return true;
  }
  return false;
}

bool Striper::has_queued() const {
  for (auto index = first_with_queued_; index < std::min(next_, limit_); index = index.next()) {
    if (retained(index).queued > 0) return true;
  }
  return false;
}

bool Striper::has_plenty() const {
  double bytes_per_second = 0;
  double waiting_bytes = 0;
  for (std::size_t link = 0; link < loads_.size(); ++link) {
    if (!loads_[link].is_open) continue;
    const auto planned = planning_rate(loads_, link);
    const auto rate =
        loads_[link].is_lower_bound ? std::max(planned, kGigabitBytesPerSecond) : planned;
    bytes_per_second += rate;
    // A slow link with much work leaves the others idle.
    waiting_bytes += std::min(loads_[link].queued_bytes, rate * 2 * kEnoughSeconds);
  }
  if (bytes_per_second > kSwiftBytesPerSecond && has_queued()) return true;
  for (auto index = first_with_queued_; index < std::min(next_, limit_); index = index.next())
    waiting_bytes += static_cast<double>(retained(index).queued) * cell_bytes_;
  return bytes_per_second > 0 && waiting_bytes > bytes_per_second * kEnoughSeconds;
}

double Striper::queue_limit_bytes(std::size_t link) const {
  return std::max(planning_rate(loads_, link) * kCommittedSeconds,
                  2 * options_.stripe_cells_min * cell_bytes_);
}

std::size_t Striper::stripe_cells(std::size_t link) const {
  const auto cells = planning_rate(loads_, link) * kStripeSeconds / cell_bytes_;
  return static_cast<std::size_t>(std::clamp(cells, static_cast<double>(options_.stripe_cells_min),
                                             static_cast<double>(options_.stripe_cells_max)));
}

std::optional<Stripe> Striper::pull_share(std::size_t link, LocalTime now) {
  const auto open_links = static_cast<double>(std::count_if(
      loads_.begin(), loads_.end(), [](const LinkLoad& load) { return load.is_open; }));

  // A new receiver may grant less than the previous one. Frames beyond the limit stay here.
  const auto end = std::min(next_, limit_);
  double remaining = 0;
  for (auto index = first_with_queued_; index < end; index = index.next()) {
    const auto queued = retained(index).queued;
    if (queued == 0) {
      if (index == first_with_queued_) first_with_queued_ = index.next();
      continue;
    }
    remaining += static_cast<double>(queued) * cell_bytes_;
    const auto share = fair_share(loads_, link, remaining);
    // With n links at least one share is an n-th of the rest, so one link always takes the last
    // cells. The factor keeps rounding from preventing this.
    if (share < std::min(kLeastShareBytes, remaining / open_links * (1 - 1e-9))) continue;
    const auto cells = static_cast<std::size_t>(std::ceil(share / cell_bytes_ * (1 - 1e-9)));
    return cut(link, index, std::max<std::size_t>(even_part(cells, stripe_cells(link)), 1), now);
  }
  return std::nullopt;
}

Stripe Striper::cut(std::size_t link, FrameIndex index, std::size_t cells, LocalTime now) {
  auto& source = retained(index);
  source.is_begun = true;
  const auto begin = source.carriers.begin();
  const auto first = std::find(begin + static_cast<std::ptrdiff_t>(source.first_queued),
                               source.carriers.end(), kQueued);
  SUBMIX_ASSERT(first != source.carriers.end());

  auto last = first;
  for (; last != source.carriers.end() && *last == kQueued && cells > 0; ++last, --cells)
    *last = static_cast<std::uint8_t>(link);
  source.first_queued = static_cast<std::size_t>(last - begin);
  source.queued -= static_cast<std::size_t>(last - first);

  return give(link,
              {.frame = index,
               .first_cell = static_cast<std::size_t>(first - begin),
               .cells = static_cast<std::size_t>(last - first)},
              now);
}

Stripe Striper::give(std::size_t link, Flight flight, LocalTime now) {
  const auto offset = flight.first_cell * wire::kCellPixels;
  const auto pixels = std::min(flight.cells * wire::kCellPixels, options_.size.pixels() - offset);
  const auto bytes = wire::kStripeHeaderBytes + pixels * bytes_per_pixel(options_.format);
  auto& load = loads_[link];
  auto& progress = links_[link];

  load.queued_bytes += static_cast<double>(bytes);
  progress.given_bytes += bytes;
  flight.end_bytes = progress.given_bytes;

  flight.due = now - progress.held_up + kGrace +
               std::chrono::duration_cast<LocalTime::duration>(
                   1.5 * (Seconds(seconds_to_finish(link)) + loads_[link].delay));
  progress.flights.add(flight);

  return stripe_of(flight.frame, offset, pixels);
}

Stripe Striper::stripe_of(FrameIndex index, std::size_t offset_pixels, std::size_t pixels) const {
  const auto& frame = retained(index).frame;
  return {frame,
          {.epoch = options_.epoch,
           .frame = index,
           .pts = frame.stamp().pts,
           .offset_pixels = static_cast<std::uint32_t>(offset_pixels),
           .pixels = static_cast<std::uint32_t>(pixels),
           .format = options_.format}};
}

bool Striper::is_late(std::size_t link, LocalTime now) const {
  const auto& progress = links_[link];
  return !progress.flights.is_empty() && progress.flights.oldest().due + progress.held_up < now;
}

double Striper::seconds_to_finish(std::size_t link) const {
  return loads_[link].queued_bytes / planning_rate(loads_, link) + loads_[link].delay.count();
}

std::optional<Stripe> Striper::pull_late(std::size_t link, LocalTime now) {
  // If this link is late, too, the receiver or this computer is slow, not a single link.
  if (is_late(link, now)) return std::nullopt;
  auto* const late = find_late(link, now);
  if (late == nullptr) return std::nullopt;

  late->is_taken_over = true;
  ++stripes_taken_over_;
  auto& carriers = retained(late->frame).carriers;
  std::fill_n(carriers.begin() + static_cast<std::ptrdiff_t>(late->first_cell), late->cells,
              static_cast<std::uint8_t>(link));
  auto copy = *late;
  copy.is_taken_over = false;
  return give(link, copy, now);
}

/// A link that gets little or no work is never at its limit, so its rate is not measured. Copies of
/// pixels that a frame's own stripes carry keep it busy for a moment. No frame waits for a copy.
std::optional<Stripe> Striper::pull_copy(std::size_t link, LocalTime now) {
  auto& cells_left = links_[link].copy_cells;
  if (is_to_be_measured(link, now)) cells_left = cells_to_measure(link, now);
  if (cells_left == 0 || first_ == next_ || !retained(first_).is_begun || !is_in_flight())
    return std::nullopt;
  const auto cells =
      std::min({cells_left, std::size_t{options_.stripe_cells_max}, cells_per_frame_});
  cells_left -= cells;
  // No other link takes a copy over: the frame's own stripes bring its pixels.
  return give(link, {.frame = first_, .cells = cells, .is_taken_over = true}, now);
}

bool Striper::is_to_be_measured(std::size_t link, LocalTime now) const {
  const auto& progress = links_[link];
  const auto measured_at = progress.meter.measured_at();
  if (!measured_at || now - std::max(*measured_at, progress.copied_at) < kForgetTime) return false;
  const auto is_faster = [&](const LinkLoad& other) {
    return other.is_open && other.bytes_per_second > loads_[link].bytes_per_second;
  };
  return std::any_of(loads_.begin(), loads_.end(), is_faster);
}

/// Twice as many as before if copies have led to no measurement: the link may be much faster now.
std::size_t Striper::cells_to_measure(std::size_t link, LocalTime now) {
  auto& progress = links_[link];
  const bool is_first = progress.meter.measured_at() > progress.copied_at;
  const auto least = loads_[link].bytes_per_second * kCopySeconds + kCopyBytesMin;
  progress.copy_bytes = std::min(is_first ? least : progress.copy_bytes * 2, kCopyBytesMax);
  progress.copied_at = now;
  return static_cast<std::size_t>(std::ceil(progress.copy_bytes / cell_bytes_));
}

/// The last late stripe of the oldest frame among the other links. The late link may still bring
/// the stripes before it.
Flight* Striper::find_late(std::size_t link, LocalTime now) {
  Flight* found = nullptr;
  for (std::size_t other = 0; other < links_.size(); ++other) {
    if (other == link || !loads_[other].is_open || !is_late(other, now)) continue;
    if (seconds_to_finish(other) < seconds_to_finish(link) + kGainSeconds) continue;
    auto& flights = links_[other].flights;
    for (std::size_t i = 0; i < flights.size(); ++i) {
      auto& flight = flights.at(i);
      if (flight.is_taken_over || flight.frame < first_) continue;
      if (found == nullptr || flight.frame <= found->frame) found = &flight;
    }
  }
  return found;
}

void Striper::queue_all_of(std::optional<std::uint8_t> carrier) {
  for (auto index = first_; index < next_; index = index.next()) {
    auto& candidate = retained(index);
    for (auto& each : candidate.carriers) {
      if (each == kQueued || (carrier && each != *carrier)) continue;
      each = kQueued;
      ++candidate.queued;
    }
    candidate.first_queued = 0;
  }
  first_with_queued_ = first_;
}

void Striper::lose_link(std::size_t link) {
  SUBMIX_ASSERT(link < links_.size());
  loads_[link].is_open = false;
  links_[link].flights.clear();
  queue_all_of(static_cast<std::uint8_t>(link));
}

// Called with messages of the receiver.

Result<void> Striper::check_progress(FrameIndex released, FrameIndex limit) const {
  if (released > next_) {
    return fail("frame {} is called released, but {} is the next to be made", released.value,
                next_.value);
  }
  if (limit < released) {
    return fail("credit limit {} lies before the released frame {}", limit.value, released.value);
  }
  return {};
}

Result<void> Striper::welcome(const wire::Welcome& welcome) {
  if (auto checked = check_progress(welcome.next_frame, welcome.credit_limit); !checked)
    return checked;
  const bool is_new = instance_ != welcome.instance;
  if (is_new && welcome.next_frame < first_) {
    return fail("frame {} is wanted, but {} is the first retained", welcome.next_frame.value,
                first_.value);
  }

  release_before(welcome.next_frame);
  limit_ = is_new ? welcome.credit_limit : std::max(limit_, welcome.credit_limit);
  if (is_new) {
    queue_all_of(std::nullopt);
    for (auto& each : links_)
      each.flights.clear();
  }
  instance_ = welcome.instance;
  return {};
}

Result<void> Striper::acknowledge(const wire::Ack& ack) {
  if (ack.epoch != options_.epoch)
    return fail("epoch {} acknowledged, this is {}", ack.epoch, options_.epoch);
  if (auto checked = check_progress(ack.released, ack.credit_limit); !checked) return checked;
  release_before(ack.released);
  limit_ = std::max(limit_, ack.credit_limit);
  return {};
}

void Striper::release_before(FrameIndex released) {
  for (; first_ < released; first_ = first_.next())
    retained(first_).frame = {};
  first_with_queued_ = std::max(first_with_queued_, first_);
}

}  // namespace submix::stream
