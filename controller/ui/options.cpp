// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/options.hpp"

#include "common/base/version.hpp"

#include <CLI/CLI.hpp>

namespace submix::ui {

std::variant<Options, int> parse_options(int argc, char** argv) {
  Options options;
  double after_seconds = 3;
  std::pair<int, int> size{options.size.width, options.size.height};
  CLI::App app{
      "The window of Submix: what runs where, what flows, who waits for whom; pause, step and edit.\n"
      "Without --nats it uses the NATS server on this machine and starts one when there is none."};
  app.set_version_flag("-V,--version", std::string(version()));
  app.add_option("--nats", options.nats_url, "Where NATS is, e.g. nats://198.18.0.1:4222")
      ->envname("SUBMIX_NATS")
      ->type_name("URL");
  app.add_option("--key", options.key_file,
                 "The show's key (submix key new FILE); needed beyond this machine")
      ->envname("SUBMIX_KEY")
      ->type_name("FILE");
  app.add_option("--scale", options.scale, "Size of everything in the window")
      ->check(CLI::Range(0.75, 3.0))
      ->capture_default_str();
  app.add_option("--size", size, "Width and height of the window in pixels")->type_name("W H");
  app.add_option("--screenshot", options.screenshot, "Write a PNG of the window and end")->type_name("FILE");
  app.add_option("--after", after_seconds, "Seconds to wait before the screenshot")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.size = {size.first, size.second};
  options.after = std::chrono::milliseconds(static_cast<std::int64_t>(after_seconds * 1000));
  if (!is_allowed(options.size)) {
    std::cerr << "--size " << size.first << ' ' << size.second << ": each is to be within 16 to 8192\n";
    return 2;
  }
  return options;
}

}  // namespace submix::ui
