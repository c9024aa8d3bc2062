// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/link/cards/pairing.hpp"
#include "common/link/link.hpp"
#include "common/link/link_stats.hpp"
#include "common/link/local/local_path_selector.hpp"
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

/// Manages the links of one stream: which links exist, when each connects and retries, what
/// prevents a connection, and which events people get.
///
/// Owner    Its Client, the SenderCore, which outlives its links.
/// Threads  Confined (net); report(): any thread.
class LinkSupervisor {
 public:
  /// The supervisor's calls to its stream's core.
  class Client {
   public:
    virtual ~Client() = default;
    /// The owner that new links report to.
    [[nodiscard]] virtual std::shared_ptr<LinkOwner> link_owner() = 0;
    /// The link carries stripes from now on.
    virtual void open_link(std::size_t link) = 0;
    /// The other links take over what this link had not delivered.
    virtual void lose_link(std::size_t link) = 0;
    virtual void wake_links() = 0;
    /// A newer sender has taken over.
    virtual void supersede() = 0;
  };

  /// `options` and `client` outlive the supervisor.
  LinkSupervisor(StreamContext& context, const SenderOptions& options, Client& client,
                 MakeOutgoingLink make_link);

  void set_destination(std::string node, std::vector<DataEndpoint> endpoints,
                       const LocalEndpoint& local_endpoint);
  void set_links(LinkSetup setup);
  /// From now on a lost link causes no event.
  void expect_successor() { expects_successor_ = true; }
  /// Works out the wanted links from the setup, both ends' addresses, the cards and the local path.
  /// Opens and closes links accordingly.
  void update();
  /// Connects links that are due and closes silent links. Called once in kTick.
  void tick();
  void shut_down();

  /// Makes all open links try to write.
  void wake();
  /// The link with this index while it carries stripes, else null.
  [[nodiscard]] OutgoingLink* carrier(std::size_t index);
  /// The receiver has restarted: all links except `link` connect again.
  void reopen_all_but(std::size_t link);
  /// The greatest index of a link, plus one.
  [[nodiscard]] std::size_t count_on_wire() const;

  // Called by links, through the client.
  /// Binds a socket to its card before it connects, see bind_where_needed().
  void bind_to_card(int socket, const LinkPath& path);
  /// Sets the congestion control of a socket before it connects. A refusal by the kernel becomes an
  /// event.
  void control_congestion(int descriptor);
  void opened(std::size_t link);
  void lost(std::size_t link, const LinkLoss& loss);

  /// Adds the peer and the links to `reading`. Any thread.
  void report(telemetry::StreamReading& reading, LocalTime now) const SUBMIX_EXCLUDES(mutex_);

 private:
  /// One of the stream's links, connected or not. Its position in the array is its index on the
  /// wire.
  struct LinkSlot {
    LinkPath path;
    std::shared_ptr<LinkStats> stats;    // null: unused
    std::shared_ptr<OutgoingLink> link;  // null: between two attempts
    int failures = 0;                    // in a row
    int ticks_to_retry = 0;
    bool is_reported = false;  // an event has reported the loss
    // why no connection is possible; "": nothing; empty: not checked yet
    std::optional<std::string> obstacle;
    bool is_parked = false;   // no attempt until the obstacle is gone
    bool is_bound = false;    // bound to its card
    bool is_suspect = false;  // has damaged a stripe, and has not worked for kSuspectTime since
    std::optional<LocalTime> open_since;

    [[nodiscard]] bool has_obstacle() const { return obstacle && !obstacle->empty(); }
    [[nodiscard]] bool is_open() const { return link != nullptr && link->is_open(); }
  };

  [[nodiscard]] std::vector<LinkPath> wanted_paths(const PathTable& now) const;
  [[nodiscard]] std::vector<LinkPath> wanted_tcp_paths(const PathTable& now) const;
  [[nodiscard]] PathTable paths() const;
  [[nodiscard]] std::size_t slot_count() const;
  void add_slot(std::size_t index, const LinkPath& path);
  void remove_slot(std::size_t index, const std::string& reason);
  void close_slot(std::size_t index, const std::string& reason);
  void abandon_slot(std::size_t index);
  void publish() SUBMIX_EXCLUDES(mutex_);

  void connect(std::size_t index);
  /// Connects, but at the earliest kFlapPause after the last attempt with this index.
  void connect_soon(std::size_t index);
  void count_failure(LinkSlot& slot);
  [[nodiscard]] int ticks_to_retry(int failures);
  void follow_refusal(wire::RefusalCode code);
  void check_silence();
  void renew_one();

  void update_obstacles();
  void update_warning(std::size_t index);
  [[nodiscard]] std::string warning_of_slot(std::size_t index) const;
  [[nodiscard]] static bool is_worth_telling(const LinkSlot& slot, const LinkLoss& loss);
  void report_loss(std::size_t index, const std::string& reason);
  void lost_local(const std::string& reason, bool is_local_fault);

  StreamContext& context_;
  const SenderOptions& options_;
  Client& client_;
  const MakeOutgoingLink make_link_;
  std::string peer_;
  std::vector<DataEndpoint> endpoints_;
  LinkSetup setup_;
  LocalPathSelector local_path_;
  std::array<LinkSlot, wire::kLinksMax> slots_;
  std::array<LocalTime, wire::kLinksMax> attempts_{};  // last attempt with each index
  std::minstd_rand random_;
  bool is_congestion_reported_ = false;
  bool expects_successor_ = false;
  bool is_shut_down_ = false;

  mutable Mutex mutex_;
  std::vector<std::shared_ptr<LinkStats>> published_stats_ SUBMIX_GUARDED_BY(mutex_);
  std::string published_peer_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::link
