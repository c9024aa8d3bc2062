// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/link.hpp"
#include "common/link/link_stats.hpp"
#include "common/link/local_way.hpp"
#include "common/link/pairing.hpp"
#include "common/link/stream_context.hpp"
#include "common/telemetry/readings.hpp"
#include "common/wire/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace submix::link {

class SenderCore;

/// The links of one stream, and what becomes of them: which there shall be, when each connects and tries
/// again, what stands in its way, what people are told about it.
///
/// Owner    The SenderCore, which outlives its links.
/// Threads  net; what is for telemetry says so.
class SenderLines {
 public:
  SenderLines(StreamContext& context, SenderCore& core, MakeOutgoingLink make_link);

  void set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                       const LocalEndpoint& door);
  void set_links(LinkWish wish);
  /// From now on a lost link is no news.
  void expect_successor() { expects_successor_ = true; }
  /// What the wish, both ends' addresses, the cards and the local way make of it now.
  void update();
  /// Connects what is due, and closes what is silent. Once in kTick.
  void tick();
  void shut_down();

  /// Those that were tried or are open, told that there may be something to send.
  void wake();
  /// The link at this place while it carries stripes, else null.
  [[nodiscard]] OutgoingLink* carrier(std::size_t index);
  /// Those but `link` still lead to the receiver's former life; they connect anew.
  void reopen_all_but(std::size_t link);
  /// One more than the greatest number of a link.
  [[nodiscard]] std::size_t count_on_wire() const;

  // -- for the links
  /// Holds a socket that is about to connect on its card, where that is right.
  void hold_on_card(int socket, const LinkPath& path);
  /// Of a socket that is not connected yet; what the kernel does not offer is an event.
  void control_congestion(int descriptor);
  void opened(std::size_t link);
  /// The receiver has found a wrong checksum and closes it.
  void damaged(std::size_t link) { lines_[link].is_suspect = true; }
  void refused(wire::RefusalCode code);
  void lost(std::size_t link, const std::string& reason);

  /// Puts the peer and the links into `reading`. Any thread.
  void report(telemetry::StreamReading& reading, LocalTime now) const SUBMIX_EXCLUDES(mutex_);

 private:
  /// One of the stream's links, connected or not. Its place is its number on the wire.
  struct Line {
    LinkPath path;
    std::shared_ptr<LinkStats> stats;    // null: the place is free
    std::shared_ptr<OutgoingLink> link;  // null: between two attempts
    int failures = 0;                    // in a row
    int ticks_to_retry = 0;
    bool is_reported = false;  // people know that it is lost
    std::optional<std::string>
        obstacle;             // why there can be no connection; "": none; empty: not looked yet
    bool is_parked = false;   // no attempt until the obstacle is gone
    bool is_held = false;     // on its card
    bool is_suspect = false;  // it has damaged a stripe, and not been good for long since
    std::optional<LocalTime> open_since;

    [[nodiscard]] bool has_obstacle() const { return obstacle && !obstacle->empty(); }
    [[nodiscard]] bool is_open() const { return link != nullptr && link->is_open(); }
  };

  [[nodiscard]] std::vector<LinkPath> wanted_paths(const LinkPlaces& now) const;
  [[nodiscard]] std::vector<LinkPath> wanted_tcp_paths(const LinkPlaces& now) const;
  [[nodiscard]] LinkPlaces places() const;
  [[nodiscard]] std::size_t line_count() const;
  void add_line(std::size_t index, const LinkPath& path);
  void remove_line(std::size_t index, const std::string& reason);
  void close_line(std::size_t index, const std::string& reason);
  void abandon_line(std::size_t index);
  void publish() SUBMIX_EXCLUDES(mutex_);

  void connect(std::size_t index);
  /// Not within kFlapPause of the last attempt at its place.
  void connect_soon(std::size_t index);
  void count_failure(Line& line);
  [[nodiscard]] int ticks_to_retry(int failures);
  void check_silence();

  void look_at_obstacles();
  void check_way(std::size_t index);
  [[nodiscard]] std::string warning_of_line(std::size_t index) const;
  void report_loss(std::size_t index, const std::string& reason);
  void lost_local(const std::string& reason, bool is_its_fault);

  StreamContext& context_;
  SenderCore& core_;
  const MakeOutgoingLink make_link_;
  std::string peer_;
  std::vector<DataEndpoint> endpoints_;
  LinkWish wish_;
  LocalWay local_way_;
  std::array<Line, wire::kLinksMax> lines_;
  std::array<LocalTime, wire::kLinksMax> attempts_{};  // the last one at each place
  std::minstd_rand random_;
  std::optional<wire::RefusalCode> last_refusal_;
  bool is_congestion_reported_ = false;
  bool expects_successor_ = false;
  bool is_shut_down_ = false;

  mutable Mutex mutex_;
  std::vector<std::shared_ptr<LinkStats>> published_lines_ SUBMIX_GUARDED_BY(mutex_);
  std::string published_peer_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
