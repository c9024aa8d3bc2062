// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that includes CLI11, which takes 12 s to compile. The commands have files of their
// own.
#include "tests/throughput/arguments.hpp"

#include "common/base/version.hpp"
#include "common/show/text.hpp"
#include "tests/throughput/link_command.hpp"
#include "tests/throughput/load_command.hpp"
#include "tests/throughput/notation.hpp"
#include "tests/throughput/peers_command.hpp"
#include "tests/throughput/pixels_command.hpp"
#include "tests/throughput/plot_command.hpp"
#include "tests/throughput/run_command.hpp"
#include "tests/throughput/serve_command.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace submix::throughput {
namespace {

/// Prints the examples first, because most people read no further.
class ExamplesFirst final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\nExamples:\n" + app->get_footer() + "\n\n";
  }
  std::string make_footer(const CLI::App*) const override { return ""; }
};

CLI::App& add_command(CLI::App& app, const char* name, const char* summary, const char* examples) {
  auto& command = *app.add_subcommand(name, summary);
  command.footer(examples);
  return command;
}

/// The command that the arguments ask for.
using Invocation = std::function<int(Context&)>;

/// Adds an option whose text `parse` turns into `target`. An error of `parse` is an error of the
/// user.
template <typename T, typename Parse>
CLI::Option* parsed(CLI::App& command, const char* name, T& target, Parse parse,
                    const char* explanation) {
  return command.add_option_function<std::string>(
      name,
      [&target, parse, name](const std::string& text) {
        auto value = parse(text);
        if (!value) throw CLI::ValidationError(name, value.error().message);
        target = std::move(*value);
      },
      explanation);
}

std::chrono::milliseconds to_milliseconds(double seconds) {
  return std::chrono::milliseconds(std::lround(seconds * 1000));
}

/// Adds an option in seconds, such as "--seconds 2.5".
CLI::Option* seconds(CLI::App& command, const char* name, std::chrono::milliseconds& target,
                     const char* explanation, double least = 0.1) {
  return command
      .add_option_function<double>(
          name, [&target](double value) { target = to_milliseconds(value); }, explanation)
      ->check(CLI::Range(least, 86'400.0));
}

constexpr const char* kRunExamples = R"(  submix-throughput run --size xga --fps max --links 2
  sudo submix-throughput run --shape 1gbit,500mbit --fps 30 --frames 300
  sudo submix-throughput run --shape 400mbit,200mbit --delay 0ms,20ms --fps 20
  sudo submix-throughput run --shape 1gbit,1gbit --fps 30 --seconds 12 --vary 1:1gbit,100mbit@2s --json)";

struct RunArguments {
  RunOptions options;
  std::size_t links = 0;  // 0: not given
  bool is_loopback = false;
};

/// Sets options.links from --links (0: not given) and --shape. Returns an error message, or an
/// empty text.
template <typename Options>
std::string settle_links(Options& options, std::size_t links) {
  const auto shaped = options.shape.size();
  if (links > 0 && shaped > 0 && links != shaped)
    return fmt::format("--links {} and --shape of {} links contradict each other", links, shaped);
  if (links > 0) options.links = links;
  if (shaped > 0) options.links = shaped;
  return {};
}

/// Returns an error message, or an empty text.
std::string complete(RunArguments& arguments) {
  auto& options = arguments.options;
  const auto shaped = options.shape.size();
  if (auto problem = settle_links(options, arguments.links); !problem.empty()) return problem;
  if (shaped > 0 && arguments.is_loopback)
    return "--shape needs --namespaces: loopback has no rate to limit";
  options.has_namespaces = options.has_namespaces || shaped > 0;
  if (!options.delays.empty() && options.delays.size() != shaped)
    return fmt::format("--delay of {} links needs --shape of as many, not of {}",
                       options.delays.size(), shaped);
  if (!options.delays.empty() && options.variation)
    return "--delay and --vary exclude each other: the least time of a frame is unknown with both";
  if (options.variation && shaped == 0)
    return "--vary needs --shape: the rates of the other links must be known";
  if (options.variation && options.variation->link >= options.links)
    return fmt::format("--vary: link {} is not within 0 to {}", options.variation->link,
                       options.links - 1);
  return {};
}

void add_run(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "run", "Send streams of frames over some links: losses, latency and cost", kRunExamples);
  auto arguments = std::make_shared<RunArguments>();
  auto& options = arguments->options;
  parsed(command, "--size", options.size, parse_size, "Frame size")->option_text("WxH (1024x768)");
  parsed(command, "--fps", options.rate, parse_frame_rate, "Frames per second, or max")
      ->option_text("N (max)");
  auto* frames = command.add_option("--frames", options.frames, "Measured frames of each stream")
                     ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}))
                     ->option_text("N");
  seconds(command, "--seconds", options.duration, "Measured time")
      ->option_text("N (3)")
      ->excludes(frames);
  seconds(command, "--warm-up", options.warm_up, "Time before the measurement", 0)
      ->option_text("SECONDS (1)");
  command.add_option("--links", arguments->links, "TCP links of each stream")
      ->check(CLI::Range(1, 8))
      ->option_text("N (2)");
  parsed(command, "--shape", options.shape, parse_shape,
         "Rate of each link, in namespaces; needs root")
      ->option_text("1gbit,500mbit");
  parsed(command, "--delay", options.delays, parse_delays,
         "Delay of each link in one direction; with --shape")
      ->option_text("0ms,20ms");
  parsed(command, "--vary", options.variation, parse_variation,
         "Change the rate of a link (0: the first) periodically")
      ->option_text("LINK:1gbit,100mbit@2s");
  parsed(command, "--pixel", options.pixel, parse_pixel_format, "Pixel format at both ends")
      ->option_text("rgba|rgb24 (rgba)");
  parsed(command, "--wire", options.wire, parse_pixel_format,
         "Pixel format on the wire; rgba for a stream with transparency")
      ->option_text("rgba|rgb24 (rgb24)");
  command.add_option("--congestion", options.congestion, "TCP congestion control of the streams")
      ->option_text("NAME (cubic)");
  parsed(command, "--checksum", options.checksum, show::parse_checksum,
         "Checksum of each stripe on the wire")
      ->option_text("off|xxh3 (off)");
  command.add_flag("--encrypt", options.is_encrypted,
                   "Encrypt the pixels of the streams, as shows do unless they say otherwise");
  command.add_flag(
      "--realtime", options.is_realtime,
      "Real-time scheduling for both sides; needs root, or CAP_SYS_NICE and CAP_IPC_LOCK");
  command.add_option("--streams", options.streams, "Concurrent streams")
      ->check(CLI::Range(1, 32))
      ->option_text("N (1)");
  command.add_option("--credits", options.credits, "Most frames of a stream in flight")
      ->check(CLI::Range(1, 64))
      ->option_text("N (4)");
  command.add_option("--rounds", options.rounds, "Repetitions; the results are medians")
      ->check(CLI::Range(1, 1000))
      ->option_text("N (3)");
  auto* loopback = command.add_flag("--loopback", arguments->is_loopback,
                                    "Over 127.0.0.1, 127.0.0.2, … (default)");
  command
      .add_flag("--namespaces", options.has_namespaces,
                "Over virtual cables between two network namespaces; needs root")
      ->excludes(loopback);
  command.callback([&invocation, arguments] {
    if (const auto problem = complete(*arguments); !problem.empty())
      throw CLI::ValidationError("run", problem);
    invocation = [arguments](Context& context) { return run_run(context, arguments->options); };
  });
}

void add_pixels(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "pixels",
      "Compare memcpy, libswscale, libyuv and our own kernels at packing and unpacking frames, and "
      "name the kernel in use by streams",
      "  submix-throughput pixels\n  submix-throughput pixels --size 1080p --rounds 50 --json");
  auto options = std::make_shared<PixelsOptions>();
  parsed(command, "--size", options->size, parse_size, "Frame size")->option_text("WxH (1024x768)");
  command.add_option("--rounds", options->rounds, "Repetitions; the results are medians")
      ->check(CLI::Range(1, 100'000))
      ->option_text("N (15)");
  command.callback([&invocation, options] {
    invocation = [options](Context& context) { return run_pixels(context, *options); };
  });
}

constexpr const char* kPeersExamples = R"(  sudo submix-throughput peers
  submix-throughput peers --loopback --only iperf3,submix --rounds 11 --json
  sudo submix-throughput peers --shape 1gbit,500mbit --fps 30
  sudo submix-throughput peers --loopback --shape 1gbit,500mbit)";

struct PeersArguments {
  PeersOptions options;
  std::size_t links = 0;  // 0: not given
  bool is_loopback = false;
  bool is_namespaces = false;
};

/// Returns an error message, or an empty text.
std::string complete(PeersArguments& arguments) {
  auto& options = arguments.options;
  const auto shaped = options.shape.size();
  if (auto problem = settle_links(options, arguments.links); !problem.empty()) return problem;
  const bool wants_namespaces = arguments.is_namespaces || shaped > 0;
  options.has_loopback = arguments.is_loopback || !wants_namespaces;
  options.has_namespaces = wants_namespaces || !arguments.is_loopback;
  if (options.rate && !options.has_namespaces)
    return "--fps is for links with a --shape: over loopback all go as fast as they can";
  if (shaped == 0) options.shape.assign(options.links, *parse_bit_rate("1gbit"));
  return {};
}

void add_peers(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(app, "peers",
                              "Compare iperf3, MPTCP, GStreamer, FFmpeg and our streams, in turn: "
                              "over loopback, and over shaped links (needs root)",
                              kPeersExamples);
  auto arguments = std::make_shared<PeersArguments>();
  auto& options = arguments->options;
  parsed(command, "--size", options.size, parse_size, "Frame size")->option_text("WxH (1024x768)");
  parsed(command, "--fps", options.rate, parse_frame_rate,
         "Frames per second over shaped links, or max")
      ->option_text("N (max)");
  command
      .add_option("--links", arguments->links,
                  "TCP links of our streams; also the number of shaped links")
      ->check(CLI::Range(1, 8))
      ->option_text("N (2)");
  parsed(command, "--shape", options.shape, parse_shape, "Rate of each link, in namespaces")
      ->option_text("1gbit,500mbit (1gbit each)");
  command.add_flag("--loopback", arguments->is_loopback,
                   "Over 127.0.0.1, 127.0.0.2, …: plain TCP, iperf3, GStreamer, FFmpeg, ours");
  command.add_flag(
      "--namespaces", arguments->is_namespaces,
      "Over shaped virtual cables, see --shape: plain TCP, MPTCP, ours; needs root. Default: "
      "loopback and namespaces");
  seconds(command, "--seconds", options.duration, "Measured time of each test")
      ->option_text("N (3)");
  seconds(command, "--warm-up", options.warm_up, "Time before the measurement", 0)
      ->option_text("SECONDS (1)");
  command.add_option("--credits", options.credits, "Most of our frames in flight")
      ->check(CLI::Range(1, 64))
      ->option_text("N (4)");
  command.add_option("--rounds", options.rounds, "Repetitions; the results are medians")
      ->check(CLI::Range(1, 1000))
      ->option_text("N (5)");
  command
      .add_option("--only", options.only,
                  "Only these. Loopback: plain, iperf3, gstreamer, ffmpeg, submix-1-link, submix, "
                  "submix-rgb24, submix-local; shaped: plain, mptcp, mptcp-256k, mptcp-1m, "
                  "mptcp-system, submix, submix-rgb24")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>{
          "plain", "iperf3", "gstreamer", "ffmpeg", "submix-1-link", "submix", "submix-rgb24",
          "submix-local", "mptcp", "mptcp-256k", "mptcp-1m", "mptcp-system"}))
      ->option_text("NAME,...");
  command.callback([&invocation, arguments] {
    if (const auto problem = complete(*arguments); !problem.empty())
      throw CLI::ValidationError("peers", problem);
    invocation = [arguments](Context& context) { return run_peers(context, arguments->options); };
  });
}

Result<std::vector<FrameRate>> parse_frame_rates(const std::string& text) {
  std::vector<FrameRate> rates;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto rate = parse_frame_rate(part);
    SUBMIX_TRY(rate);
    if (!*rate) return fail("max is not a rate that can be kept; give a number");
    rates.push_back(**rate);
  }
  return rates;
}

constexpr const char* kLoadExamples = R"(  submix-throughput load
  sudo submix-throughput load --shape 1gbit,1gbit
  sudo submix-throughput load --shape 1gbit,1gbit --fps 60 --cores 4 --realtime --json)";

void add_load(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "load",
      "Measure how well a stream keeps its pace while other programs load cores and memory",
      kLoadExamples);
  auto options = std::make_shared<LoadOptions>();
  parsed(command, "--size", options->size, parse_size, "Frame size")->option_text("WxH (1024x768)");
  parsed(command, "--fps", options->rates, parse_frame_rates, "Frame rates, one after the other")
      ->option_text("N,... (30,60)");
  auto* shape = parsed(command, "--shape", options->shape, parse_shape,
                       "Rate of each link, in namespaces; needs root")
                    ->option_text("1gbit,1gbit (loopback)");
  command.add_option("--links", options->links, "TCP links on loopback")
      ->check(CLI::Range(1, 8))
      ->option_text("N (2)")
      ->excludes(shape);
  command.add_option("--load", options->kinds, "Kinds of load: spin, memory")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>{"spin", "memory"}))
      ->option_text("KIND,... (both)");
  command.add_option("--cores", options->cores, "Numbers of loaded cores, one after the other")
      ->delimiter(',')
      ->check(CLI::Range(0, 1024))
      ->option_text("N,... (0,1,2,4,... all)");
  seconds(command, "--seconds", options->duration, "Measured time of each test")
      ->option_text("N (5)");
  seconds(command, "--warm-up", options->warm_up, "Time before the measurement", 0)
      ->option_text("SECONDS (1)");
  command.add_option("--credits", options->credits, "Most frames in flight")
      ->check(CLI::Range(1, 64))
      ->option_text("N (4)");
  command.add_flag(
      "--realtime", options->is_realtime,
      "Real-time scheduling for both sides; needs root, or CAP_SYS_NICE and CAP_IPC_LOCK");
  command.callback([&invocation, options] {
    invocation = [options](Context& context) { return run_load(context, *options); };
  });
}

CLI::Option* add_key(CLI::App& command, std::string& file) {
  return command
      .add_option("--key", file,
                  "The show's key file; without a key, only this machine is reachable")
      ->envname("SUBMIX_KEY")
      ->option_text("FILE ($SUBMIX_KEY)");
}

CLI::Option* add_data_addresses(CLI::App& command, std::vector<std::string>& addresses) {
  return command
      .add_option("--data-address", addresses,
                  "Address of a network card; repeat the option for each card")
      ->take_all()
      ->option_text("ADDRESS (all cards)");
}

void add_serve(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "serve",
      "Receive for `submix-throughput link` on other machines, one client at a time, until Ctrl-C",
      "  submix-throughput serve --listen 192.168.1.10 --key show.key");
  auto options = std::make_shared<ServeOptions>();
  command
      .add_option("--listen", options->listen,
                  "Address to listen at; any address but loopback needs --key")
      ->option_text("ADDRESS (127.0.0.1)");
  command.add_option("--port", options->port, "Port to listen at; 0: a free port")
      ->check(CLI::Range(0, 65535))
      ->option_text("PORT (7410)");
  add_key(command, options->key_file);
  add_data_addresses(command, options->data_addresses);
  command.callback([&invocation, options] {
    invocation = [options](Context& context) { return run_serve(context, *options); };
  });
}

void add_link(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "link", "Measure each pair of network cards to another machine, and all pairs together",
      "  submix-throughput link 192.168.1.10 --key show.key");
  auto options = std::make_shared<LinkOptions>();
  command.add_option("host", options->host, "The machine that runs `submix-throughput serve`")
      ->required();
  command.add_option("--port", options->port, "Port of the other side")
      ->check(CLI::Range(1, 65535))
      ->option_text("PORT (7410)");
  add_key(command, options->key_file);
  add_data_addresses(command, options->data_addresses);
  command.add_option("--size", options->size, "Frame size")
      ->check(CLI::IsMember(std::vector<std::string>{"xga", "720p", "1080p", "2160p"}))
      ->option_text("xga|720p|1080p|2160p (xga)");
  seconds(command, "--seconds", options->duration, "Measured time of each test, at most 30")
      ->option_text("N (3)");
  seconds(command, "--warm-up", options->warm_up, "Time before each measurement, at most 10", 0)
      ->option_text("SECONDS (1)");
  command.add_option("--rounds", options->rounds, "Repetitions; the results are medians")
      ->check(CLI::Range(1, 1000))
      ->option_text("N (3)");
  command.callback([&invocation, options] {
    invocation = [options](Context& context) { return run_link(context, *options); };
  });
}

void add_plot(CLI::App& app, Invocation& invocation) {
  auto& command = add_command(
      app, "plot", "Draw the --json output of run, peers, link, load or pixels as SVG",
      "  sudo submix-throughput peers --json > peers.json\n  submix-throughput plot peers.json");
  auto options = std::make_shared<PlotOptions>();
  command.add_option("file", options->file, "JSON output of a command")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("-o,--output", options->out, "SVG file to write")
      ->check([](const std::string& file) {
        return file.ends_with(".svg")
                   ? std::string()
                   : file + " is not the name of an SVG file; it must end in .svg";
      })
      ->option_text("FILE (file.svg)");
  command.callback([&invocation, options] {
    invocation = [options](Context& context) { return run_plot(context, *options); };
  });
}

// All commands. A new command is added here.
constexpr void (*kCommands[])(CLI::App&, Invocation&) = {add_link, add_serve,  add_run, add_peers,
                                                         add_load, add_pixels, add_plot};

// CLI11 only says that some command is missing.
std::string unknown_command(CLI::App& app) {
  const auto rest = app.remaining();
  if (!app.get_subcommands().empty() || rest.empty() || rest.front().starts_with('-')) return {};
  return "there is no command \"" + rest.front() + "\"\nRun with --help for more information.\n";
}

}  // namespace

int run(int argc, const char* const* argv, Context& context) {
  CLI::App app(
      "Measure streams of frames, on this machine or between two machines. Every command has its "
      "own --help.",
      "submix-throughput");
  app.footer(
      "  submix-throughput run --size xga --fps max --links 2\n"
      "  sudo submix-throughput run --shape 1gbit,500mbit --fps 30 --frames 300 --json\n"
      "  sudo submix-throughput peers\n"
      "  submix-throughput pixels");
  app.formatter(std::make_shared<ExamplesFirst>());
  Invocation invocation;
  app.require_subcommand(1);
  app.fallthrough();  // the shared options may also follow the command
  app.failure_message(CLI::FailureMessage::simple);
  app.set_version_flag("--version,-V", "submix-throughput " + std::string(version()));
  app.add_flag("--json", context.is_json,
               "Results as JSON on stdout: run, peers, link, load, pixels");
  for (const auto add : kCommands)
    add(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = unknown_command(app); !unknown.empty()) {
      std::cerr << unknown;
      return kWrongUse;
    }
    return app.exit(error, std::cout, std::cerr) == 0 ? kOk : kWrongUse;
  }
  return invocation(context);
}

}  // namespace submix::throughput
