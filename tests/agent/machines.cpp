// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/machines.hpp"

#include "common/show/macros.hpp"
#include "node/agent/node_share.hpp"
#include "node/plugin/built_ins.hpp"

#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

namespace submix::agent {
namespace {

constexpr std::chrono::milliseconds kTendPeriod(10);

std::unique_ptr<link::DataPlane> start_data_plane(const std::string& name, EventSink& events) {
  link::DataPlaneOptions options;
  options.node = name;
  options.addresses = {"127.0.0.1"};
  options.events = &events;
  auto started = link::DataPlane::start(std::move(options));
  if (!started) throw std::runtime_error(started.error().message);
  return std::move(*started);
}

// The window for the output chain. Nobody sees it.
void add_window(plugin::Catalog& catalog) {
  auto window = plugin::null_description();
  window.id = "window";
  catalog.add(std::move(window), plugin::make_null);
}

StandbyPictures::Files no_pictures() {
  return {[](const std::string&) { return std::nullopt; },
          [](const std::string& file, Size) -> Result<std::vector<std::uint8_t>> {
            return fail("{}: these machines have no pictures", file);
          }};
}

}  // namespace

Machine::Machine(std::string name, EpochClock::WallClock wall_clock)
    : name_(std::move(name)),
      epochs_(std::move(wall_clock)),
      data_plane_(start_data_plane(name_, events_)),
      streams_(std::make_unique<Streams>(
          name_, Streams::Dependencies{*data_plane_, transport_, events_, stream_clock_, epochs_,
                                       no_pictures()})) {
  plugin::add_built_ins(catalog_);
  add_window(catalog_);
  streams_->add_plugins(catalog_);
  catalog_.add(
      {.id = "refused", .kind = plugin::Kind::filter},
      [](const plugin::Setup&) -> Result<std::unique_ptr<plugin::Plugin>> {
        return fail("no plugin \"refused\" is ever made");
      },
      plugin::TryOut::none);
  catalog_.add({.id = "filed", .kind = plugin::Kind::source},
               [this](const plugin::Setup& setup) -> Result<std::unique_ptr<plugin::Plugin>> {
                 if (!has_file_) return fail("{}: there is no such file", setup.about());
                 auto black = setup;
                 black.parameters.emplace("reason", std::string());
                 return plugin::make_stand_in_source(black);
               });
  submixes_ = std::make_unique<Submixes>(
      engine::PatchEnvironment{catalog_, events_, clock_, transport_}, epochs_,
      [this](const std::string& submix) { return streams_->peers_ready(submix); },
      [this](const std::string& submix) { return streams_->other_node_of(submix); });
  agent_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

void Machine::meet(Machine& other) {
  streams_->set_endpoints(other.name_, other.data_plane_->endpoints(),
                          other.data_plane_->local_endpoint());
  const MutexLock lock(mutex_);
  others_.push_back(&other);
}

void Machine::part_from(const Machine& other) {
  const MutexLock lock(mutex_);
  std::erase(others_, &other);
}

void Machine::give(const show::Show& show) {
  const MutexLock lock(mutex_);
  next_ = show;
  ++shows_given_;
  given_.notify_all();
}

bool Machine::is_settled() const {
  const MutexLock lock(mutex_);
  return !next_ && !is_busy_;
}

bool Machine::is_handing_over() const {
  const MutexLock lock(mutex_);
  return is_handing_over_;
}

// Does the same steps as the agent's thread.
void Machine::follow(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (const auto show = take_given()) converge(*show);
    submixes_->tend([this](const std::string& submix) { return streams_->has_taken_over(submix); });
    for (const auto& output : streams_->tend())
      submixes_->renew(output);
    report();
    const MutexLock lock(mutex_);
    is_busy_ = false;
    is_handing_over_ = submixes_->is_handing_over() || streams_->is_changing();
  }
}

std::optional<show::Show> Machine::take_given() {
  const MutexLock lock(mutex_);
  static_cast<void>(given_.wait_until(mutex_, clock_.now() + kTendPeriod,
                                      [this]()
                                          SUBMIX_REQUIRES(mutex_) { return next_.has_value(); }));
  is_busy_ = next_.has_value();
  if (is_busy_) revision_ = shows_given_;
  return std::exchange(next_, std::nullopt);
}

void Machine::converge(const show::Show& show) {
  streams_->follow(show, revision_);
  submixes_->converge(share_of(show::expand(show), name_), assigned_elsewhere(show, name_));
}

void Machine::report() {
  epochs_.meet(streams_->greatest_epoch_met());
  if (!is_heard_) return;
  const Streams::EpochReport epoch_report{epochs_.to_be_told(), revision_};
  auto submixes = submixes_->reports();
  const auto moved = submixes_->reports_of_moved();
  submixes.insert(submixes.end(), moved.begin(), moved.end());
  const MutexLock lock(mutex_);
  for (auto* other : others_) {
    other->streams_->set_running(name_, submixes);
    other->streams_->set_epoch_report(name_, epoch_report);
    other->epochs_.hear(epoch_report.epoch);
  }
}

}  // namespace submix::agent
