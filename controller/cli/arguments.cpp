// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that sees CLI11 (12 s to compile): what the commands do is in files of their own.
#include "controller/cli/arguments.hpp"

#include "common/base/version.hpp"
#include "common/cluster/address.hpp"
#include "common/show/nearest.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/demo.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cli {
namespace {

/// Examples come first: most people read no further.
class ExamplesFirst final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\nExamples:\n" + app->get_footer() + "\n\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    if (app->get_parent() == nullptr) return "\nExit status: 0 done, 1 failed, 2 wrong use.\n";
    return "\nAlso --nats URL, --key FILE and, where a machine reads, --json: see submix --help.\n";
  }
};

CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& command = *app.add_subcommand(name, summary);
  command.footer(examples);
  return command;
}

/// What the arguments ask for.
using Invocation = std::function<int(Context&)>;

/// Lets `command` run `run`; gives the options to fill in.
template <typename Options>
Options& bind(CLI::App& command, Invocation& invocation, int (*run)(Context&, const Options&)) {
  auto options = std::make_shared<Options>();
  command.callback([&invocation, options, run] {
    invocation = [options, run](Context& context) { return run(context, *options); };
  });
  return *options;
}

void add_demo(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "demo", "Run a whole show on this machine: two performers and a mix",
                              "  submix demo\n  submix demo --clip holiday.mp4 --seconds 60 --out /tmp/demo");
  auto& options = bind(command, invocation, run_demo);
  command.add_option("--clip", options.clip, "Play this clip instead of a made one")->option_text("FILE");
  command.add_option("--show", options.show, "Another show file; all of its nodes run here")
      ->option_text("FILE");
  command.add_option("--seconds", options.seconds, "End by itself")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  command.add_option("--out", options.out, "Where mix.png, mix.mkv, the made clip and the logs go")
      ->option_text("DIR (out)");
  command.add_flag("--headless", options.is_headless,
                   "A table in the terminal, even where there is a display");
}

void add_validate(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "validate",
      "Tell all that is wrong with show files; what plugins take is for the nodes to say: apply asks them",
      "  submix validate duo.toml\n  submix validate shows/*.toml");
  auto& options = bind(command, invocation, run_validate);
  command.add_option("file", options.files, "Show files")->required();
}

void add_apply(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "apply", "Make a show file the cluster's show, and wait until its nodes run it",
                  "  submix apply duo.toml\n  submix apply --force duo.toml");
  auto& options = bind(command, invocation, run_apply);
  command.add_option("file", options.file, "Show file")->required();
  command.add_option("--revision", options.revision, "Only if the cluster's show is still at this revision")
      ->option_text("N");
  command.add_flag("--force", options.is_forced, "Overwrite whatever others wrote");
  command.add_flag_callback(
      "--no-wait", [&options] { options.is_waiting = false; }, "Do not wait for the nodes");
  command.add_option("--timeout", options.patience, "How long to wait")
      ->check(CLI::Range(1, 3600))
      ->option_text("SECONDS (30)");
}

void add_status(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "status", "Show nodes, submixes, streams and links, as measured over one second",
                  "  submix status\n  submix status --json | jq '.streams[].links[].mb_per_second'");
  bind(command, invocation, run_status);
}

void add_watch(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "watch", "The same as status, once a second until Ctrl-C",
                              "  submix watch\n  submix watch --json");
  auto& options = bind(command, invocation, run_watch);
  command.add_option("--seconds", options.seconds, "End after so many")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
}

void add_bottleneck(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "bottleneck", "Say in one sentence what limits the show's rate now",
                              "  submix bottleneck\n  submix bottleneck --json | jq .path");
  bind(command, invocation, run_bottleneck);
}

void add_assign(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "assign", "Let a node run a submix; without a node: nobody",
                              "  submix assign left rack2\n  submix assign left");
  auto& options = bind(command, invocation, run_assign);
  command.add_option("submix", options.submix, "Submix")->required();
  command.add_option("node", options.node, "Node");
}

void add_set(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "set", "Set a parameter; without a value: back to the plugin's own",
                              "  submix set left.glow.Blur 0.5\n  submix set left.tint.color '[1, 0.5, 0]'\n "
                              " submix set left.glow.Blur");
  auto& options = bind(command, invocation, run_set);
  command.add_option("parameter", options.target, "submix.slot.parameter")->required();
  command.add_option("value,--value", options.value, "true, false, a number, [numbers], or text")
      ->option_text(" ");
}

void add_bypass(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "bypass", "Let a slot pass its first input on",
                              "  submix bypass left.glow on\n  submix bypass left.glow off");
  auto& options = bind(command, invocation, run_bypass);
  command.add_option("slot", options.slot, "submix.slot")->required();
  command.add_option("state", options.is_bypassed, "on or off")
      ->check(CLI::IsMember(std::vector<std::string>{"on", "off"}))
      ->option_text("on|off (on)");
}

void add_links(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "links", "Set a stream's links; they join and leave while frames flow",
                              "  submix links left 3\n  submix links left 198.18.0.2=198.18.0.1 "
                              "198.18.1.2=198.18.1.1");
  auto& options = bind(command, invocation, run_links);
  command.add_option("stream", options.stream, "Stream")->required();
  command
      .add_option("links", options.links,
                  "How many, 1 to 8, paired by subnet; or FROM=TO for each, an address of each end's card")
      ->required();
}

void add_policy(CLI::App& app, Invocation& invocation) {
  auto& command =
      add_command(app, "policy", "Set what a stream does when an end of it is late; frames flow on",
                  "  submix policy left latest\n  submix policy left hold --pause-budget 250");
  auto& options = bind(command, invocation, run_policy);
  command.add_option("stream", options.stream, "Stream")->required();
  command
      .add_option(
          "policy", options.policy,
          "wait: lose nothing; hold, black: what the input shows past the pause budget; latest: never "
          "wait for the receiver, newer frames take the place of unsent ones")
      ->required();
  command
      .add_option(
          "--pause-budget", options.pause_budget_ms,
          "How long it may hold others up: the receiver's patch (hold, black), other receivers of the "
          "same output (all but latest)")
      ->option_text("MS");
}

void add_transport(CLI::App& app, Invocation& invocation) {
  bind(add_command(app, "pause", "Hold the whole show; nothing is lost", "  submix pause"), invocation,
       run_pause);
  bind(add_command(app, "resume", "Let a paused show run on", "  submix resume"), invocation, run_resume);
  auto& step =
      add_command(app, "step", "Render single frames of a paused show", "  submix step\n  submix step 10");
  step.add_option("frames", bind(step, invocation, run_step).frames, "How many")
      ->check(CLI::Range(1, 1'000'000));
}

void add_snapshot(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "snapshot", "Save what a submix, or one of its slots, shows",
                              "  submix snapshot mix\n  submix snapshot left.glow -o glow.png --width 640");
  auto& options = bind(command, invocation, run_snapshot);
  command.add_option("slot", options.target, "submix or submix.slot")->required();
  command.add_option("-o,--output", options.file, "PNG file to write")->option_text("FILE (SLOT.png)");
  command.add_option("--width", options.width_max, "Shrink to so many pixels")
      ->check(CLI::Range(16, 8192))
      ->option_text("PIXELS");
}

void add_plugins(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "plugins", "List a node's plugins, or one with its parameters",
                              "  submix plugins\n  submix plugins frei0r/glow");
  auto& options = bind(command, invocation, run_plugins);
  command.add_option("id", options.id, "Plugin");
  command.add_option("--node", options.node, "Ask this node; else any")->option_text("NODE");
}

void add_key(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "key", "Make the key that a show over several PCs needs, or print it",
                              "  submix key new show.key\n  submix key show show.key");
  command.require_subcommand(1);
  auto& make = add_command(command, "new", "Make a key file", "  submix key new show.key");
  make.add_option("file", bind(make, invocation, run_key_new).file, "Key file; must not exist")->required();
  auto& show =
      add_command(command, "show", "Print a key, to be copied to another PC", "  submix key show show.key");
  show.add_option("file", bind(show, invocation, run_key_show).file, "Key file")->required();
}

void add_nats(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "nats", "Run the NATS server that a show is steered through, until Ctrl-C",
                              "  submix nats\n  submix nats --key show.key --listen 192.168.1.10");
  auto& options = bind(command, invocation, run_nats);
  command.add_option("--listen", options.listen, "Address; anything but loopback needs --key")
      ->capture_default_str();
  command.add_option("--port", options.port, "0: a free one")
      ->check(CLI::Range(0, 65535))
      ->option_text("PORT (4222)");
  command.add_option("--folder", options.folder, "Where it keeps its state")
      ->option_text("FOLDER (~/.local/state/submix/nats)");
}

// Every command; a new one is added here.
constexpr void (*kCommands[])(CLI::App&, Invocation&) = {
    add_demo,   add_apply, add_validate, add_status,    add_watch,    add_bottleneck, add_assign, add_set,
    add_bypass, add_links, add_policy,   add_transport, add_snapshot, add_plugins,    add_key,    add_nats,
};

void add_shared_options(CLI::App& app, Context& context) {
  context.url = cluster::kDefaultUrl;
  app.set_version_flag("--version,-V", "submix " + std::string(version()));
  app.add_option("--nats", context.url, "Where NATS is")
      ->envname("SUBMIX_NATS")
      ->option_text("URL (nats://127.0.0.1:4222, $SUBMIX_NATS)");
  app.add_option("--key", context.key_file, "Key file of the show")
      ->envname("SUBMIX_KEY")
      ->option_text("FILE ($SUBMIX_KEY)");
  app.add_flag("--json", context.is_json, "status, watch, bottleneck, plugins: JSON, one object a line");
}

bool is_negative_number(std::string_view text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) != 0 || text[1] == '.');
}

// The arguments as CLI11 wants them: the last one first, and no negative number that it would take for an
// option.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const bool is_set = std::find(arguments.begin(), arguments.end(), "set") != arguments.end();
  for (auto& argument : arguments) {
    if (argument == "--") break;  // all behind it is taken as it stands
    if (is_set && is_negative_number(argument)) argument.insert(0, "--value=");
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

bool can_tell_json(const CLI::App& command) {
  const auto& name = command.get_name();
  return name == "status" || name == "watch" || name == "bottleneck" || name == "plugins";
}

// CLI11 merely says that some command is missing.
std::string unknown_command(CLI::App& app) {
  const auto rest = app.remaining();
  if (!app.get_subcommands().empty() || rest.empty() || rest.front().starts_with('-')) return {};
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return "there is no command \"" + rest.front() + "\"" + show::did_you_mean(rest.front(), names) +
         "\nRun with --help for more information.\n";
}

}  // namespace

int run(int argc, const char* const* argv, Context& context) {
  CLI::App app("Steer a Submix cluster: every command has its own --help", "submix");
  app.footer(
      "  submix apply duo.toml\n  submix status\n  submix set left.glow.Blur 0.5\n  submix snapshot mix -o "
      "mix.png");
  app.formatter(std::make_shared<ExamplesFirst>());
  Invocation invocation;
  app.require_subcommand(1);
  app.fallthrough();  // the shared options may stand behind the command, too
  app.failure_message(CLI::FailureMessage::simple);
  add_shared_options(app, context);
  for (const auto add : kCommands)
    add(app, invocation);
  try {
    app.parse(reversed_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = unknown_command(app); !unknown.empty()) {
      context.err << unknown;
      return kWrongUse;
    }
    return app.exit(error, context.out, context.err) == 0 ? kOk : kWrongUse;
  }
  if (context.is_json && !can_tell_json(*app.get_subcommands().front())) {
    context.err << "--json: " << app.get_subcommands().front()->get_name()
                << " does not tell JSON; status, watch, bottleneck and plugins do\nRun with --help for more "
                   "information.\n";
    return kWrongUse;
  }
  return invocation(context);
}

}  // namespace submix::cli
