// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/options.hpp"

#include "common/base/typed_number.hpp"
#include "common/base/version.hpp"
#include "controller/ui/pages/pages.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::ui {
namespace {

std::vector<std::string> page_ids() {
  std::vector<std::string> ids;
  for (const auto& page : pages())
    ids.emplace_back(page.id);
  return ids;
}

/// Options that CLI11 stores in another form than Options.
struct Raw {
  double after_seconds = 3;
  int measured_seconds = 0;
  std::optional<std::pair<int, int>> size;
};

// Unlike CLI::Range, it refuses "nan", too.
CLI::Validator number_within(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto number = typed_number(text, least, most);
    return number ? std::string() : number.error().message;
  };
  return {check, CLI::Range(least, most).get_description()};
}

void add_cluster(CLI::App& app, Options& options) {
  app.add_option(
         "--nats", options.nats_url,
         "Where NATS is, e.g. nats://198.18.0.1:4222; may be given again, for its other cards")
      ->envname("SUBMIX_NATS")
      ->join(',')
      ->type_name("URL");
  app.add_option("--key", options.key_file,
                 "The show's key (submix key new FILE); needed beyond this machine")
      ->envname("SUBMIX_KEY")
      ->type_name("FILE");
  app.add_flag("--read-only", options.is_read_only,
               "Change nothing in the cluster: for a screen on the wall");
  app.add_flag("--hide-show", options.hides_show,
               "As a desk, do not tell the network the show's name, and whether it runs");
}

void add_look(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--scale", options.scale, "Scale of the window; default: as in the last run")
      ->check(number_within(0.75, 3.0));
  app.add_option("--size", raw.size,
                 "Width and height of the window in pixels; default: as in the last run")
      ->type_name("W H");
  app.add_option("--theme", options.theme, "dark or light; default: as in the last run")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Theme>{{"dark", Theme::dark}, {"light", Theme::light}}));
  app.add_flag_callback(
      "--no-tour", [&options] { options.has_tour = false; }, "No tour on the first start");
  app.add_option("--page", options.page, "The page to begin with; default: as in the last run")
      ->check(CLI::IsMember(page_ids()));
}

// A screenshot, a measurement and a screen on the wall have nobody to lead around.
void judge_tour(Options& options) {
  const bool has_person = options.screenshot.empty() && options.measured.count() == 0;
  options.has_tour = options.has_tour && has_person && !options.is_read_only;
}

void add_input(CLI::App& app, Options& options) {
  app.add_option("--osc", options.input.osc,
                 "Turn OSC on at this UDP port (7770 by default, 0: any free port), or off")
      ->type_name("PORT|off");
  app.add_option("--osc-bind", options.input.osc_bind,
                 "Address that OSC listens at, default 127.0.0.1; everybody who reaches it can "
                 "change the show")
      ->type_name("ADDRESS");
  app.add_option("--osc-to", options.input.osc_to,
                 "Send all changes to this address by OSC; may be given several times")
      ->type_name("HOST:PORT");
  // Flags are added one by one: an optional flag with a negation would have a value even if it was
  // not given.
  app.add_flag_callback(
      "--midi", [&options] { options.input.is_midi_on = true; },
      "MIDI devices; default: as in the last run");
  app.add_flag_callback(
      "--no-midi", [&options] { options.input.is_midi_on = false; }, "No MIDI devices");
  app.add_flag_callback(
      "--link", [&options] { options.input.is_link_on = true; },
      "Ableton Link; default: as in the last run");
  app.add_flag_callback(
      "--no-link", [&options] { options.input.is_link_on = false; }, "No Ableton Link");
  app.add_flag_callback(
      "--follow-music", [&options] { options.input.is_music_followed = true; },
      "The show's tempo follows the music that it hears; default: as in the last run");
  app.add_flag_callback(
      "--no-follow-music", [&options] { options.input.is_music_followed = false; },
      "The tempo stays whatever is heard");
}

void add_proofs(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--screenshot", options.screenshot, "Write a PNG of the window and exit")
      ->type_name("FILE");
  app.add_option("--measure", raw.measured_seconds,
                 "Measure for this many seconds each: untouched, with a moving mouse, as fast as "
                 "possible, and without news; print the frame times and exit")
      ->check(CLI::Range(1, 600))
      ->type_name("SECONDS");
  app.add_option("--after", raw.after_seconds, "Seconds to wait before the screenshot")
      ->check(number_within(0.0, 3600.0))
      ->capture_default_str();
}

}  // namespace

std::variant<Options, int> parse_options(int argc, char** argv) {
  Options options;
  Raw raw;
  CLI::App app{
      "The window of Submix: what runs where, what flows, who waits for whom; pause, step and "
      "edit.\n"
      "Without --nats and --key it goes to the desk that this PC has joined (submix join). Without "
      "a desk, "
      "and "
      "on the desk itself, it uses the NATS server on this PC and starts one when there is none.",
      "submix-controller"};
  app.set_version_flag("-V,--version", "submix-controller " + std::string(version()));
  add_cluster(app, options);
  add_look(app, options, raw);
  add_input(app, options);
  add_proofs(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.after = std::chrono::milliseconds(static_cast<std::int64_t>(raw.after_seconds * 1000));
  options.measured = std::chrono::seconds(raw.measured_seconds);
  judge_tour(options);
  if (raw.size) options.size = Size{raw.size->first, raw.size->second};
  if (options.size && !is_allowed(*options.size)) {
    std::cerr << "--size " << raw.size->first << ' ' << raw.size->second
              << ": each is to be within 16 to 8192\n";
    return 2;
  }
  return options;
}

}  // namespace submix::ui
