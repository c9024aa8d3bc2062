// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/cluster_model.hpp"
#include "controller/model/show_editor.hpp"
#include "controller/session/actions.hpp"
#include "controller/session/picture_schedule.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::session {

using Picture = std::shared_ptr<const cluster::Snapshot>;
using Pictures = std::map<PictureKey, Picture>;

/// What a session does, without its threads: updates, actions and replies go in; requests, views and
/// pictures come out. Notices for people are events of no node.
///
/// Threads  Compatible.
/// Errors   Each refused action becomes a notice; nothing is lost in silence.
class Desk {
 public:
  /// `author` signs what is written: "submix-controller on rack2".
  explicit Desk(std::string author) : author_(std::move(author)) {}

  void handle(Update update, LocalTime now);
  void handle(const Action& action, LocalTime now);
  void handle(Reply reply, LocalTime now);

  /// What is to be asked now. Each is to be answered by handle(Reply), in any order.
  [[nodiscard]] std::vector<Request> take_requests(LocalTime now);
  void set_messages_dropped(std::uint64_t count) { model_.set_messages_dropped(count); }
  [[nodiscard]] model::ClusterView view(LocalTime now) const;
  [[nodiscard]] const Pictures& pictures() const { return pictures_; }

 private:
  void on(ConnectionUpdate& update, LocalTime now);
  void on(ShowUpdate& update, LocalTime now);
  void on(TransportUpdate& update, LocalTime now);
  template <typename Report>
  void on(Report& report, LocalTime now) {
    model_.accept(std::move(report), now);
  }
  void on(const EditShow& action, LocalTime now);
  void on(const Undo& action, LocalTime now);
  void on(const Redo& action, LocalTime now);
  void on(const SetPaused& action, LocalTime now);
  void on(const Step& action, LocalTime now);
  void on(const WatchPictures& action, LocalTime now);
  void on(ShowWritten& reply, LocalTime now);
  void on(TransportWritten& reply, LocalTime now);
  void on(PictureTaken& reply, LocalTime now);
  void on(PluginsListed& reply, LocalTime now);

  [[nodiscard]] bool can_write(const char* what, LocalTime now);
  void want_transport(cluster::DesiredTransport transport);
  void show_draft();
  void say(Severity severity, std::string about, std::string text, LocalTime now);
  void say(const char* about, const Result<void>& result, LocalTime now);
  [[nodiscard]] std::vector<std::string> nodes_to_ask_for_plugins(const model::ClusterView& view,
                                                                  LocalTime now);

  std::string author_;
  model::ClusterModel model_;
  model::ShowEditor editor_;
  std::uint64_t show_revision_ = 0;
  std::string show_author_;
  std::string show_error_;
  bool is_connected_ = false;

  cluster::DesiredTransport transport_;                        // what the cluster has
  std::optional<cluster::DesiredTransport> transport_wanted_;  // not written yet
  bool is_transport_under_way_ = false;
  LocalTime show_retry_{};  // no write before this

  PictureSchedule schedule_;
  Pictures pictures_;
  std::map<std::string, LocalTime> plugins_asked_;  // by node
};

}  // namespace submix::session
