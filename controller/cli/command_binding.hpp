// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the files that include CLI11: adds commands to the parser.

#include "controller/cli/context.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>

namespace submix::cli {

/// A parsed command line, ready to run.
using Invocation = std::function<int(Context&)>;

/// Adds a command. Its help begins with the examples.
CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples);
/// The same for a command that consists of further commands: "submix slot insert".
CLI::App& add_group(CLI::App& app, const char* name, const char* summary, const char* examples);

/// Makes `command` run `run`. Returns the options to fill in.
template <typename Options>
Options& bind(CLI::App& command, Invocation& invocation, int (*run)(Context&, const Options&)) {
  auto options = std::make_shared<Options>();
  command.callback([&invocation, options, run] {
    invocation = [options, run](Context& context) { return run(context, *options); };
  });
  return *options;
}

/// bind() for a command that the planner or a node may refuse: adds --force.
template <typename Options>
Options& bind_planned(CLI::App& command, Invocation& invocation,
                      int (*run)(Context&, const Options&)) {
  auto options = std::make_shared<Options>();
  auto is_forced = std::make_shared<bool>(false);
  command.add_flag("--force", *is_forced, "Change the show even if the planner or a node refuses");
  command.callback([&invocation, options, is_forced, run] {
    invocation = [options, is_forced, run](Context& context) {
      context.is_forced = *is_forced;
      return run(context, *options);
    };
  });
  return *options;
}

/// Adds submix slot, submix submix, submix stream, submix node, submix show and submix plan.
void add_structure_commands(CLI::App& app, Invocation& invocation);
/// Adds submix pipe.
void add_pipe_commands(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
