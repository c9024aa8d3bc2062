// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/model/view/cluster_model.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace submix::cli {

/// Time until a view has rates: a second of readings, and some time for their arrival.
inline constexpr std::chrono::milliseconds kObservation{1300};

/// Time within which every present node has sent a reading: nodes send ten a second.
inline constexpr std::chrono::milliseconds kFirstReadings{330};

/// Collects all messages of the cluster during its lifetime.
///
/// Threads  Synchronized. Callbacks of the bus fill a model; view() reads the model.
class Observer {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Observer>> start(const Context& context);
  ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  [[nodiscard]] model::ClusterView view() SUBMIX_EXCLUDES(mutex_);
  /// The same, after asking the cluster since when each silent node is silent.
  [[nodiscard]] model::ClusterView view_with_silences() SUBMIX_EXCLUDES(mutex_);
  /// Waits until all present nodes have been measured for a second, for at most kObservation.
  /// Where nothing runs, until each has been heard twice.
  /// Without nodes it returns soon.
  [[nodiscard]] model::ClusterView measured_view() SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool is_store_silent() const { return connection_->bus().is_store_silent(); }
  [[nodiscard]] cluster::Cluster& cluster() { return connection_->cluster(); }

 private:
  Observer() = default;
  void on_state(cluster::Bus::State state) SUBMIX_EXCLUDES(mutex_);
  void on_show(const cluster::Revisioned<cluster::DesiredShow>& show) SUBMIX_EXCLUDES(mutex_);
  void on_good_show(const cluster::DesiredShow& show) SUBMIX_EXCLUDES(mutex_);
  // Reads the desired show into the model. An unreadable show becomes a show_error.
  void read_show() SUBMIX_EXCLUDES(mutex_);
  void subscribe();
  /// Asks the cluster how long silent nodes have been silent, because this observer did not listen
  /// then.
  void ask_for_silences(const model::ClusterView& view) SUBMIX_EXCLUDES(mutex_);
  template <typename Message>
  void accept(const Message& message) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    model_.accept(message, clock_.now());
  }

  const SteadyClock clock_;
  Mutex mutex_;
  model::ClusterModel model_ SUBMIX_GUARDED_BY(mutex_);
  std::shared_ptr<const show::Show> good_show_ SUBMIX_GUARDED_BY(mutex_);  // null: none is known
  std::string url_;
  // In this order, so that the subscriptions end first, then the connection, then the called
  // members.
  std::optional<ClusterConnection> connection_;
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
};

}  // namespace submix::cli
