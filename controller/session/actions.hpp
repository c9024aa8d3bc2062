// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/cluster_access.hpp"
#include "controller/session/trace_merge.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace submix::session {

/// Which picture: a slot's newest frame; an empty slot is the submix's last.
struct PictureKey {
  std::string submix;
  std::string slot;

  friend auto operator<=>(const PictureKey&, const PictureKey&) = default;
};

// ---- what people want ----------------------------------------------------------------------------------

struct EditShow {
  model::Edit edit;
  std::uint64_t gesture = 0;  ///< the same for all edits of one drag
  bool is_undoable = true;    ///< false: a fader of MIDI or OSC, which makes no step of undo
  std::vector<std::string>
      left_out{};  ///< what no plugin takes, for people; told once while a hand moves
};
struct Undo {
  std::uint64_t step =
      0;  ///< EditView's: nothing is done once another one is the newest; 0: whichever is
};
struct Redo {};
struct SetPaused {
  bool is_paused = false;
};
struct Step {};
/// Puts the show of a file in the place of the present one, of which a snapshot is kept.
struct OpenShow {
  std::string path;
};
/// The file that is being read is not opened.
struct CancelOpen {};
/// The same as OpenShow with one that is in no file yet.
struct BeginShow {
  std::shared_ptr<const show::Show> show;
};
struct SaveShow {
  std::string path = {};     ///< empty: where it was opened or saved last
  bool may_replace = false;  ///< another file that is there under this name
  /// Who waits for its end finds this in ShowFileView; 0: nobody does.
  std::uint64_t ticket = 0;
};
/// What the disk has not been given yet is not written.
struct CancelSaves {};
/// Keeps a copy of the show, with the time in its name.
struct KeepSnapshot {};
struct ListFolder {
  std::string path;
};
/// Asks a node for its plugins, once it is here and unless it has told them.
struct AskPlugins {
  std::string node;
};
/// Asks it no more, unless it runs something that nobody has described.
struct ForgetPlugins {
  std::string node;
};
/// The pictures to keep fresh from now on; those left out are no longer asked for.
struct WatchPictures {
  std::vector<PictureKey> keys;
  std::optional<PictureKey> large{};  ///< one of them that fills the window
};
/// A notice for people: an event of no node.
struct Say {
  Severity severity = Severity::note;
  std::string about;
  std::string text;
};
/// The streams whose figures are to be in the view from now on; see model/figures.hpp.
struct WatchFigures {
  std::set<std::string> streams;
};
/// What all nodes did in the last seconds; a trace that is being taken is given up for it.
struct TakeTrace {
  int seconds = 5;
};
struct CancelTrace {};
/// The last trace, as a Chrome trace.
struct SaveTrace {
  std::string path;
};
/// The ledger as it is now.
struct SaveLedger {
  enum class Form { csv, json };
  Form form = Form::csv;
  std::string path;
};
/// Traces and ledgers that are not written yet: nothing is left of them.
struct CancelExports {};
/// Somebody has seen it.
struct AcknowledgeAlert {
  std::uint64_t id = 0;  ///< 0: all
};
/// A node that has left and is in no show: the cluster, and this controller, know it no more.
struct ForgetNode {
  std::string node;
};
using Action = std::variant<EditShow, Undo, Redo, SetPaused, Step, OpenShow, CancelOpen, BeginShow,
                            SaveShow, CancelSaves, KeepSnapshot, ListFolder, AskPlugins,
                            WatchPictures, Say, WatchFigures, TakeTrace, CancelTrace, SaveTrace,
                            SaveLedger, CancelExports, ForgetPlugins, AcknowledgeAlert, ForgetNode>;

// ---- what is asked of the cluster, each answered by one reply --------------------------------------------

struct WriteShow {
  cluster::DesiredShow show;
  std::uint64_t expected_revision = 0;
  std::shared_ptr<const show::Show> before;  ///< what it takes the place of; null: nothing
  std::shared_ptr<const show::Show> after;   ///< what its text says
};
struct WriteTransport {
  cluster::DesiredTransport transport;
};
struct TakePicture {
  PictureKey key;
  std::string node;
  std::string slot;  ///< of the node's patch
  bool is_large = false;
};
struct ListPlugins {
  std::string node;
};
/// Of the controller's own machine; like the cluster, a disk can be slow.
struct ReadFile {
  std::string path;
};
struct WriteFile {
  enum class Purpose { save, autosave, snapshot };
  Purpose purpose = Purpose::save;
  std::string path;  ///< snapshot: the folder
  std::string text;
  std::shared_ptr<const show::Show> show = {};  ///< that the text is of; null: nobody can read it
  /// What the file has, where it is there: else somebody else has written it. Empty: no file is to be there.
  std::optional<std::string> expected_text = {};
  bool may_replace = false;  ///< whatever is there
};
/// A text that a person wants in a file; the file is replaced.
struct WriteText {
  enum class Purpose { trace, ledger };
  Purpose purpose = Purpose::trace;
  std::string path;
  std::shared_ptr<const std::string> text;
  std::stop_token given_up{};
};
struct AskTrace {
  std::uint64_t job = 0;
  std::string node;
  int seconds = 0;
};
struct MergeTraces {
  std::uint64_t job = 0;
  std::vector<std::string> texts;
};
/// For all controllers and commands.
struct ShareSeenAlerts {
  model::AlertLog::Changes changes;
};
using Request =
    std::variant<WriteShow, WriteTransport, TakePicture, ListPlugins, ReadFile, WriteFile,
                 ListFolder, WriteText, AskTrace, MergeTraces, ShareSeenAlerts, ForgetNode>;

struct ShowWritten {
  WriteOutcome outcome;
};
struct TransportWritten {
  cluster::DesiredTransport transport;
  Result<void> result;
};
struct PictureTaken {
  PictureKey key;
  Result<cluster::Snapshot> result;
};
struct PluginsListed {
  std::string node;
  Result<std::vector<cluster::PluginSummary>> result;
};
struct FileRead {
  std::string path;
  Result<std::string> text;
};
struct FileWritten {
  WriteFile request;
  Result<std::string>
      copy;  ///< that was made of the file before, for its comments; empty: none was needed
};
struct FolderListed {
  model::FolderView folder;
};
struct TextWritten {
  WriteText::Purpose purpose = WriteText::Purpose::trace;
  std::string path;
  Result<void> result;
};
struct TraceTold {
  std::uint64_t job = 0;
  Result<std::string> text;
};
struct TracesMerged {
  std::uint64_t job = 0;
  Result<MergedTrace> trace;
};
struct SeenAlertsShared {
  Result<void> result;
};
struct NodeForgotten {
  std::string node;
  Result<void> result;
};
using Reply = std::variant<ShowWritten, TransportWritten, PictureTaken, PluginsListed, FileRead,
                           FileWritten, FolderListed, TextWritten, TraceTold, TracesMerged,
                           SeenAlertsShared, NodeForgotten>;

}  // namespace submix::session
