// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/arguments.hpp"

#include "common/base/typed_number.hpp"
#include "common/base/version.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/membership.hpp"
#include "common/show/nearest.hpp"
#include "controller/cli/command_binding.hpp"
#include "controller/cli/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace submix::cli {
namespace {

/// Prints the examples first: most people read no further.
class ExamplesFirst final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\nExamples:\n" + app->get_footer() + "\n\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    if (app->get_parent() == nullptr)
      return "\nExit status: 0 done, 1 failed or refused, 2 wrong use, "
             "3 written, but not all nodes have followed yet.\n";
    return "\nOptions of all commands (--nats URL, --key FILE, --json): see submix --help.\n";
  }
};

// In the order of the help. Add new commands to one of these.
constexpr void (*kCommands[])(CLI::App&, Invocation&) = {
    add_demo,
    add_show_commands,
    add_looking_commands,
    add_media_commands,
    add_performing_commands,
    add_structure_commands,
    add_machine_commands,
    add_pipe_commands,
};

constexpr std::array<std::string_view, 14> kCommandsWithJson{
    "status",  "watch",      "bottleneck", "alerts", "ledger", "plugins", "media",
    "outputs", "sound list", "peers",      "plan",   "render", "shaders", "doctor"};

std::string commands_with_json() {
  return fmt::format("{}", fmt::join(kCommandsWithJson, ", "));
}

void add_shared_options(CLI::App& app, Context& context) {
  app.set_version_flag("--version,-V", "submix " + std::string(version()));
  app.add_option("--nats", context.url,
                 "Address of NATS; several, separated by ',', for a server with several cards")
      ->envname("SUBMIX_NATS")
      ->join(',')
      ->option_text("URL[,URL] ($SUBMIX_NATS; without a key: the joined desk, else this PC)");
  app.add_option("--key", context.key_file, "Key file of the show")
      ->envname("SUBMIX_KEY")
      ->option_text("FILE ($SUBMIX_KEY; without --nats: the joined desk's)");
  app.add_flag("--json", context.is_json,
               fmt::format("Print JSON, one object a line ({})", commands_with_json()));
}

bool is_negative_number(std::string_view text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) != 0 || text[1] == '.');
}

// Whether an option of "set" takes a number, which may be negative.
bool takes_number(std::string_view option) {
  constexpr std::array<std::string_view, 7> kOptions{"--value", "--frequency", "--beats", "--from",
                                                     "--to",    "--phase",     "--width"};
  return std::ranges::find(kOptions, option) != kOptions.end();
}

// The arguments in CLI11's order: the last one first. Negative numbers are protected, because CLI11
// would take them for options.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
  const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  bool is_set = false;
  bool is_behind_dashes = false;  // later arguments stay unchanged
  std::vector<std::string> arguments;
  for (const auto& argument : given) {
    if (!is_set || is_behind_dashes || !is_negative_number(argument)) {
      arguments.push_back(argument);
    } else if (takes_number(arguments.back())) {
      arguments.back() += "=" + argument;
    } else {
      arguments.push_back("--value=" + argument);
    }
    is_set = is_set || argument == "set";
    is_behind_dashes = is_behind_dashes || argument == "--";
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

bool can_print_json(const CLI::App& command) {
  return std::ranges::any_of(kCommandsWithJson, [&](const std::string_view words) {
    return words.substr(0, words.find(' ')) == command.get_name();
  });
}

// These have nothing to do with the desk that this PC has joined, or ask for it themselves.
bool is_of_this_pc(const CLI::App& command) {
  constexpr std::array<std::string_view, 11> kCommandsOfThisPc{
      "demo", "desk",  "invite", "join",    "key",     "leave",
      "nats", "peers", "render", "shaders", "simulate"};
  return std::ranges::find(kCommandsOfThisPc, command.get_name()) != kCommandsOfThisPc.end();
}

// The named command, as far as the arguments name one: "submix slot insert".
const CLI::App* named_command(const CLI::App& app, std::string& name) {
  name = app.get_name();
  const auto* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  return command;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// CLI11's error says neither which command is missing nor which command it is about.
std::string wrong_use(const CLI::App* app, const CLI::Error& error) {
  std::string name;
  const auto* command = named_command(*app, name);
  const auto names = commands_of(*command);
  const auto rest = app->remaining(true);
  const auto hint = "\nRun " + name + " --help for more information.\n";
  if (names.empty()) return name + ": " + error.what() + hint;
  if (name == "submix stream" && !rest.empty() && rest.front() == "routes")
    return "submix stream routes: use submix links STREAM FROM=TO …" + hint;
  if (!rest.empty() && !rest.front().starts_with('-')) {
    const auto of = command == app ? "there is no command \"" : name + " has no command \"";
    return of + rest.front() + "\"" + show::did_you_mean(rest.front(), names) + hint;
  }
  const bool is_missing = error.get_name() == "RequiredError";
  if (!is_missing || command == app) return name + ": " + error.what() + hint;
  return fmt::format("{}: name a command: {}{}", name, fmt::join(names, ", "), hint);
}

}  // namespace

CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& command = *app.add_subcommand(name, summary);
  command.footer(examples);
  return command;
}

CLI::App& add_group(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& group = add_command(app, name, summary, examples);
  group.require_subcommand(1);
  return group;
}

CLI::Validator number_within(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto number = typed_number(text, least, most);
    return number ? std::string() : number.error().message;
  };
  return {check, CLI::Range(least, most).get_description()};
}

CLI::Option& add_on_off(CLI::App& command, bool& is_on) {
  return *command.add_option("state", is_on, "on or off")
              ->check(CLI::IsMember(std::vector<std::string>{"on", "off"}));
}

int run(int argc, const char* const* argv, Context& context) {
  CLI::App app("Steer a Submix cluster. Every command has its own --help", "submix");
  app.footer(
      "  submix apply duo.toml\n  submix status\n  submix set left.glow.Blur 0.5\n  submix "
      "snapshot mix -o "
      "mix.png");
  app.formatter(std::make_shared<ExamplesFirst>());
  Invocation invocation;
  app.require_subcommand(1);
  app.fallthrough();  // shared options may also follow the command
  app.failure_message(wrong_use);
  add_shared_options(app, context);
  for (const auto add : kCommands)
    add(app, invocation);
  try {
    app.parse(reversed_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, context.out, context.err) == 0 ? kOk : kWrongUse;
  }
  if (context.is_json && !can_print_json(*app.get_subcommands().front())) {
    context.err << fmt::format(
        "--json: {} prints no JSON; these do: {}\nRun with --help for more information.\n",
        app.get_subcommands().front()->get_name(), commands_with_json());
    return kWrongUse;
  }
  if (!is_of_this_pc(*app.get_subcommands().front())) {
    if (const auto used = cluster::use_membership(context.url, context.key_file); !used)
      return failed(context, used.error().message);
  }
  if (context.url.empty()) context.url = cluster::kDefaultUrl;
  return invocation(context);
}

}  // namespace submix::cli
