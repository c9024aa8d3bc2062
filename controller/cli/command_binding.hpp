// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the files that include CLI11 (12 s to compile): adds commands to the parser.

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

/// Checks a number of an option. Unlike CLI::Range, it refuses "nan", too.
CLI::Validator number_within(double least, double most);

/// Adds the argument "on" or "off".
CLI::Option& add_on_off(CLI::App& command, bool& is_on);

// Each adds the commands of the file that is named after it, such as looking_arguments.cpp;
// add_demo is in machine_arguments.cpp.
void add_demo(CLI::App& app, Invocation& invocation);
/// Whole shows: applied, saved, planned; undo.
void add_show_commands(CLI::App& app, Invocation& invocation);
/// Commands that change nothing.
void add_looking_commands(CLI::App& app, Invocation& invocation);
/// What performers change during a show.
void add_performing_commands(CLI::App& app, Invocation& invocation);
/// Layers, slots, submixes, streams and nodes.
void add_structure_commands(CLI::App& app, Invocation& invocation);
/// Media folders.
void add_media_commands(CLI::App& app, Invocation& invocation);
/// Programs, keys and joining.
void add_machine_commands(CLI::App& app, Invocation& invocation);
void add_pipe_commands(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
