// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "controller/simulation/incidents.hpp"
#include "controller/simulation/node.hpp"
#include "controller/simulation/patch.hpp"
#include "controller/simulation/stream.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::simulation {

/// All simulated nodes, their parts of the show, and their incidents. A world knows no
/// network: its caller passes in the desired state and asks for the nodes' messages.
///
/// Threads  Compatible.
/// Cost     advance(): about 1 ms for a tenth of a second of 64 nodes with 1,000 slots.
class World {
 public:
  struct WorldSettings {
    std::vector<std::string> nodes;
    std::uint64_t seed = 1;
    bool has_incidents = true;  ///< false: nothing goes wrong by itself
    int cable_mbit = 0;  ///< speed of each cable and card; 0: a third more than each stream needs
  };
  World(WorldSettings settings, LocalTime now);

  /// Follows the present desired state. `show` must be valid.
  void follow(const show::Show& show, std::uint64_t revision);
  void follow(const cluster::DesiredTransport& transport);
  /// Advances everything to `now`. A gap of more than a second is skipped.
  void advance(LocalTime now);

  // Faults for drills. Unknown names are ignored.

  /// Share of the full rate; 1: full speed; 0.1: a tenth.
  void set_speed(std::string_view stream, std::size_t link, double share);
  /// Closes the link for the reason `why`. Empty: the link opens again.
  void cut(std::string_view stream, std::size_t link, const std::string& why);
  void kill(std::string_view node);
  void revive(std::string_view node);
  /// Each frame of the stream is on its way this long, whatever its links carry.
  void set_delay(std::string_view stream, std::chrono::milliseconds delay);
  /// Tells which thread of a node has lost real-time priority. Empty: none.
  void lose_realtime(std::string_view node, const std::string& reason);
  /// The slot computes `factor` times as long as usual on a frame. Edits do not change the factor.
  void set_load(const show::Port& slot, double factor);
  /// Why the slot's plugin does not work. Empty: it works.
  void set_trouble(const show::Port& slot, const std::string& why);

  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] const Node& node(std::size_t i) const { return nodes_.at(i); }
  /// The next reading of a living node.
  [[nodiscard]] telemetry::NodeReading next_reading(std::size_t node);
  /// Events since the last call.
  [[nodiscard]] std::vector<cluster::Event> take_events() { return std::exchange(events_, {}); }
  [[nodiscard]] Result<cluster::Snapshot> picture(std::size_t node,
                                                  const cluster::Command& command) const;
  /// The node's last `look_back` as a Chrome trace.
  [[nodiscard]] std::string trace(std::size_t node, std::chrono::seconds look_back) const;
  [[nodiscard]] const show::Show& show() const { return show_; }

 private:
  struct RunningPatch {
    Patch patch;
    Node* node = nullptr;  // the node that runs the patch
    double slowness = 1;
  };

  struct SlowLink {
    std::string stream;
    std::size_t link = 0;
  };
  struct StreamEnds {
    const RunningPatch* from = nullptr;
    const RunningPatch* to = nullptr;
  };

  [[nodiscard]] Stream successor(const show::Stream& stated, const show::Show& before,
                                 std::vector<Stream>& former, bool is_same_picture);
  void report(std::uint64_t revision);
  [[nodiscard]] Node* find_node(std::string_view name);
  [[nodiscard]] Link* find_link(std::string_view stream, std::size_t link);
  void load_slots();
  [[nodiscard]] const Node* find_node_of(std::string_view submix);
  [[nodiscard]] const RunningPatch* find_patch(std::string_view submix) const;
  void prepare_nodes();
  void step();
  void carry(Stream& stream, const StreamEnds& ends);
  void happen(const Incident& incident);
  void slow_link(std::uint64_t victim);
  void end_slow_link();
  void say_of_link(const Stream& stream, std::size_t link, Severity severity,
                   std::string_view text);
  void change_node(const Incident& incident);
  void restart(Node& node);
  void break_slot(std::uint64_t victim);
  void end_broken_slot();
  void say(const Node& node, Severity severity, std::string about, std::string_view text);

  const WorldSettings settings_;
  std::vector<Node> nodes_;  // never resized: patches point into it
  show::Show show_;
  std::vector<Stream> streams_;
  std::vector<RunningPatch> patches_;
  std::vector<StreamEnds> ends_;  // for each stream
  cluster::DesiredTransport transport_;
  std::uint64_t steps_due_ = 0;
  LocalTime now_;
  std::chrono::nanoseconds age_{0};
  std::vector<cluster::Event> events_;
  // Present faults, by name because the show may be edited meanwhile.
  std::optional<SlowLink> slowed_;
  std::optional<show::Port> broken_;
  std::vector<std::pair<show::Port, double>> loads_;
};

}  // namespace submix::simulation
