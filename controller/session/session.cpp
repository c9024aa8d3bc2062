// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/session/session.hpp"

#include "common/base/thread.hpp"

#include <algorithm>
#include <utility>

namespace submix::session {
namespace {

constexpr std::size_t kMailboxLetters = 4096;  // 64 nodes at 10 Hz for six seconds
constexpr std::size_t kRequestsMax = 128;      // plugin lists of 64 nodes and their pictures
constexpr std::chrono::milliseconds kPublishPeriod{50};
constexpr std::chrono::milliseconds kQuietPeriod{500};  // without news: "silent for 3 s" still counts on

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

bool may_be_dropped(const Update& update) {
  return std::holds_alternative<telemetry::NodeReading>(update) ||
         std::holds_alternative<cluster::Event>(update);
}

}  // namespace

Session::Session(std::unique_ptr<ClusterAccess> cluster, const Clock& clock, Settings settings)
    : cluster_(std::move(cluster)),
      clock_(clock),
      settings_(std::move(settings)),
      mailbox_(kMailboxLetters),
      writes_(kRequestsMax),
      questions_(kRequestsMax),
      desk_(settings_.author) {
  view_.store(desk_.view(clock_.now()));
  pictures_.store({});
  net_ = start_thread("net", [this](const std::stop_token&) { run_net(); });
  write_ = start_thread("write", [this](const std::stop_token&) { run_requests(writes_); });
  picture_a_ = start_thread("picture-a", [this](const std::stop_token&) { run_requests(questions_); });
  picture_b_ = start_thread("picture-b", [this](const std::stop_token&) { run_requests(questions_); });
  cluster_->start([this](Update update) { deliver(std::move(update)); });
}

// Queues first, so that no thread of the cluster's waits for room while the cluster waits for it; then those
// who ask the cluster; then the cluster.
Session::~Session() {
  mailbox_.close();
  writes_.close();
  questions_.close();
  for (auto* thread : {&net_, &write_, &picture_a_, &picture_b_})
    thread->join();
  cluster_->stop();
}

bool Session::post(Action action) {
  return mailbox_.try_push(Letter(std::move(action)));
}

// Telemetry that nobody has time for is dropped and counted: the next one says it all again. The rest waits.
void Session::deliver(Update update) {
  if (may_be_dropped(update)) {
    if (!mailbox_.try_push(Letter(std::move(update)))) dropped_.fetch_add(1, std::memory_order_relaxed);
  } else {
    static_cast<void>(mailbox_.push(Letter(std::move(update))));  // refused only at the end
  }
}

void Session::run_net() {
  auto next_publish = clock_.now();
  while (!mailbox_.is_closed()) {
    const auto patience = std::max(next_publish - clock_.now(), LocalTime::duration(0));
    if (auto letter = mailbox_.pop_for(patience)) {
      // What a person does is seen at once: a slider follows the hand.
      if (std::holds_alternative<Action>(*letter)) next_publish = clock_.now();
      handle(std::move(*letter));
      has_news_ = true;
    }
    if (clock_.now() < next_publish) continue;
    next_publish = clock_.now() + kPublishPeriod;
    for (auto& request : desk_.take_requests(clock_.now())) {
      send(std::move(request));
    }
    if (has_news_ || clock_.now() - published_ >= kQuietPeriod) publish();
  }
}

void Session::handle(Letter letter) {
  std::visit([&](auto& content) { desk_.handle(std::move(content), clock_.now()); }, letter);
}

void Session::send(Request request) {
  const bool is_write =
      std::holds_alternative<WriteShow>(request) || std::holds_alternative<WriteTransport>(request);
  // Refused only at the end, or when a cluster of more nodes than a show may have answers nothing; the desk
  // has then as many open questions as make sense.
  static_cast<void>((is_write ? writes_ : questions_).try_push(std::move(request)));
}

void Session::publish() {
  desk_.set_messages_dropped(dropped_.load(std::memory_order_relaxed));
  published_ = clock_.now();
  has_news_ = false;
  view_.store(desk_.view(published_));
  pictures_.store(desk_.pictures());
  if (settings_.on_change) settings_.on_change();
}

void Session::run_requests(BoundedQueue<Request>& requests) {
  while (const auto request = requests.pop()) {
    if (!mailbox_.push(Letter(answer(*request)))) return;
  }
}

Reply Session::answer(const Request& request) {
  return std::visit(Overloaded{
                        [&](const WriteShow& write) -> Reply {
                          return ShowWritten{cluster_->write_show(write.show, write.expected_revision)};
                        },
                        [&](const WriteTransport& write) -> Reply {
                          return TransportWritten{write.transport,
                                                  cluster_->write_transport(write.transport)};
                        },
                        [&](const TakePicture& take) -> Reply {
                          const cluster::Command command{cluster::CommandKind::snapshot, take.key.submix,
                                                         take.key.slot, kPictureWidthMax};
                          return PictureTaken{take.key, cluster_->take_snapshot(take.node, command)};
                        },
                        [&](const ListPlugins& list) -> Reply {
                          return PluginsListed{list.node, cluster_->list_plugins(list.node)};
                        },
                    },
                    request);
}

}  // namespace submix::session
