// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session.hpp"

#include "common/base/files.hpp"
#include "common/base/thread.hpp"
#include "controller/model/view/timeline.hpp"
#include "controller/session/show_storage.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::size_t kMailboxLetters = 4096;     // 64 nodes at 10 Hz for six seconds
constexpr std::size_t kRequestsMax = 128;         // of a kind: two for each of 64 nodes
constexpr std::chrono::seconds kLastPatience{3};  // for the last actions of people
constexpr std::chrono::milliseconds kPublishPeriod{50};
constexpr std::chrono::milliseconds kHandPeriod{16};  // between two views while a person acts
// Without news: "silent for 3 s" must keep counting.
constexpr std::chrono::milliseconds kQuietPeriod{500};
constexpr std::chrono::seconds kNoticesGone{10};  // notices are on the screen for less

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

// Whether an operation is under way whose duration the view shows.
bool is_something_under_way(const model::ClusterView& view) {
  using State = model::TraceView::State;
  const auto is_traced = [](const model::TraceView& trace) {
    return trace.state == State::asking || trace.state == State::merging || trace.is_saving;
  };
  return view.file.is_saving || !view.file.opening.empty() || view.edit.is_writing ||
         view.ledger_file.is_saving || (view.trace != nullptr && is_traced(*view.trace));
}

// Whether time alone changes the view: ages, clocks, expiring notices. Absent nodes show no time.
bool tells_time(const model::ClusterView& view, LocalTime published) {
  if (view.connection != model::ConnectionState::connected || is_something_under_way(view))
    return true;
  if (std::ranges::any_of(view.nodes,
                          [](const auto& node) { return node.health != model::Health::absent; }))
    return true;
  return !view.events.empty() && published - view.events.back().at < kNoticesGone;
}

bool may_be_dropped(const Update& update) {
  return std::holds_alternative<telemetry::NodeReading>(update) ||
         std::holds_alternative<cluster::Event>(update);
}

// Writes the show, unless a node cannot run it.
WriteOutcome write_checked(ClusterAccess& cluster, const WriteShow& write) {
  using Kind = WriteOutcome::Kind;
  auto check = cluster.ask_nodes(write.before.get(), *write.after);
  if (const auto verdict = check.verdict(); !verdict)
    return {check.is_unreachable ? Kind::failed : Kind::declined, 0, verdict.error().message};
  auto outcome = cluster.write_show(write.show, write.expected_revision);
  outcome.warnings = std::move(check.absent);
  return outcome;
}

}  // namespace

Session::Session(std::unique_ptr<ClusterAccess> cluster, const Clock& clock,
                 SessionSettings settings)
    : cluster_(std::move(cluster)),
      clock_(clock),
      settings_(std::move(settings)),
      mailbox_(kMailboxLetters),
      writes_(kRequestsMax),
      questions_(kRequestsMax),
      slow_(kRequestsMax),
      files_(kRequestsMax),
      core_({settings_.author, settings_.is_read_only, settings_.state_folder}) {
  view_.store(core_.view(clock_.now()));
  pictures_.store({});
  net_ = start_thread("net", [this](const std::stop_token&) { run_net(); });
  write_ = start_thread("write", [this](const std::stop_token&) { run_requests(writes_); });
  picture_a_ =
      start_thread("picture-a", [this](const std::stop_token&) { run_requests(questions_); });
  file_ = start_thread("file", [this](const std::stop_token&) { run_requests(files_); });
  picture_b_ =
      start_thread("picture-b", [this](const std::stop_token&) { run_requests(questions_); });
  slow_thread_ = start_thread("slow", [this](const std::stop_token&) { run_requests(slow_); });
  cluster_->start([this](Update update) { deliver(std::move(update)); });
}

// The last actions are written first. Then the queues are closed, so that no thread of the cluster
// waits for room while the cluster waits for it. Then the threads end that ask the cluster, and
// last the cluster itself.
Session::~Session() {
  is_ending_ = true;
  net_.join();
  mailbox_.close();
  writes_.close();
  questions_.close();
  slow_.close();
  files_.close();
  for (auto* thread : {&write_, &file_, &picture_a_, &picture_b_, &slow_thread_})
    thread->join();
  cluster_->stop();
}

bool Session::post(Action action) {
  return mailbox_.try_push(Letter(std::move(action)));
}

// Telemetry that finds no room is dropped and counted, because the next message repeats its totals.
// Other updates wait.
void Session::deliver(Update update) {
  if (may_be_dropped(update)) {
    if (!mailbox_.try_push(Letter(std::move(update))))
      dropped_.fetch_add(1, std::memory_order_relaxed);
  } else {
    static_cast<void>(mailbox_.push(Letter(std::move(update))));  // refused only at the end
  }
}

void Session::run_net() {
  auto next_publish = clock_.now();
  while (!is_over()) {
    const auto patience = std::max(next_publish - clock_.now(), LocalTime::duration(0));
    if (auto letter = mailbox_.pop_for(patience)) {
      // A person's action is shown at once, so a slider follows the mouse. Faders may send faster
      // than an eye can see.
      if (std::holds_alternative<Action>(*letter))
        next_publish = std::min(next_publish, std::max(clock_.now(), published_ + kHandPeriod));
      handle(std::move(*letter));
      has_news_ = true;
    }
    const auto now = clock_.now();
    if (now < next_publish) continue;
    next_publish = now + kPublishPeriod;
    for (auto& request : core_.take_requests(now)) {
      send(std::move(request));
    }
    has_news_ = has_news_ || core_.alerts() != view_.load()->alerts;
    const bool is_quiet_over = now - published_ >= kQuietPeriod;
    if (has_news_ || (is_quiet_over && tells_time(*view_.load(), published_))) publish(now);
  }
}

// True at the end, once all letters are read and their writes are done, or their time is over.
bool Session::is_over() {
  if (!is_ending_) return false;
  if (!end_) end_ = clock_.now() + kLastPatience;
  return (mailbox_.size() == 0 && core_.is_settled()) || clock_.now() >= *end_;
}

void Session::handle(Letter letter) {
  std::visit([&](auto& content) { core_.handle(std::move(content), clock_.now()); }, letter);
}

BoundedQueue<Request>& Session::queue_of(const Request& request) {
  return std::visit(Overloaded{
                        [&](const WriteShow&) -> auto& { return writes_; },
                        [&](const WriteTransport&) -> auto& { return writes_; },
                        [&](const TakePicture&) -> auto& { return questions_; },
                        [&](const ListPlugins&) -> auto& { return slow_; },
                        [&](const ReadFile&) -> auto& { return files_; },
                        [&](const WriteFile&) -> auto& { return files_; },
                        [&](const ListFolder&) -> auto& { return files_; },
                        [&](const WriteText&) -> auto& { return files_; },
                        [&](const AskTrace&) -> auto& { return questions_; },
                        [&](const MergeTraces&) -> auto& { return slow_; },
                        [&](const ShareSeenAlerts&) -> auto& { return slow_; },
                        [&](const ForgetNode&) -> auto& { return slow_; },
                    },
                    request);
}

void Session::send(Request request) {
  if (!queue_of(request).try_push(std::move(request))) refuse(request);
}

// So many requests wait that the cluster or the disk must hang. The request gets a refusal as its
// reply, because the core waits for one.
void Session::refuse(Request& request) {
  const auto none = fail("not asked: {} requests wait for an answer already", kRequestsMax);
  const auto answer = Overloaded{
      [&](const WriteShow&) -> Reply {
        return ShowWritten{{WriteOutcome::Kind::failed, 0, none.value().message}};
      },
      [&](const WriteTransport& write) -> Reply { return TransportWritten{write.transport, none}; },
      [&](const TakePicture& take) -> Reply { return PictureTaken{take.key, none}; },
      [&](const ListPlugins& list) -> Reply { return PluginsListed{list.node, none}; },
      [&](const ReadFile& read) -> Reply { return FileRead{read.path, none}; },
      [&](WriteFile& write) -> Reply {
        auto fault = fail("{}: not written: the disk does not answer", write.path);
        return FileWritten{std::move(write), std::move(fault)};
      },
      [&](const ListFolder& list) -> Reply {
        return FolderListed{{.path = list.path, .entries = {}, .error = none.value().message}};
      },
      [&](const WriteText& write) -> Reply { return TextWritten{write.purpose, write.path, none}; },
      [&](const AskTrace& ask) -> Reply { return TraceTold{ask.job, none}; },
      [&](const MergeTraces& merge) -> Reply { return TracesMerged{merge.job, none}; },
      [&](const ShareSeenAlerts&) -> Reply { return SeenAlertsShared{none}; },
      [&](const ForgetNode& forget) -> Reply { return NodeForgotten{forget.node, none}; },
  };
  handle(std::visit(answer, request));
}

void Session::publish(LocalTime now) {
  core_.set_messages_dropped(dropped_.load(std::memory_order_relaxed));
  published_ = now;
  has_news_ = false;
  view_.store(core_.view(published_));
  pictures_.store(core_.pictures());
  if (settings_.on_change) settings_.on_change();
}

void Session::run_requests(BoundedQueue<Request>& requests) {
  while (const auto request = requests.pop()) {
    static_cast<void>(mailbox_.push(Letter(answer(*request))));  // refused only at the end
  }
}

Reply Session::answer(const Request& request) {
  return std::visit(
      Overloaded{
          [&](const WriteShow& write) -> Reply {
            return ShowWritten{write_checked(*cluster_, write)};
          },
          [&](const WriteTransport& write) -> Reply {
            return TransportWritten{write.transport, cluster_->write_transport(write.transport)};
          },
          [&](const TakePicture& take) -> Reply {
            const cluster::Command command{
                cluster::CommandKind::snapshot, take.key.submix, take.slot,
                take.is_large ? kLargePictureWidthMax : kPictureWidthMax};
            return PictureTaken{take.key, cluster_->take_snapshot(take.node, command)};
          },
          [&](const ListPlugins& list) -> Reply {
            return PluginsListed{list.node, cluster_->list_plugins(list.node)};
          },
          [](const ReadFile& read) -> Reply {
            return FileRead{read.path, read_text_file(read.path)};
          },
          [](const WriteFile& write) -> Reply { return FileWritten{write, write_show(write)}; },
          [](const ListFolder& list) -> Reply { return FolderListed{list_folder(list.path)}; },
          [](const WriteText& write) -> Reply {
            return TextWritten{write.purpose, write.path, write_new_text(write)};
          },
          [&](const AskTrace& ask) -> Reply {
            return TraceTold{ask.job,
                             cluster_->take_trace(ask.node, std::chrono::seconds(ask.seconds))};
          },
          [](const MergeTraces& merge) -> Reply {
            return TracesMerged{merge.job, merge_traces(merge.texts)};
          },
          [&](const ShareSeenAlerts& share) -> Reply {
            const auto& [seen, over] = share.changes;
            return SeenAlertsShared{cluster_->change_alerts_seen(seen, over)};
          },
          [&](const ForgetNode& forget) -> Reply {
            return NodeForgotten{forget.node, cluster_->forget_node(forget.node)};
          },
      },
      request);
}

}  // namespace submix::session
