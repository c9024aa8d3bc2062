// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/effect_trial.hpp"

#include "node/host/picture_transit.hpp"

#include <utility>

namespace submix::host {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

/// A host for one trial. It ends with this object.
class TrialHost {
 public:
  TrialHost(std::shared_ptr<HostProcess> host, const EffectTrial& trial, Size size)
      : host_(std::move(host)),
        trial_(trial),
        deadline_(std::chrono::steady_clock::now() + trial.patience),
        transit_(size) {}
  TrialHost(const TrialHost&) = delete;
  TrialHost& operator=(const TrialHost&) = delete;
  ~TrialHost() { host_->kill(); }

  Result<void> begin() {
    const auto first_job = host_->ask_to_begin(trial_.parameters);
    SUBMIX_TRY(first_job);
    transit_.views().count_message();  // the message of the first job
    return await(*first_job);
  }

  Result<void> draw(std::size_t number, const media::Frame& input, media::WritableFrame& output) {
    Job job;
    job.pts_ns = trial_.rate.time_of(FrameIndex{number}).count();
    SUBMIX_TRY(transit_.show({&input, 1}, output, host_->channel(), job));
    job.messages = transit_.views().messages();
    SUBMIX_TRY(await(host_->ask(job)));
    transit_.collect(output);
    return {};
  }

 private:
  Result<void> await(std::uint32_t job) {
    host_->wait_for_answer(deadline_);
    if (host_->has_answered(job)) return {};
    if (host_->is_gone()) return fail("plugin \"{}\" {}", trial_.id, host_->end());
    if (host_->has_scribbled())
      return fail("plugin \"{}\" wrote over what it shares with the node", trial_.id);
    return fail("plugin \"{}\" made no picture within {} ms", trial_.id, trial_.patience.count());
  }

  const std::shared_ptr<HostProcess> host_;
  const EffectTrial& trial_;
  const SteadyTime deadline_;
  PictureTransit transit_;
};

}  // namespace

Result<media::Frame> try_effect(HostKeeper& keeper, const EffectTrial& trial,
                                const media::Frame& input, media::FramePool& pool) {
  auto process = keeper.start({.slot = "try." + trial.id,
                               .file = trial.file,
                               .size = input.size(),
                               .program = program_of(trial.id),
                               .is_background = true});
  SUBMIX_TRY(process);
  auto output = pool.try_acquire();
  if (!output) return fail("plugin \"{}\": no memory for its picture is left", trial.id);
  TrialHost host(*std::move(process), trial, input.size());
  SUBMIX_TRY(host.begin());
  for (std::size_t number = 0; number < trial.frames; ++number)
    SUBMIX_TRY(host.draw(number, input, *output));
  return std::move(*output).publish();
}

}  // namespace submix::host
