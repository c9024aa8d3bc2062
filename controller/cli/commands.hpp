// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The commands of `submix`, each with the options that it alone has. All return an exit status; what goes
/// wrong is told on `Context::err`.
namespace submix::cli {

struct ValidateOptions {
  std::vector<std::string> files;
};
int run_validate(Context& context, const ValidateOptions& options);

struct ApplyOptions {
  std::string file;
  std::optional<std::uint64_t> revision;  ///< only if the cluster's show is still this one
  bool is_forced = false;                 ///< whatever others wrote meanwhile
  bool is_waiting = true;                 ///< until the nodes run it
  std::chrono::seconds patience{30};
};
int run_apply(Context& context, const ApplyOptions& options);

struct StatusOptions {};
int run_status(Context& context, const StatusOptions& options);

struct WatchOptions {
  std::optional<int> seconds;  ///< empty: until Ctrl-C
};
int run_watch(Context& context, const WatchOptions& options);

struct BottleneckOptions {};
int run_bottleneck(Context& context, const BottleneckOptions& options);

struct AssignOptions {
  std::string submix;
  std::string node;  ///< empty: nobody
};
int run_assign(Context& context, const AssignOptions& options);

struct SetOptions {
  std::string target;                ///< submix.slot.parameter
  std::optional<std::string> value;  ///< empty: the plugin's own
};
int run_set(Context& context, const SetOptions& options);

struct BypassOptions {
  std::string slot;  ///< submix.slot
  bool is_bypassed = true;
};
int run_bypass(Context& context, const BypassOptions& options);

struct LinksOptions {
  std::string stream;
  std::vector<std::string> links;  ///< a count, or FROM=TO for each link
};
int run_links(Context& context, const LinksOptions& options);

struct PolicyOptions {
  std::string stream;
  std::string policy;
  std::optional<std::int64_t> pause_budget_ms;  ///< empty: the one it has
};
int run_policy(Context& context, const PolicyOptions& options);

struct PauseOptions {};
int run_pause(Context& context, const PauseOptions& options);
int run_resume(Context& context, const PauseOptions& options);

struct StepOptions {
  std::uint64_t frames = 1;
};
int run_step(Context& context, const StepOptions& options);

struct SnapshotOptions {
  std::string target;  ///< submix or submix.slot
  std::string file;    ///< empty: `target`.png, in the current folder
  int width_max = 0;   ///< pixels; 0: full size
};
int run_snapshot(Context& context, const SnapshotOptions& options);

struct PluginsOptions {
  std::string id;    ///< empty: list them all
  std::string node;  ///< empty: any that is here
};
int run_plugins(Context& context, const PluginsOptions& options);

struct KeyOptions {
  std::string file;
};
int run_key_new(Context& context, const KeyOptions& options);
int run_key_show(Context& context, const KeyOptions& options);

struct NatsOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 4222;
  std::string folder;  ///< empty: in the user's state folder
};
int run_nats(Context& context, const NatsOptions& options);

}  // namespace submix::cli
