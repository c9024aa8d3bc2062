// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/hosted_plugin.hpp"

#include "common/base/plain_text.hpp"
#include "common/base/thread.hpp"
#include "node/host/channel.hpp"
#include "node/host/crash_record.hpp"
#include "node/host/hang_watch.hpp"
#include "node/host/killed_host.hpp"
#include "node/host/picture_transit.hpp"
#include "node/plugin/black_frame.hpp"
#include "node/plugin/trouble.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Time is the machine's own here, because the node waits for another process.

namespace submix::host {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr milliseconds kGlance(20);  // how late a stop may be seen
constexpr auto* kScribbled = "wrote over what it shares with the node";
// Libraries may come from a slow disk, on a busy machine.
constexpr milliseconds kStartTimeout(10'000);
// A film has time: only a plugin that is stuck for good ends it.
constexpr milliseconds kRenderingPatience(60'000);
constexpr milliseconds kNewsPause(1'000);  // between two events of a host's plugin

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

class HostedPlugin final : public plugin::Plugin {
 public:
  HostedPlugin(HostKeeper& keeper, const plugin::Description& description,
               const std::filesystem::path& file, const plugin::Setup& setup)
      : keeper_(keeper),
        order_{.slot = setup.about(),
               .file = file,
               .size = setup.size,
               .program = program_of(description.id)},
        id_(description.id),
        frame_time_(setup.rate.time_of(FrameIndex{1})),
        is_rendering_(setup.is_rendering),
        events_(setup.events),
        clock_(*setup.clock),
        parameters_(setup.parameters),
        counter_names_(description.counters),
        transit_(setup.size),
        hang_watch_(setup.rate, setup.is_rendering ? kRenderingPatience : HangWatch::kLeastLimit) {
    numbers_.reserve(parameters_.size());
  }
  HostedPlugin(const HostedPlugin&) = delete;
  HostedPlugin& operator=(const HostedPlugin&) = delete;
  ~HostedPlugin() override {
    if (host_) host_->kill();
    if (has_spare_) keeper_.let_go_of_spare(order_);
  }

  Result<void> start() {
    auto host = keeper_.start(order_);
    SUBMIX_TRY(host);
    const auto first_job = (*host)->ask_to_begin(parameters_);
    SUBMIX_TRY(first_job);
    begin_with({std::move(*host), *first_job, parameters_});
    return {};
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (host_ == nullptr || !is_ready(work)) return replacement(work);
    auto output = work.acquire_output();
    if (!output) return std::nullopt;
    const auto begun = now();
    const auto delayed_before = run_delay_ns();
    if (const auto asked = ask(work, *output)) {
      if (await(*asked, begun, work.stop)) {
        note_run_delay(run_delay_ns() - delayed_before, now() - begun);
        transit_.collect(*output);
        hang_watch_.note_frame(now() - begun);
        take_report();
        keep_spare();
        last_good_ = std::move(*output).publish();
        return last_good_;
      }
    } else {
      // A host that has just been killed takes no messages before its end is known.
      host_->wait_until_gone(now() + kGlance);
      if (!host_->is_gone()) problem_ = asked.error().message;
    }
    abandon(std::move(output));
    return replacement(work);
  }

  void wait_until_ready(SteadyTime deadline) override {
    if (host_) host_->wait_for_answer(deadline);
  }

  void set(std::string_view parameter, const show::ParameterValue& value) override {
    if (set_number(parameter, value)) return;
    parameters_.insert_or_assign(std::string(parameter), value);
    if (host_) changed_.insert_or_assign(std::string(parameter), value);
  }

  void try_again() override {
    if (host_) return;
    record_.forget();
    trouble_.set({});
    keeper_.renew_spare(order_);  // the library may have been repaired meanwhile
    if (auto started = start(); !started) give_up(started.error().message);
  }

  /// Retains the last good frame, and one that a killed host may still write into.
  [[nodiscard]] plugin::PluginTraits traits() const override {
    return {.frames_retained = 2, .shows_inputs = true, .shares_outputs = true};
  }

  [[nodiscard]] std::string trouble() const override { return trouble_.text(); }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    std::vector<std::pair<std::string, std::uint64_t>> all{
        {"crashes", crashes_.load(std::memory_order_relaxed)},
        {"hangs", hangs_.load(std::memory_order_relaxed)},
        {"held", held_.load(std::memory_order_relaxed)},
        {"copied", transit_.copies()},
        {"run_delay_us", run_delay_ns_.load(std::memory_order_relaxed) / 1000}};
    for (std::size_t i = 0; i < std::min(counter_names_.size(), counts_.size()); ++i)
      all.emplace_back(counter_names_[i], counts_[i].load(std::memory_order_relaxed));
    return all;
  }

 private:
  void begin_with(BegunHost host) {
    host_ = std::move(host.process);
    first_job_ = host.first_job;
    started_ = now();
    is_ready_ = false;
    transit_.views().forget();
    transit_.views().count_message();  // the message of the first job
    hang_watch_.begin_anew();
    forget_report();
    changed_.clear();
    numbers_.clear();
    for (const auto& [name, value] : parameters_) {
      // Only changed values: setting a value again has an effect in some plugins.
      const auto made_with = host.parameters.find(name);
      if (made_with == host.parameters.end() || made_with->second != value)
        changed_.emplace(name, value);
    }
  }

  /// Takes what the plugin tells of itself. Allocates only where its trouble has changed.
  void take_report() {
    const auto told = host_->report();
    for (std::size_t i = 0; i < counts_.size(); ++i)
      counts_[i].store(told.counts[i], std::memory_order_relaxed);
    if (told.trouble != told_trouble_) {
      told_trouble_ = told.trouble;
      const std::string text(told.trouble.begin(), std::ranges::find(told.trouble, '\0'));
      const auto trouble = plain_text(text, told.trouble.size());
      has_trouble_ = !trouble.empty();
      trouble_.set(trouble);
    }
    report_change();
  }

  // A host may change its mind with each frame: the log is told the state after a pause.
  void report_change() {
    if (has_trouble_ == is_trouble_reported_ || now() - news_ < kNewsPause) return;
    news_ = now();
    is_trouble_reported_ = has_trouble_;
    if (has_trouble_) return report(Severity::warning, trouble_.text());
    report(Severity::note, fmt::format("plugin \"{}\" works again", id_));
  }

  /// Another host has nothing to tell yet.
  void forget_report() {
    told_trouble_ = {};
    is_trouble_reported_ = false;
    if (std::exchange(has_trouble_, false)) trouble_.set({});
  }

  /// Starts another host. A spare was made with older parameters.
  Result<void> start_again() {
    auto spare = keeper_.take_spare(order_);
    if (!spare.process) return start();
    begin_with(std::move(spare));
    return {};
  }

  /// Called when this host has made a frame, so that a spare never delays a host's start.
  void keep_spare() {
    if (std::exchange(has_spare_, true)) return;
    keeper_.keep_spare(order_, parameters_);
  }

  /// True if the host has begun. A patch's first frame waits for the host. Later frames, and a slot
  /// that came while the patch ran, wait for one frame time: a patch without a pace then does not
  /// fill up with held frames. A film waits for each host.
  bool is_ready(const plugin::Work& work) {
    if (is_ready_) return true;
    const bool is_awaited = is_rendering_ || (work.first.value == 0 && !last_good_);
    const auto start_timeout = is_rendering_ ? kRenderingPatience : kStartTimeout;
    const auto deadline = is_awaited ? started_ + start_timeout : now() + frame_time_;
    while (!has_begun() && !host_->is_gone() && !host_->has_scribbled() &&
           !work.stop.stop_requested() && now() < deadline) {
      const auto glance = std::min(deadline, now() + kGlance);
      host_->wait_for_answer(glance);
      if (host_->has_answered(first_job_) && !killed_.is_gone()) killed_.wait_until_gone(glance);
    }
    is_ready_ = has_begun();
    if (is_ready_) host_->raise();
    if (is_ready_ || work.stop.stop_requested()) return is_ready_;
    if (host_->is_gone()) {
      abandon(std::nullopt);
    } else if (host_->has_scribbled()) {
      problem_ = kScribbled;
      abandon(std::nullopt);
    } else if (now() >= started_ + start_timeout) {
      problem_ = fmt::format("was not ready within {} s", start_timeout / std::chrono::seconds(1));
      has_hung_ = true;
      abandon(std::nullopt);
    }
    return false;
  }

  bool has_begun() { return host_->has_answered(first_job_) && killed_.is_gone(); }

  // Numbers go with the job: oscillators change them at each frame, which then costs no message.
  bool set_number(std::string_view parameter, const show::ParameterValue& value) {
    const auto known = parameters_.find(parameter);
    const auto* number = std::get_if<double>(&value);
    const bool is_number = number != nullptr && known != parameters_.end() &&
                           std::holds_alternative<double>(known->second) &&
                           parameters_.size() <= kNumbersMax;
    if (!is_number) return false;
    known->second = *number;
    if (host_ == nullptr) return true;
    const auto place = static_cast<std::uint32_t>(std::distance(parameters_.begin(), known));
    const auto same =
        std::find_if(numbers_.begin(), numbers_.end(),
                     [&](const NumberSetting& setting) { return setting.place == place; });
    if (same == numbers_.end()) {
      numbers_.push_back({place, *number});
    } else {
      same->value = *number;
    }
    return true;
  }

  Result<std::uint32_t> ask(const plugin::Work& work, const media::WritableFrame& output) {
    if (!changed_.empty()) {
      if (auto sent = send(host_->channel(), SetParameters{std::exchange(changed_, {})}); !sent)
        return tl::unexpected(std::move(sent.error()));
      transit_.views().count_message();
    }
    Job job;
    job.pts_ns = work.stamp.pts.count();
    SUBMIX_TRY(transit_.show(work.inputs, output, host_->channel(), job));
    job.messages = transit_.views().messages();
    const auto asked = host_->ask(job, numbers_);
    numbers_.clear();
    return asked;
  }

  /// True if the job was done. If not, `problem_` says why.
  bool await(std::uint32_t job, SteadyTime begun, const std::stop_token& stop) {
    host_->wait_for_answer(begun + kGlance);
    if (host_->has_answered(job)) return true;
    // Asking before each frame would cost two system calls. The host is assumed to have computed so
    // far.
    const auto computed_before = host_->cpu_time().value_or(nanoseconds(0)) - kGlance;
    while (!host_->has_answered(job)) {
      if (host_->is_gone() || stop.stop_requested()) return false;
      if (hangs(job, begun, computed_before)) return false;
      if (host_->has_scribbled()) {
        problem_ = kScribbled;
        return false;
      }
      host_->wait_for_answer(now() + kGlance);
    }
    return true;
  }

  /// Of this thread and of the host, which take turns, in nanoseconds. The host may tell any
  /// number: only differences count, and they wrap around.
  [[nodiscard]] std::uint64_t run_delay_ns() const {
    return static_cast<std::uint64_t>(thread_run_delay().count()) + host_->run_delay_ns();
  }

  /// `elapsed` limits what a host may claim. A figure that falls counts as no wait.
  void note_run_delay(std::uint64_t delay_ns, nanoseconds elapsed) {
    const bool has_fallen = delay_ns > std::numeric_limits<std::uint64_t>::max() / 2;
    const auto limit = static_cast<std::uint64_t>(elapsed.count());
    run_delay_ns_.fetch_add(has_fallen ? 0 : std::min(delay_ns, limit), std::memory_order_relaxed);
  }

  bool hangs(std::uint32_t job, SteadyTime begun, nanoseconds computed_before) {
    const auto waited = now() - begun;
    if (waited < hang_watch_.limit()) return false;
    const auto computed = host_->cpu_time().value_or(computed_before) - computed_before;
    const HangWatch::Activity activity{
        .waited = waited, .computed = computed, .is_computing = host_->is_computing()};
    if (!hang_watch_.has_hung(activity)) return false;
    // A host that has answered since the last look sleeps, as a hung one may.
    if (host_->has_answered(job)) return false;
    problem_ = fmt::format("hung: no frame for {} ms",
                           std::chrono::duration_cast<milliseconds>(waited).count());
    has_hung_ = true;
    return true;
  }

  /// Gives up a host that made no frame. `seat` is the seat that it drew into. After a stop
  /// request, does nothing more.
  void abandon(std::optional<media::WritableFrame> seat) {
    const auto how = problem_.empty() ? host_->end() : std::exchange(problem_, {});
    const bool has_hung = std::exchange(has_hung_, false);
    const bool is_hopeless = host_->has_refused();
    host_->kill();
    if (seat) killed_.keep(host_, std::move(*seat));  // one at a time: see is_ready()
    host_ = nullptr;
    if (how.empty()) return;  // a stop
    (has_hung ? hangs_ : crashes_).fetch_add(1, std::memory_order_relaxed);
    if (is_hopeless) return give_up(how);
    const auto times = record_.add(clock_.now());
    if (times >= kCrashesMax)
      return give_up(fmt::format("{}, {} times in {} s", how, times, kCrashPeriod.count()));
    if (auto started = start_again(); !started)
      return give_up(fmt::format("{}; {}", how, started.error().message));
    report(Severity::warning, fmt::format("plugin \"{}\" {}: its last good frame is shown until "
                                          "another host has it; {} times in {} s and it is "
                                          "bypassed",
                                          id_, how, kCrashesMax, kCrashPeriod.count()));
  }

  void give_up(const std::string& why) {
    if (host_) host_->kill();
    host_ = nullptr;
    auto text = fmt::format(
        "plugin \"{}\" {}: it is bypassed; `submix bypass {} on`, then `off`, tries it again", id_,
        why, order_.slot);
    trouble_.set(text);
    report(Severity::fault, std::move(text));
  }

  /// A frame in place of the plugin's. Empty when asked to stop.
  std::optional<media::Frame> replacement(plugin::Work& work) {
    if (work.stop.stop_requested()) return std::nullopt;
    held_.fetch_add(1, std::memory_order_relaxed);
    if (host_ && last_good_) return last_good_;
    last_good_ = {};
    if (!work.inputs.empty()) return work.inputs.front();
    return plugin::black_frame(work);
  }

  void report(Severity severity, std::string text) const {
    if (events_ != nullptr) events_->report(severity, order_.slot, std::move(text));
  }

  HostKeeper& keeper_;
  const HostOrder order_;
  const std::string id_;
  const nanoseconds frame_time_;
  const bool is_rendering_;
  EventSink* const events_;
  const Clock& clock_;

  show::Parameters parameters_;  // all, with their present values
  show::Parameters changed_;     // the parameters, except numbers, that the host does not know yet
  std::vector<NumberSetting> numbers_;  // the numbers that the host does not know yet
  const std::vector<std::string> counter_names_;
  PictureTransit transit_;
  HangWatch hang_watch_;
  CrashRecord record_;
  media::Frame last_good_;
  std::string problem_;    // why the present job is not done; empty: see the host's end
  bool has_hung_ = false;  // and this is because the host hangs

  std::shared_ptr<HostProcess> host_;  // null: given up
  SteadyTime started_{};
  std::uint32_t first_job_ = 0;
  bool is_ready_ = false;
  bool has_spare_ = false;  // or will have
  KilledHost killed_;
  decltype(HostedReport::trouble) told_trouble_{};  // as the host told it last
  bool has_trouble_ = false;                        // trouble_ is the host's
  bool is_trouble_reported_ = false;
  SteadyTime news_{};

  std::array<std::atomic<std::uint64_t>, plugin::kInstanceCountsMax> counts_{};  // relaxed
  std::atomic<std::uint64_t> crashes_ = 0;  // relaxed, all four: they stand alone
  std::atomic<std::uint64_t> hangs_ = 0;
  std::atomic<std::uint64_t> held_ = 0;
  std::atomic<std::uint64_t> run_delay_ns_ = 0;  // frames of the plugin waited so long for a core
  plugin::Trouble trouble_;
};

}  // namespace

Result<std::unique_ptr<plugin::Plugin>> make_hosted_plugin(HostKeeper& keeper,
                                                           const plugin::Description& description,
                                                           const std::filesystem::path& file,
                                                           const plugin::Setup& setup) {
  auto made = std::make_unique<HostedPlugin>(keeper, description, file, setup);
  SUBMIX_TRY(made->start());
  return made;
}

void host_plugins_of(plugin::Catalog& catalog, HostKeeper& keeper) {
  catalog.host_with([&keeper](const plugin::Description& description,
                              const std::filesystem::path& file, const plugin::Setup& setup) {
    return make_hosted_plugin(keeper, description, file, setup);
  });
}

}  // namespace submix::host
