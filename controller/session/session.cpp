// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session.hpp"

#include "common/base/thread.hpp"
#include "controller/model/view/timeline.hpp"

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

bool is_picture(const std::variant<Update, Action, Reply>& letter) {
  const auto* reply = std::get_if<Reply>(&letter);
  return reply != nullptr && std::holds_alternative<PictureTaken>(*reply);
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
      media_(kRequestsMax),
      copies_(kRequestsMax),
      files_(kRequestsMax),
      core_(settings_) {
  view_.store(core_.view(clock_.now()));
  pictures_.store({});
  net_ = start_thread("net", [this](const std::stop_token&) { run_net(); });
  write_ = start_thread("write", [this](const std::stop_token&) { run_tasks(writes_); });
  picture_a_ = start_thread("picture-a", [this](const std::stop_token&) { run_tasks(questions_); });
  file_ = start_thread("file", [this](const std::stop_token&) { run_tasks(files_); });
  picture_b_ = start_thread("picture-b", [this](const std::stop_token&) { run_tasks(questions_); });
  media_thread_ = start_thread("media", [this](const std::stop_token&) { run_tasks(media_); });
  copy_thread_ = start_thread("copies", [this](const std::stop_token&) { run_tasks(copies_); });
  slow_thread_ = start_thread("slow", [this](const std::stop_token&) { run_tasks(slow_); });
  cluster_->start([this](Update update) { deliver(std::move(update)); });
}

// The last actions are written first. Then the queues are closed, so that no thread of the cluster
// waits for room while the cluster waits for it. Then the threads end that ask the cluster, and
// last the cluster itself.
Session::~Session() {
  is_ending_ = true;
  net_.join();
  core_.handle(Action(StopCopies{}), clock_.now());
  mailbox_.close();
  writes_.close();
  questions_.close();
  slow_.close();
  media_.close();
  copies_.close();
  files_.close();
  for (auto* thread :
       {&write_, &file_, &picture_a_, &picture_b_, &media_thread_, &copy_thread_, &slow_thread_})
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
    const auto next = std::min(next_publish, next_pictures());
    const auto patience = std::max(next - clock_.now(), LocalTime::duration(0));
    if (auto letter = mailbox_.pop_for(patience)) {
      // A person's action is shown at once, so a slider follows the mouse. Faders may send faster
      // than an eye can see.
      if (std::holds_alternative<Action>(*letter))
        next_publish = std::min(next_publish, std::max(clock_.now(), published_ + kHandPeriod));
      (is_picture(*letter) ? has_pictures_ : has_news_) = true;
      handle(std::move(*letter));
    }
    const auto now = clock_.now();
    if (now >= next_pictures()) exchange_pictures(now);
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

// When pictures are to be shown or asked for; no faster than an eye can see.
LocalTime Session::next_pictures() const {
  const auto soonest = pictures_exchanged_ + kHandPeriod;
  if (has_pictures_) return soonest;
  return std::max(soonest, core_.next_picture_due().value_or(LocalTime::max()));
}

void Session::exchange_pictures(LocalTime now) {
  pictures_exchanged_ = now;
  for (auto& request : core_.take_picture_requests(now))
    send(std::move(request));
  if (!std::exchange(has_pictures_, false)) return;
  pictures_.store(core_.pictures());
  if (settings_.on_change) settings_.on_change();
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

BoundedQueue<RequestTask>& Session::tasks_of(RequestQueue queue) {
  switch (queue) {
    case RequestQueue::writes:
      return writes_;
    case RequestQueue::questions:
      return questions_;
    case RequestQueue::media:
      return media_;
    case RequestQueue::copies:
      return copies_;
    case RequestQueue::files:
      return files_;
    case RequestQueue::slow:
      break;
  }
  return slow_;
}

// A full queue means that the cluster or the disk hangs. The core waits for a reply to each
// request, so a refused request gets one at once.
void Session::send(Request request) {
  auto task = task_of(std::move(request));
  if (tasks_of(task.queue).try_push(std::move(task))) return;

  const auto error = fail("not asked: {} requests wait for an answer already", kRequestsMax);
  // NOLINTNEXTLINE(bugprone-use-after-move): a full queue leaves the task as it is
  handle(task.refused(error.value()));
}

void Session::publish(LocalTime now) {
  core_.set_messages_dropped(dropped_.load(std::memory_order_relaxed));
  published_ = now;
  has_news_ = false;
  view_.store(core_.view(published_));
  pictures_.store(core_.pictures());
  if (settings_.on_change) settings_.on_change();
}

void Session::run_tasks(BoundedQueue<RequestTask>& tasks) {
  while (const auto task = tasks.pop()) {
    static_cast<void>(mailbox_.push(Letter(task->run(*cluster_))));  // refused only at the end
  }
}

}  // namespace submix::session
