// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/model/edit/show_editor.hpp"
#include "controller/model/plan/proven_shows.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/verdict/verdict_history.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "controller/session/actions.hpp"
#include "controller/session/due_follow_on.hpp"
#include "controller/session/edit_notices.hpp"
#include "controller/session/effect_shelf.hpp"
#include "controller/session/held_follow_on.hpp"
#include "controller/session/media_copy_jobs.hpp"
#include "controller/session/media_shelf.hpp"
#include "controller/session/opened_values.hpp"
#include "controller/session/picture_schedule.hpp"
#include "controller/session/plugin_questions.hpp"
#include "controller/session/show_file.hpp"
#include "controller/session/show_opening.hpp"
#include "controller/session/trace_job.hpp"
#include "controller/session/wanted_transport.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace submix::session {

using Picture = std::shared_ptr<const cluster::Snapshot>;
using Pictures = std::map<PictureKey, Picture>;

/// The settings of a Session and its SessionCore.
struct SessionSettings {
  std::string author;  ///< signs written shows: "submix-controller on rack2"
  /// Called by Session on `net` for each new view; must not wait. SessionCore does not call it.
  std::function<void()> on_change = {};
  bool is_read_only = false;                ///< nothing in the cluster is changed
  std::filesystem::path state_folder = {};  ///< of autosaves and snapshots; empty: none are kept
};

/// The logic of a session, without threads. Updates, actions and replies go in; requests, views and
/// pictures come out. Notices for people are events without a node.
///
/// Threads  Compatible.
/// Errors   Each refused action becomes a notice; nothing is lost silently.
class SessionCore {
 public:
  explicit SessionCore(SessionSettings settings)
      : author_(std::move(settings.author)),
        is_read_only_(settings.is_read_only),
        state_folder_(std::move(settings.state_folder)),
        file_(state_folder_) {}

  void handle(Update update, LocalTime now);
  void handle(const Action& action, LocalTime now);
  void handle(Reply reply, LocalTime now);

  /// The requests due now. Each must be answered by handle(Reply), in any order.
  [[nodiscard]] std::vector<Request> take_requests(LocalTime now);
  /// The same, but only requests for pictures, which are due more often.
  [[nodiscard]] std::vector<Request> take_picture_requests(LocalTime now);
  [[nodiscard]] std::optional<LocalTime> next_picture_due() const {
    return is_connected_ ? schedule_.next_due() : std::nullopt;
  }
  void set_messages_dropped(std::uint64_t count);
  /// Cost     Right after take_requests() for the same moment, the work of that call is reused.
  [[nodiscard]] model::ClusterView view(LocalTime now);
  [[nodiscard]] const Pictures& pictures() const { return pictures_; }
  /// The alerts of the next view.
  [[nodiscard]] auto alerts() const { return alerts_.alerts(); }
  /// True: no action of a person is left to be written.
  [[nodiscard]] bool is_settled() const;

 private:
  void on(ConnectionUpdate& update, LocalTime now);
  void on(RightsUpdate& update, LocalTime now);
  void on(VersionUpdate& update, LocalTime now);
  void on(ShowUpdate& update, LocalTime now);
  void on(GoodShowUpdate& update, LocalTime now);
  void on(AlertsSeenUpdate& update, LocalTime now);
  void on(ClockUpdate& update, LocalTime now);
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
  void on(const SetBlack& action, LocalTime now);
  void on(const SetFrozen& action, LocalTime now);
  void on(const SetTestCards& action, LocalTime now);
  void on(const OpenShow& action, LocalTime now);
  void on(const OpenWithMedia& action, LocalTime now);
  void on(const CancelOpen& action, LocalTime now);
  void on(const BeginShow& action, LocalTime now);
  void on(const SaveShow& action, LocalTime now);
  void on(const CancelSaves& action, LocalTime now);
  void on(const KeepSnapshot& action, LocalTime now);
  void on(const ListFolder& action, LocalTime now);
  void on(const AskPlugins& action, LocalTime now);
  void on(const AskMedia& action, LocalTime now);
  void on(const WatchMediaPictures& action, LocalTime now);
  void on(const WatchEffectPictures& action, LocalTime now);
  void on(const CopyMedia& action, LocalTime now);
  void on(const KeepStructure& action, LocalTime now);
  void on(const StopCopies& action, LocalTime now);
  void on(const WatchPictures& action, LocalTime now);
  void on(const Say& action, LocalTime now);
  void on(const WatchFigures& action, LocalTime now);
  void on(const TakeTrace& action, LocalTime now);
  void on(const CancelTrace& action, LocalTime now);
  void on(const SaveTrace& action, LocalTime now);
  void on(const SaveLedger& action, LocalTime now);
  void on(const CancelExports& action, LocalTime now);
  void on(const ForgetPlugins& action, LocalTime now);
  void on(const AcknowledgeAlert& action, LocalTime now);
  void on(const ForgetNode& action, LocalTime now);
  void on(ShowWritten& reply, LocalTime now);
  void on(TransportWritten& reply, LocalTime now);
  void on(PictureTaken& reply, LocalTime now);
  void on(PluginsListed& reply, LocalTime now);
  void on(MediaListed& reply, LocalTime now);
  void on(MediaPictureTaken& reply, LocalTime now);
  void on(EffectPictureTaken& reply, LocalTime now);
  void on(MissingMediaFound& reply, LocalTime now);
  void on(MediaCopied& reply, LocalTime now);
  void on(FileRead& reply, LocalTime now);
  void on(FileOfShowFound& reply, LocalTime now);
  void on(FileWritten& reply, LocalTime now);
  void on(FolderListed& reply, LocalTime now);
  void on(TextWritten& reply, LocalTime now);
  void on(TraceTold& reply, LocalTime now);
  void on(TracesMerged& reply, LocalTime now);
  void on(SeenAlertsShared& reply, LocalTime now);
  void on(NodeForgotten& reply, LocalTime now);

  /// Makes the edit that waited for a copied file.
  void play(const CopyMedia& copied, LocalTime now);
  /// Lets the next cue go if its time has come (model/edit/follow_on.hpp).
  void follow_on(LocalTime now);
  /// Whether the follow-on is held, because the show is paused.
  [[nodiscard]] bool is_follow_on_held(const show::Show& show, const FollowOnNow& moment,
                                       LocalTime now);
  void stop_following(const std::string& reason, LocalTime now);
  /// Replaces the show in one edit, after a snapshot of the present show. False: refused, with a
  /// notice.
  bool replace_show(std::shared_ptr<const show::Show> show, std::string title, LocalTime now);
  void step(const char* verb, const Result<model::Edit>& done, LocalTime now);
  void keep_snapshot();
  void write_file(WriteFile request);
  [[nodiscard]] bool can_write(const char* what, LocalTime now);
  [[nodiscard]] bool is_read_only() const {
    return is_read_only_ || rights_ != cluster::Rights::everything || !gap_to_desk_.empty();
  }
  void set_transport(const char* verb, bool cluster::DesiredTransport::* field, bool value,
                     LocalTime now);
  void want_transport(cluster::DesiredTransport transport);
  void show_draft(ShowCause cause);
  void say_left_out(const std::vector<std::string>& values, LocalTime now);
  void finish_opening(LocalTime now);
  void end_copy_for_opening(std::uint64_t number, const Result<void>& result, LocalTime now);
  void leave_recorders_off(ShowOpening::Opened& opened, const std::string& name, LocalTime now);
  void judge_opened(LocalTime now);
  [[nodiscard]] std::vector<std::string> healthy_nodes(LocalTime now) const;
  void say_autosaved(const Result<std::string>& written, LocalTime now);
  void say(Severity severity, std::string about, std::string text, LocalTime now);
  void say(const char* about, const Result<void>& result, LocalTime now);
  /// The cluster's state and its bottleneck: most of a view's work.
  [[nodiscard]] model::ClusterView observed(LocalTime now) const;
  /// Brings the observed state, its verdict and its alerts up to date.
  void observe(LocalTime now);
  void add_show_writes(std::vector<Request>& requests, LocalTime now);
  /// Pictures, plugin lists and media lists that are due.
  void add_questions(std::vector<Request>& requests, LocalTime now);
  /// Copies of files, removals of nodes, alerts that people have seen.
  void add_chores(std::vector<Request>& requests);

  std::string author_;
  const bool is_read_only_;  // by the person who started this controller
  cluster::Rights rights_ = cluster::Rights::everything;
  std::string gap_to_desk_;
  const std::filesystem::path state_folder_;
  ShowFile file_;
  std::string autosave_fault_;  // of the last autosave; empty: it was written
  std::vector<Request> file_requests_;
  int files_under_way_ = 0;  // files being written
  ShowOpening opening_;
  OpenedValues opened_values_;
  std::string unreadable_show_;  // the cluster's show as text if it cannot be parsed; else empty
  std::shared_ptr<const model::FolderView> folder_;
  model::ClusterModel model_;
  std::optional<model::ClusterView> observed_;  // the last result of observed(); empty: outdated
  model::ShowEditor editor_;
  std::uint64_t show_revision_ = 0;
  std::uint64_t own_revision_ = 0;  // the last revision that this session has written
  std::string show_author_;
  std::string show_error_;
  bool is_connected_ = false;
  std::optional<std::chrono::nanoseconds> clock_offset_;  // empty: not known yet

  std::shared_ptr<const show::Show> good_show_;  // null: none is known
  WantedTransport transport_;
  LocalTime show_retry_{};  // no write before this time

  model::VerdictHistory verdicts_;
  model::ProvenShows proven_shows_;
  PictureSchedule schedule_;
  Pictures pictures_;
  std::set<std::string> figures_watched_;  // streams
  TraceJob trace_;
  model::ExportView ledger_file_;
  std::stop_source exports_;  // exports not written yet
  model::AlertLog alerts_;
  LocalTime next_alerts_{};
  std::vector<std::string> nodes_to_forget_;
  EditNotices notices_;
  PluginQuestions plugins_;
  MediaShelf media_;
  EffectShelf effects_;
  MediaCopyJobs copies_;
  bool keeps_structure_ = false;  // a person performs
  HeldFollowOn held_follow_on_;
};

}  // namespace submix::session
