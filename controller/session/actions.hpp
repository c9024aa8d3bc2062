// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/result.hpp"
#include "common/cluster/messages.hpp"
#include "controller/model/edit/layers.hpp"
#include "controller/model/edit/relinking.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/model/view/cluster_view.hpp"
#include "controller/session/cluster_access.hpp"
#include "controller/session/trace_merge.hpp"

#include <atomic>
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

/// Identifies a picture: the newest frame of a slot. An empty slot means the submix's last slot.
struct PictureKey {
  std::string submix;
  std::string slot;

  friend auto operator<=>(const PictureKey&, const PictureKey&) = default;
};

// Actions: the wishes of people.

struct EditShow {
  model::Edit edit;
  std::uint64_t gesture = 0;  ///< the same for all edits of one drag
  bool is_undoable = true;    ///< false: a MIDI or OSC fader, which makes no undo step
  /// For people: values that were left out because no plugin accepts them. While a fader moves they
  /// are reported once.
  std::vector<std::string> left_out{};
};
struct Undo {
  /// The step to undo, of EditView. Ignored if another step is the newest by now. 0: the newest.
  std::uint64_t step = 0;
};
struct Redo {};
struct SetPaused {
  bool is_paused = false;
};
struct Step {};
/// Black-out of all windows of all nodes.
struct SetBlack {
  bool is_black = false;
};
/// All windows hold their picture; the show runs on.
struct SetFrozen {
  bool is_frozen = false;
};
/// Each output window shows its name and its display.
struct SetTestCards {
  bool has_test_cards = false;
};
/// Replaces the present show with the show of a file. A snapshot of the present show is kept.
struct OpenShow {
  std::string path;
};
/// The file that replaces a missing file.
struct ChosenMedia {
  show::Port slot;
  std::optional<MediaOrigin> origin;  ///< empty: the clip is left out
  std::size_t clip = 1;               ///< number in the bank
};
/// The answer to ClusterView's question about missing files. Files of other computers are copied
/// first; then the show is opened.
struct OpenWithMedia {
  std::vector<ChosenMedia> choices;
};
/// Cancels the opening of a show, whether its file is being read, a question is open, or files are
/// being copied for it.
struct CancelOpen {};
/// The same as OpenShow, with a show without a file.
struct BeginShow {
  std::shared_ptr<const show::Show> show;
};
struct SaveShow {
  std::string path = {};     ///< empty: where the show was last opened or saved
  bool may_replace = false;  ///< an existing other file of this name may be replaced
  /// ShowFileView reports the end of this save by its ticket; 0: nobody waits.
  std::uint64_t ticket = 0;
};
/// Cancels saves not begun yet.
struct CancelSaves {};
/// Keeps a copy of the show, with the time in its name.
struct KeepSnapshot {};
struct ListFolder {
  std::string path;
};
/// Asks a node for its plugins once it is present, unless it has already listed them.
struct AskPlugins {
  std::string node;
};
/// Asks a node, if it is present, for the clips and stills of its media folder.
struct AskMedia {
  std::string node;
};
/// The pictures of files that are visible from now on, the most wanted first.
struct WatchMediaPictures {
  std::vector<model::MediaPictureKey> keys;
};
/// The pictures of effects that are visible from now on, the most wanted first.
struct WatchEffectPictures {
  std::vector<model::EffectPictureKey> keys;
};
/// The show that waits for copied files before it is opened.
struct OpeningShow {
  std::uint64_t number = 0;  ///< of ShowOpening
};
/// The bank of a clip that gets a copied file.
struct BankOfClip {
  show::Port clip;
};
/// The submix whose effect Colour applies a copied LUT.
struct LutOfSubmix {
  std::string submix;
};
/// A layer whose source (model::source_of()) the copied file replaces.
struct SourceOfLayer {
  std::string layer;
};
/// The user of a copied file: none, a clip, its bank, a layer, a new one, an effect, or a show. The
/// edit is made when the copy is complete, to the show of that moment.
using PlayedBy = std::variant<std::monostate, show::Port, BankOfClip, SourceOfLayer,
                              model::NewLayer, LutOfSubmix, OpeningShow>;
/// Copies a file to a node's media folder.
struct CopyMedia {
  MediaOrigin origin;
  std::string node;
  std::string name;  ///< of the copy
  PlayedBy then{};
};
/// A person performs: from now on copied files do not change the structure of the show.
struct KeepStructure {
  bool is_kept = false;
};
/// Ends all copies. A later copy of the same file continues where the ended copy stopped.
struct StopCopies {};
/// Stops asking a node for its plugins, unless it runs a plugin that no node has described.
struct ForgetPlugins {
  std::string node;
};
/// The pictures to keep fresh from now on. Other pictures are no longer requested.
struct WatchPictures {
  std::vector<PictureKey> keys;
  std::optional<PictureKey> large{};  ///< one of them, which fills the window
};
/// A notice for people: an event without a node.
struct Say {
  Severity severity = Severity::note;
  std::string about;
  std::string text;
};
/// The streams whose figures the view contains from now on; see model/view/figures.hpp.
struct WatchFigures {
  std::set<std::string> streams;
};
/// Takes a trace of the last seconds of all nodes. Cancels a trace that is under way.
struct TakeTrace {
  int seconds = 5;
};
struct CancelTrace {};
/// Writes the last trace as a Chrome trace.
struct SaveTrace {
  std::string path;
};
/// Writes the ledger as it is now.
struct SaveLedger {
  enum class Form { csv, json };
  Form form = Form::csv;
  std::string path;
};
/// Cancels traces and ledgers not written yet; no partial file remains.
struct CancelExports {};
/// Marks an alert as seen by a person.
struct AcknowledgeAlert {
  std::uint64_t id = 0;  ///< 0: all
};
/// Removes a node that has left and is in no show from the cluster and from this controller.
struct ForgetNode {
  std::string node;
};
using Action =
    std::variant<EditShow, Undo, Redo, SetPaused, Step, SetBlack, SetFrozen, SetTestCards, OpenShow,
                 OpenWithMedia, CancelOpen, BeginShow, SaveShow, CancelSaves, KeepSnapshot,
                 ListFolder, AskPlugins, AskMedia, WatchMediaPictures, WatchEffectPictures,
                 CopyMedia, KeepStructure, StopCopies, WatchPictures, Say, WatchFigures, TakeTrace,
                 CancelTrace, SaveTrace, SaveLedger, CancelExports, ForgetPlugins, AcknowledgeAlert,
                 ForgetNode>;

// Requests of the session to the cluster and the disk. Each is answered by one reply.

struct WriteShow {
  cluster::DesiredShow show;
  std::uint64_t expected_revision = 0;
  std::shared_ptr<const show::Show> before;  ///< the replaced show; null: none
  std::shared_ptr<const show::Show> after;   ///< the parsed text
};
struct WriteTransport {
  cluster::DesiredTransport transport;
};
struct TakePicture {
  PictureKey key;
  std::string node;
  std::string slot;  ///< in the node's patch
  bool is_large = false;
};
struct ListPlugins {
  std::string node;
};
struct ListMedia {
  std::string node;
};
/// How far a copy is. Synchronized.
struct CopyProgress {
  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<std::uint64_t> bytes_all = 0;
  std::atomic<bool> is_stopped = false;  ///< by a person
};
/// Looks for the files of a show that is to be opened.
struct FindMissingMedia {
  std::uint64_t opening = 0;  ///< of ShowOpening
  std::shared_ptr<const show::Show> show;
  std::vector<std::string> nodes;  ///< those that can answer
};
struct CopyMediaFile {
  MediaOrigin origin;
  std::string node;
  std::string name;
  std::shared_ptr<CopyProgress> progress;
};
struct TakeMediaPicture {
  model::MediaPictureKey key;
};
struct TakeEffectPicture {
  model::EffectPictureKey key;
  std::string node;
  std::string slot;  ///< in the node's patch
};
/// Reads a file on the controller's own machine. A disk can be slow, like the cluster.
struct ReadFile {
  std::string path;
};
/// Looks for the file of a show that ran before this session began.
struct FindFileOfShow {
  std::string show_name;
  std::string note;  ///< file that an earlier session left (file_note.hpp)
};
struct WriteFile {
  enum class Purpose { save, autosave, snapshot, note };
  Purpose purpose = Purpose::save;
  std::string path;  ///< snapshot: the folder
  std::string text;
  /// The show in the text; null: the text cannot be parsed.
  std::shared_ptr<const show::Show> show = {};
  /// The file's expected content. Other content means that another program has written it. Empty:
  /// no file may exist yet.
  std::optional<std::string> expected_text = {};
  bool may_replace = false;  ///< an existing file may be replaced, whatever its content
};
/// A text for a new file, wanted by a person. An existing file is left as it is.
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
/// Shares the seen alerts with all controllers and commands.
struct ShareSeenAlerts {
  model::AlertLog::Changes changes;
};
using Request = std::variant<WriteShow, WriteTransport, TakePicture, ListPlugins, ListMedia,
                             TakeMediaPicture, TakeEffectPicture, FindMissingMedia, CopyMediaFile,
                             ReadFile, FindFileOfShow, WriteFile, ListFolder, WriteText, AskTrace,
                             MergeTraces, ShareSeenAlerts, ForgetNode>;

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
struct MediaListed {
  std::string node;
  Result<cluster::MediaList> result;
};
struct MediaPictureTaken {
  model::MediaPictureKey key;
  Result<model::MediaPicture> result;
};
struct EffectPictureTaken {
  model::EffectPictureKey key;
  Result<cluster::Snapshot> result;  ///< RGB24
};
struct MissingMediaFound {
  std::uint64_t opening = 0;
  Result<std::vector<model::MissingFile>> missing;
  std::vector<std::string> faults{};  ///< nodes that have not answered, for people
};
struct MediaCopied {
  std::string node;
  Result<void> result;
};
struct FileRead {
  std::string path;
  Result<std::string> text;
};
/// A file with the content that it had when a session last saved or opened it.
struct FoundFile {
  std::string path;
  std::string text;
  std::uint64_t revision = 0;  ///< of the show in the cluster at that moment
};
struct FileOfShowFound {
  std::string show_name;
  Result<std::optional<FoundFile>> file;  ///< empty: the show is in no file, as far as is known
};
struct FileWritten {
  WriteFile request;
  /// Path of the copy made of the old file because of its comments; empty: none was needed.
  Result<std::string> copy;
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
using Reply = std::variant<ShowWritten, TransportWritten, PictureTaken, PluginsListed, MediaListed,
                           MediaPictureTaken, EffectPictureTaken, MissingMediaFound, MediaCopied,
                           FileRead, FileOfShowFound, FileWritten, FolderListed, TextWritten,
                           TraceTold, TracesMerged, SeenAlertsShared, NodeForgotten>;

}  // namespace submix::session
