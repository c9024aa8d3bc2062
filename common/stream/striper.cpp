// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/striper.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

constexpr double kCellBytes = wire::kCellPixels * 3.0;

// A share below this is left to the others: the header, the call and the wake-up would cost more than it
// gains.
constexpr double kLeastShareBytes = 16 * 1024;

// A stripe takes as much of a link's time: short enough to plan by, long enough that the calls do not count.
constexpr double kStripeSeconds = 0.5e-3;

// What may be committed to a link. More of it would hold a frame hostage when the link slows down.
constexpr double kCommittedSeconds = 30e-3;

// Of links that carry more together, memory is the limit. One frame that waits keeps them busy; the others
// had better not be made yet: their pixels would leave the cache before they are sent.
constexpr double kSwiftBytesPerSecond = 1e9;

// Later than the plan by half and this, a link is late. Less would take a busy computer for a slow link.
constexpr auto kGrace = 3ms;

// Taking over costs the bytes twice, so it must gain as much.
constexpr double kGainSeconds = 8e-3;

// So long left out by the plan, a link is believed to be faster than it was. If it is not, another one takes
// over.
constexpr auto kForgetTime = 250ms;

// Links are looked at each millisecond. After a longer gap it was this computer that had no time.
constexpr auto kHeldUp = 4ms;

/// Of the fewest equal parts of `cells` that are no larger than `largest` one: no crumb is left to the last.
std::size_t even_part(std::size_t cells, std::size_t largest) {
  const auto parts = (cells + largest - 1) / largest;
  return parts == 0 ? 0 : (cells + parts - 1) / parts;
}

}  // namespace

Striper::Striper(StriperOptions options)
    : options_(options),
      cells_per_frame_((options.size.pixels() + wire::kCellPixels - 1) / wire::kCellPixels),
      entries_(options.frames_max),
      lines_(wire::kLinksMax) {
  SUBMIX_ASSERT(is_allowed(options.size) && options.frames_max > 0);
  SUBMIX_ASSERT(options.stripe_cells_min > 0 &&
                options.stripe_cells_min <= options.stripe_cells_max);
  SUBMIX_ASSERT(options.stripe_cells_max <= wire::kStripePixelsMax / wire::kCellPixels);
  for (auto& entry : entries_)
    entry.carriers.resize(cells_per_frame_, kQueued);
}

// ---- the patch's side

std::uint64_t Striper::credits() const {
  const auto room = first_.value + entries_.size();
  return std::max(std::min(limit_.value, room), next_.value) - next_.value;
}

bool Striper::has_credit() const {
  return credits() > 0;
}

void Striper::offer(const media::Frame& frame) {
  SUBMIX_ASSERT(has_credit() && frame && frame.size() == options_.size);
  auto& fresh = entry(next_);
  fresh.frame = frame;
  std::fill(fresh.carriers.begin(), fresh.carriers.end(), kQueued);
  fresh.first_queued = 0;
  fresh.queued = cells_per_frame_;
  fresh.is_begun = false;
  next_ = next_.next();
}

std::size_t Striper::frames_unbegun() const {
  auto oldest = next_.value;
  while (oldest > first_.value && !entry({oldest - 1}).is_begun)
    --oldest;
  return next_.value - oldest;
}

std::optional<FrameIndex> Striper::replace_oldest_unsent(const media::Frame& frame) {
  SUBMIX_ASSERT(frame && frame.size() == options_.size);
  const auto oldest = next_.value - frames_unbegun();
  if (oldest == next_.value) return std::nullopt;
  for (auto index = oldest; index + 1 < next_.value; ++index)
    entry({index}).frame = entry({index + 1}).frame;
  entry({next_.value - 1}).frame = frame;
  return FrameIndex{oldest};
}

// ---- the links' side

void Striper::open_link(std::size_t link) {
  lines_[link].given_bytes = lines_[link].known_bytes = lines_[link].arrived_bytes = 0;
  lines_[link].meter.restart();
  lines_[link].flights.clear();
  lines_[link].held_up = {};
  loads_[link].queued_bytes = 0;
  loads_[link].is_open = true;
}

void Striper::observe(std::size_t link, LocalTime now, const LinkBacklog& backlog) {
  auto& line = lines_[link];
  auto& load = loads_[link];
  const auto gap = now - line.observed;
  if (line.given_bytes > line.arrived_bytes && gap > kHeldUp) {
    line.held_up += gap;
    line.meter.restart();
  }
  line.observed = now;
  // Pings are queued, too, and were never given: what has arrived does not shrink for them.
  line.known_bytes = std::max(line.known_bytes,
                              line.given_bytes - std::min(backlog.queued_bytes, line.given_bytes));
  const auto unknown = line.given_bytes - line.known_bytes;
  const bool is_end = backlog.unsent_bytes == 0 && unknown <= 2 * backlog.segment_bytes;
  line.arrived_bytes = is_end ? line.given_bytes : std::max(line.arrived_bytes, line.known_bytes);
  const auto queued = is_end ? 0 : unknown;
  line.meter.observe(now, {line.known_bytes, queued, backlog.unsent_bytes, backlog.round_trip});
  line.flights.land_until(line.arrived_bytes);
  load.bytes_per_second = line.meter.bytes_per_second();
  load.is_lower_bound = !line.meter.measured_at();
  load.delay = Seconds(backlog.round_trip) / 2;
  load.queued_bytes = waiting_bytes(link, static_cast<double>(queued), gap);
}

/// What has left, and what of it has arrived without being acknowledged yet, keeps nothing else waiting: a
/// long way holds much of both.
double Striper::waiting_bytes(std::size_t link, double queued, LocalTime::duration passed) {
  const auto rate = planning_rate(loads_, link);
  const auto on_the_way = rate * 2 * loads_[link].delay.count();
  const auto by_rate = loads_[link].queued_bytes - rate * Seconds(passed).count();
  return std::clamp(by_rate, std::max(0.0, queued - on_the_way), queued);
}

std::optional<Stripe> Striper::pull(std::size_t link, LocalTime now) {
  SUBMIX_ASSERT(link < lines_.size() && loads_[link].is_open);
  if (loads_[link].queued_bytes > queue_limit_bytes(link)) return std::nullopt;
  hope_for(link, now);
  if (auto stripe = pull_share(link, now)) return stripe;
  return pull_late(link, now);
}

std::optional<Stripe> Striper::pull_whole(std::size_t link) {
  SUBMIX_ASSERT(link < lines_.size());
  for (auto index = first_with_queued_; index < std::min(next_, limit_); index = index.next()) {
    auto& source = entry(index);
    if (source.queued == 0) continue;
    source.is_begun = true;
    std::fill(source.carriers.begin(), source.carriers.end(), static_cast<std::uint8_t>(link));
    source.queued = 0;
    first_with_queued_ = index.next();
    return Stripe{source.frame,
                  {options_.epoch, index, source.frame.stamp().pts, 0,
                   static_cast<std::uint32_t>(options_.size.pixels())}};
  }
  return std::nullopt;
}

bool Striper::is_under_way() const {
  const bool is_any_waiting = has_queued();
  for (std::size_t link = 0; link < lines_.size(); ++link) {
    const auto& line = lines_[link];
    if (loads_[link].is_open && (is_any_waiting || line.given_bytes > line.arrived_bytes))
      return true;
  }
  return false;
}

bool Striper::has_queued() const {
  for (auto index = first_with_queued_; index < std::min(next_, limit_); index = index.next()) {
    if (entry(index).queued > 0) return true;
  }
  return false;
}

bool Striper::has_plenty() const {
  double bytes_per_second = 0;
  for (const auto& load : loads_) {
    if (load.is_open) bytes_per_second += load.bytes_per_second;
  }
  return bytes_per_second > kSwiftBytesPerSecond && has_queued();
}

double Striper::queue_limit_bytes(std::size_t link) const {
  return std::max(planning_rate(loads_, link) * kCommittedSeconds,
                  2 * options_.stripe_cells_min * kCellBytes);
}

std::size_t Striper::stripe_cells(std::size_t link) const {
  const auto cells = planning_rate(loads_, link) * kStripeSeconds / kCellBytes;
  return static_cast<std::size_t>(std::clamp(cells, static_cast<double>(options_.stripe_cells_min),
                                             static_cast<double>(options_.stripe_cells_max)));
}

std::optional<Stripe> Striper::pull_share(std::size_t link, LocalTime now) {
  const auto open_links = static_cast<double>(std::count_if(
      loads_.begin(), loads_.end(), [](const LinkLoad& load) { return load.is_open; }));
  // A new receiver may grant less than the former one did: what is beyond stays here.
  const auto end = std::min(next_, limit_);
  double remaining = 0;
  for (auto index = first_with_queued_; index < end; index = index.next()) {
    const auto queued = entry(index).queued;
    if (queued == 0) {
      if (index == first_with_queued_) first_with_queued_ = index.next();
      continue;
    }
    remaining += static_cast<double>(queued) * kCellBytes;
    const auto share = fair_share(loads_, link, remaining);
    // The n-th part is what at least one link has: somebody takes the last cells. Rounding must not prevent
    // it.
    if (share < std::min(kLeastShareBytes, remaining / open_links * (1 - 1e-9))) continue;
    const auto cells = static_cast<std::size_t>(std::ceil(share / kCellBytes * (1 - 1e-9)));
    return cut(link, index, std::max<std::size_t>(even_part(cells, stripe_cells(link)), 1), now);
  }
  return std::nullopt;
}

/// A link that was slow for a while, and is given little or nothing since, would be taken for slow for ever.
void Striper::hope_for(std::size_t link, LocalTime now) {
  auto& line = lines_[link];
  const auto measured_at = line.meter.measured_at();
  if (!measured_at || now - std::max(*measured_at, line.hoped_at) < kForgetTime) return;
  double fastest = 0;
  for (const auto& each : loads_) {
    if (each.is_open) fastest = std::max(fastest, each.bytes_per_second);
  }
  if (fastest <= loads_[link].bytes_per_second) return;
  line.hoped_at = now;
  line.meter.hope(fastest);
  loads_[link].bytes_per_second = line.meter.bytes_per_second();
}

Stripe Striper::cut(std::size_t link, FrameIndex index, std::size_t cells, LocalTime now) {
  auto& source = entry(index);
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
              {index,
               static_cast<std::size_t>(first - begin),
               static_cast<std::size_t>(last - first),
               0,
               {},
               false},
              now);
}

Stripe Striper::give(std::size_t link, Flight flight, LocalTime now) {
  const auto offset = flight.first_cell * wire::kCellPixels;
  const auto pixels = std::min(flight.cells * wire::kCellPixels, options_.size.pixels() - offset);
  const auto bytes = wire::kStripeHeaderBytes + pixels * 3;
  auto& load = loads_[link];
  auto& line = lines_[link];
  load.queued_bytes += static_cast<double>(bytes);
  line.given_bytes += bytes;
  flight.end_bytes = line.given_bytes;
  flight.is_taken_over = false;
  flight.due = now - line.held_up + kGrace +
               std::chrono::duration_cast<LocalTime::duration>(
                   1.5 * (Seconds(seconds_to_finish(link)) + loads_[link].delay));
  line.flights.add(flight);
  const auto& frame = entry(flight.frame).frame;
  return {frame,
          {options_.epoch, flight.frame, frame.stamp().pts, static_cast<std::uint32_t>(offset),
           static_cast<std::uint32_t>(pixels)}};
}

bool Striper::is_late(std::size_t link, LocalTime now) const {
  const auto& line = lines_[link];
  return !line.flights.is_empty() && line.flights.oldest().due + line.held_up < now;
}

double Striper::seconds_to_finish(std::size_t link) const {
  return loads_[link].queued_bytes / planning_rate(loads_, link) + loads_[link].delay.count();
}

std::optional<Stripe> Striper::pull_late(std::size_t link, LocalTime now) {
  // Where this one is late, too, the receiver or this computer is what is slow.
  if (is_late(link, now)) return std::nullopt;
  auto* const late = find_late(link, now);
  if (late == nullptr) return std::nullopt;
  late->is_taken_over = true;
  ++stripes_taken_over_;
  auto& carriers = entry(late->frame).carriers;
  std::fill_n(carriers.begin() + static_cast<std::ptrdiff_t>(late->first_cell), late->cells,
              static_cast<std::uint8_t>(link));
  return give(link, *late, now);
}

/// Of what other links are late with, the last piece of the oldest frame: the late link may still bring those
/// before it.
Flight* Striper::find_late(std::size_t link, LocalTime now) {
  Flight* found = nullptr;
  for (std::size_t other = 0; other < lines_.size(); ++other) {
    if (other == link || !loads_[other].is_open || !is_late(other, now)) continue;
    if (seconds_to_finish(other) < seconds_to_finish(link) + kGainSeconds) continue;
    auto& flights = lines_[other].flights;
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
    auto& candidate = entry(index);
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
  SUBMIX_ASSERT(link < lines_.size());
  loads_[link].is_open = false;
  lines_[link].flights.clear();
  queue_all_of(static_cast<std::uint8_t>(link));
}

// ---- the receiver's words

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
    for (auto& line : lines_)
      line.flights.clear();
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
    entry(first_).frame = {};
  first_with_queued_ = std::max(first_with_queued_, first_);
}

}  // namespace submix::stream
