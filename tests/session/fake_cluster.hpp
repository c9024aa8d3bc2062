// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "controller/session/cluster_access.hpp"

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::session {

/// A cluster in memory. It keeps one show and checks revisions like the real one. Synchronized.
class FakeCluster final : public ClusterAccess {
 public:
  void start(std::function<void(Update)> deliver) override { deliver_ = std::move(deliver); }
  void stop() override { chatter_ = {}; }
  /// Delivers news of another part of the cluster.
  void say(Update update) { deliver_(std::move(update)); }
  /// Delivers the same update again and again, from its own thread, until stop().
  void chatter(cluster::NodeReport report) {
    chatter_ = std::jthread([this, report](const std::stop_token& stop) {
      while (!stop.stop_requested())
        deliver_(report);
    });
  }

  NodeCheck ask_nodes(const show::Show* before, const show::Show& after) override {
    return on_ask_ ? on_ask_(before, after) : NodeCheck();
  }
  /// Sets the nodes' opinion of a show before it is written; call before start().
  void on_ask(std::function<NodeCheck(const show::Show*, const show::Show&)> answer) {
    on_ask_ = std::move(answer);
  }
  Result<std::chrono::nanoseconds> show_time() override {
    return std::chrono::seconds(1'795'000'000);
  }
  WriteOutcome write_show(const cluster::DesiredShow& show,
                          std::uint64_t expected_revision) override {
    std::uint64_t revision = 0;
    {
      MutexLock lock(mutex_);
      if (expected_revision != revision_) return {WriteOutcome::Kind::refused, 0, {}};
      revision = ++revision_;
    }
    if (on_write_) on_write_();
    deliver_(ShowUpdate{show, revision});
    return {WriteOutcome::Kind::accepted, revision, {}};
  }
  Result<void> write_transport(const cluster::DesiredTransport& transport) override {
    deliver_(TransportUpdate{transport});
    return {};
  }
  Result<cluster::Snapshot> take_snapshot(const std::string&,
                                          const cluster::Command& command) override {
    return cluster::Snapshot{{1, 1}, 7, command.submix.substr(0, 3)};
  }
  Result<cluster::MediaList> list_media(const std::string&) override {
    return cluster::MediaList();
  }
  Result<cluster::MediaPicture> take_media_picture(const std::string& node, const std::string&,
                                                   double) override {
    return fail("node \"{}\" has no files", node);
  }
  Result<cluster::Snapshot> take_effect_picture(const std::string& node, const show::Port&,
                                                const std::string&) override {
    return fail("node \"{}\" has no plugins", node);
  }
  Result<void> copy_media(const MediaOrigin& origin, const std::string& node, const std::string&,
                          const CopyWatch& go_on) override {
    if (!go_on({.bytes = 5, .bytes_all = 10})) return fail("{}: was stopped", origin.file);
    if (node == "full") return fail("{}: its disk is full", node);
    return {};
  }
  Result<std::vector<cluster::PluginSummary>> list_plugins(const std::string&) override {
    return plugins_;
  }
  /// Sets the plugins of every node; call before start().
  void set_plugins(std::vector<cluster::PluginSummary> plugins) { plugins_ = std::move(plugins); }
  Result<void> change_alerts_seen(const std::vector<std::string>& seen,
                                  const std::vector<std::string>& over) override {
    AlertsSeenUpdate update;
    {
      MutexLock lock(mutex_);
      for (const auto& thing : over)
        std::erase(seen_.things, thing);
      seen_.things.insert(seen_.things.end(), seen.begin(), seen.end());
      update.seen = seen_;
    }
    deliver_(update);
    return {};
  }
  Result<void> forget_node(const std::string&) override { return {}; }
  Result<std::string> take_trace(const std::string& node, std::chrono::seconds) override {
    return fail("node \"{}\" has no trace", node);
  }
  /// Sets a function called for each written show; call before start().
  void on_write(std::function<void()> call) { on_write_ = std::move(call); }
  void set_revision(std::uint64_t revision) {
    MutexLock lock(mutex_);
    revision_ = revision;
  }

 private:
  std::function<void(Update)> deliver_;
  std::function<void()> on_write_;
  std::function<NodeCheck(const show::Show*, const show::Show&)> on_ask_;
  Mutex mutex_;
  std::uint64_t revision_ SUBMIX_GUARDED_BY(mutex_) = 0;
  cluster::AlertsSeen seen_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<cluster::PluginSummary> plugins_{1};
  std::jthread chatter_;
};

}  // namespace submix::session
