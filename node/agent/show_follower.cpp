// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/show_follower.hpp"

#include "common/base/files.hpp"
#include "common/base/log.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "common/show/text.hpp"
#include "node/agent/node_share.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kAgentPatience(1000);
constexpr std::chrono::seconds kSignOfLifePeriod(2);  // commands round a silence to this period
constexpr std::chrono::seconds kClockPeriod(5);
constexpr std::chrono::seconds kSoundDevicesPeriod(10);
constexpr std::chrono::milliseconds kChangePatience(10);  // while a change or a move is under way
constexpr std::chrono::seconds kProbeNoticePatience(1);   // then an event says why the show waits
constexpr std::chrono::seconds kComplaintPeriod(5);       // of log lines about a lost NATS

// True once in each period; `next` is when the next one begins.
bool begins_again(LocalTime& next, std::chrono::seconds period, LocalTime now) {
  if (now < next) return false;
  next = now + period;
  return true;
}

}  // namespace

ShowFollower::ShowFollower(NodeParts& parts)
    : parts_(parts), reporter_(parts), good_show_(parts.options.name) {}

void ShowFollower::run(const std::stop_token& stop) {
  auto& streams = *parts_.streams;
  auto& submixes = *parts_.submixes;
  while (!stop.stop_requested()) {
    const bool is_changing = streams.is_changing() || submixes.is_handing_over();
    take(parts_.mailbox->take_for(is_changing ? kChangePatience : kAgentPatience, stop));

    submixes.tend([&streams](const std::string& submix) { return streams.has_taken_over(submix); });
    for (const auto& output : streams.tend())
      submixes.renew(output);

    post_chores();
    tell_of_waiting_show();
    reporter_.report(show_revision_);
    keep_good_show();
    complain_of_lost_nats();
    parts_.loops.note(LoopWatch::Loop::agent);
  }
}

void ShowFollower::take(const Mailbox::News& news) {
  // The server may have lost the report.
  if (news.is_reconnected) reporter_.repeat();

  for (const auto& [node, report] : news.reports) {
    if (reporter_.take(report.value, report.revision)) good_show_.hear(report.value);
  }
  if (news.show && !parts_.cluster_clock.offset()) read_clock();
  if (news.show) take_show(*news.show);
  if (waiting_show_ && probed_.load(std::memory_order_acquire) == waiting_show_->probe)
    follow(*std::exchange(waiting_show_, std::nullopt));
  follow_again(news.plugins);
  for (const auto& node : parts_.ended_nodes.take())
    parts_.streams->set_running(node, {});
}

void ShowFollower::take_show(const cluster::Revisioned<cluster::DesiredShow>& desired) {
  const auto gap = parts_.cluster.gap_to_desk("node " + parts_.options.name);
  if (!gap.empty()) return refuse_show(desired.revision, gap);
  auto show = show::parse(desired.value.toml, "show of " + desired.value.author);
  if (!show) return refuse_show(desired.revision, show::to_string(show.error()));

  waiting_show_.reset();
  NextShow next{.show = std::move(*show),
                .share = {},
                .revision = desired.revision,
                .answered = desired.revision};
  next.share = share_of(show::expand(next.show), parts_.options.name);
  follow_when_known(std::move(next));
}

void ShowFollower::refuse_show(std::uint64_t revision, const std::string& why) {
  show_revision_ = revision;
  for (auto* before : {&waiting_show_, &followed_}) {
    if (*before) (*before)->answered = revision;
  }
  parts_.events.report(Severity::fault, "show", why + "\nwhat ran before goes on");
}

void ShowFollower::follow_when_known(NextShow next) {
  if (!probe_plugins(next)) return follow(std::move(next));
  next.since = parts_.clock.now();
  waiting_show_ = std::move(next);
}

// Returns whether plugins must be probed before the show is followed. Probing a plugin may take
// seconds. Meanwhile running submixes are tended, and a show that needs no probe is followed.
bool ShowFollower::probe_plugins(NextShow& next) {
  auto& catalog = parts_.catalog;
  auto plugins = plugins_of(next.share);
  const bool is_known = catalog.is_known(plugins.all) &&
                        std::ranges::all_of(plugins.helped, [&catalog](const auto& id) {
                          return catalog.is_memory_known(id);
                        });
  if (is_known) return false;

  next.probe = ++probes_;
  const auto probe = [this, plugins = std::move(plugins),
                      number = next.probe](const std::stop_token& stop) {
    parts_.catalog.probe(plugins.all);
    for (const auto& id : plugins.helped) {
      if (stop.stop_requested()) return;
      // A failure is reported by the submix that needs the plugin.
      [[maybe_unused]] const auto memory = parts_.catalog.memory(id);
    }
    probed_.store(number, std::memory_order_release);  // publishes what the catalog has learnt
    parts_.mailbox->wake();
  };
  parts_.slow_work->post(Chore::plugins, probe);
  return true;
}

void ShowFollower::follow(NextShow next) {
  show_revision_ = next.answered;
  if (!followed_) recall_good_show(next.show);
  good_show_.follow(next.show, next.answered);
  parts_.followed_sound.follow(next.show);
  parts_.streams->follow(next.show, next.revision);
  parts_.submixes->converge(next.share, assigned_elsewhere(next.show, parts_.options.name));
  followed_ = std::move(next);
}

// Builds submixes that failed because these plugins were missing. The plugins' memory may have to
// be probed first. A waiting show is followed soon and does the same.
void ShowFollower::follow_again(const std::set<std::string>& plugins) {
  if (!followed_ || waiting_show_) return;
  const auto used = plugins_of(followed_->share).all;
  if (std::ranges::none_of(used, [&](const auto& id) { return plugins.contains(id); })) return;

  auto again = *followed_;
  again.is_told = true;  // not a change by a person
  follow_when_known(std::move(again));
}

void ShowFollower::tell_of_waiting_show() {
  if (!waiting_show_ || waiting_show_->is_told) return;
  if (parts_.clock.now() - waiting_show_->since < kProbeNoticePatience) return;

  waiting_show_->is_told = true;
  std::vector<std::string> unknown;
  for (const auto& id : plugins_of(waiting_show_->share).all) {
    if (!parts_.catalog.is_known({id})) unknown.push_back(id);
  }
  parts_.events.report(
      Severity::note, "show",
      fmt::format("the latest change waits until it is known what its plugins are ({}): what ran "
                  "before goes on",
                  unknown.empty() ? "what they keep of their frames"
                                  : fmt::format("{}", fmt::join(unknown, ", "))));
}

void ShowFollower::post_chores() {
  auto& slow_work = *parts_.slow_work;
  const auto now = parts_.clock.now();
  if (const auto late = parts_.trace.find_late(parts_.submixes->readings())) {
    slow_work.post(Chore::trace, [this, late = *late](const auto&) {
      parts_.trace.write_late(late, parts_.streams->readings());
    });
  }
  if (parts_.catalog.is_retry_due())
    slow_work.post(Chore::retry, [this](const auto&) { retry_plugin(); });
  if (followed_ && parts_.missing_files.watch(followed_->share, parts_.submixes->reports(), now)) {
    slow_work.post(Chore::files, [this](const auto&) {
      // The plugin's submix is built again.
      for (const auto& plugin : parts_.missing_files.probe())
        parts_.mailbox->put_plugin(plugin);
    });
  }
  if (parts_.ended_nodes.watch(parts_.submixes->awaited_nodes(), now))
    slow_work.post(Chore::nodes, [this](const auto& stop) { parts_.ended_nodes.probe(stop); });
  if (begins_again(next_sign_of_life_, kSignOfLifePeriod, now)) {
    slow_work.post(Chore::sign_of_life, [this](const auto&) {
      // A failed write does no harm: the next one follows.
      [[maybe_unused]] const auto written = parts_.cluster.put_sign_of_life(parts_.options.name);
    });
  }
  if (begins_again(next_clock_reading_, kClockPeriod, now))
    slow_work.post(Chore::clock, [this](const auto&) { read_clock(); });
  if (begins_again(next_look_for_sound_, kSoundDevicesPeriod, now)) {
    slow_work.post(Chore::sound_devices,
                   [this](const auto& stop) { parts_.sound.look_for_devices(stop); });
  }
  if (!parts_.streams->pictures().is_empty())
    slow_work.post(Chore::pictures, [this](const auto&) { parts_.streams->pictures().load(); });
}

// A reading that fails does no harm: the clocks run on, and the next reading follows.
void ShowFollower::read_clock() {
  [[maybe_unused]] const auto read = parts_.cluster_clock.measure(parts_.cluster, parts_.clock);
}

// Runs on `slow`. One plugin at a time, so a person's edit goes before the next retry.
void ShowFollower::retry_plugin() {
  if (auto id = parts_.catalog.retry_one()) {
    parts_.mailbox->put_plugin(std::move(*id));
  } else if (parts_.catalog.is_retry_due()) {
    parts_.mailbox->wake();
  }
}

// The good show of an earlier life of this node. Submixes of another show are unrelated.
void ShowFollower::recall_good_show(const show::Show& show) {
  const auto& options = parts_.options;
  const auto text = read_text_file(options.good_show_file);
  if (!text) return;  // no good show yet
  const auto good = show::parse(*text, options.good_show_file.string());
  if (!good) return log::warning("{}", show::to_string(good.error()));
  if (good->name == show.name)
    parts_.submixes->remember_good(share_of(show::expand(*good), options.name).submixes);
}

void ShowFollower::keep_good_show() {
  const auto now = parts_.clock.now();
  auto good = good_show_.take_for_disk(now);
  if (good && !parts_.options.good_show_file.empty()) {
    const auto write = [file = parts_.options.good_show_file,
                        text = *std::move(good)](const std::stop_token& stop) {
      std::error_code ignored;  // a failure is reported by the write
      std::filesystem::create_directories(file.parent_path(), ignored);
      if (const auto kept = write_file_atomically(file, text, 0600, stop); !kept)
        log::warning("the last good show is not kept for a restart: {}", kept.error().message);
    };
    parts_.slow_work->post(Chore::good_show, write);
  }
  if (const auto text = good_show_.take_for_cluster(now); text && parts_.bus->is_connected())
    parts_.cluster.keep_good_show({*text, "submix-node " + parts_.options.name});
}

void ShowFollower::complain_of_lost_nats() {
  const auto error = parts_.bus->last_error();
  const auto now = parts_.clock.now();
  if (error.empty() || now - complained_ < kComplaintPeriod) return;
  complained_ = now;
  log::warning("{}; what runs goes on, still trying", error);
}

}  // namespace submix::agent
