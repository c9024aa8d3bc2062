// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/demo.hpp"

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/program_folder.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/cluster.hpp"
#include "common/media/png.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/demo_clip.hpp"
#include "controller/cli/demo_processes.hpp"
#include "controller/cli/state_folder.hpp"
#include "controller/cli/status_text.hpp"
#include "controller/session/nats_access.hpp"
#include "controller/session/session.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr const char* kMadeClip = "clip.mp4";  // the name in configs/shows/duo.toml
constexpr std::chrono::seconds kStartPatience(30);
constexpr std::chrono::seconds kPicturePatience(5);
constexpr std::chrono::milliseconds kDemoLook(200);
constexpr std::chrono::seconds kTablePeriodWithoutTerminal(2);

fs::path usual_show() {
  const auto installed = program_folder().parent_path() / "share/submix/shows/duo.toml";
  return fs::exists(installed) ? installed : program_folder() / "../../../configs/shows/duo.toml";
}

Result<show::Show> load_show(const DemoOptions& options) {
  const auto file = options.show.empty() ? usual_show() : options.show;
  const auto text = read_text_or_pipe(file);
  SUBMIX_TRY(text);
  auto show = show::parse(*text, file.filename().string());
  if (!show) return tl::unexpected(Error{show::to_string(show.error())});
  if (show->nodes.empty()) return fail("{}: names no node; add a [[node]] for each", file.string());
  return std::move(*show);
}

/// Replaces the made clip by `clip` in every slot that plays it, by its name in its folder.
void play(show::Show& show, const fs::path& clip) {
  for (auto& submix : show.submixes) {
    for (auto& slot : submix.slots) {
      const auto file = slot.parameters.find("file");
      if (slot.plugin != "clip" || file == slot.parameters.end()) continue;
      if (file->second == show::ParameterValue(kMadeClip)) file->second = clip.filename().string();
    }
  }
}

/// The nodes' media folder: a show may not name files outside. Resolves a symbolic link to the
/// clip.
fs::path media_of(const DemoOptions& options) {
  return options.clip.empty() ? options.out : fs::canonical(options.clip).parent_path();
}

Result<void> check_clip(const fs::path& clip) {
  std::error_code error;
  const auto status = fs::status(clip, error);
  if (fs::is_regular_file(status)) return {};
  if (fs::is_directory(status))
    return fail("--clip {}: is a folder; name one file in it", clip.string());
  if (fs::exists(status))
    return fail("--clip {}: is no file; name one that FFmpeg decodes", clip.string());
  if (status.type() == fs::file_type::not_found)
    return fail("--clip {}: there is no such file", clip.string());
  return fail("--clip {}: {}", clip.string(), error.message());
}

Result<void> prepare(Context& context, const DemoOptions& options, show::Show& show,
                     StopSignal& stop) {
  std::error_code error;
  fs::create_directories(options.out / "logs", error);
  if (error)
    return fail("{}: cannot be made: {}", (options.out / "logs").string(), error.message());
  if (options.clip.empty()) {
    fmt::print(context.out, "Making a clip … {}\n", (options.out / kMadeClip).string());
    context.out.flush();
    return make_demo_clip(options.out / kMadeClip, stop);
  }
  if (auto checked = check_clip(options.clip); !checked) return checked;
  play(show, fs::canonical(options.clip));
  return {};
}

bool has_display() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

/// A running demo: its processes, and a session that sees the cluster as a controller does.
class Demo {
 public:
  Demo(Context& context, DemoOptions options, show::Show show, DemoProcesses& processes,
       std::unique_ptr<cluster::Bus> bus, StopSignal& stop)
      : context_(context),
        options_(std::move(options)),
        show_(std::move(show)),
        processes_(processes),
        bus_(std::move(bus)),
        stop_(stop),
        session_(std::make_unique<session::NatsAccess>(
                     cluster::BusSettings{.url = processes.nats_url()}),
                 clock_, {.author = "submix demo"}) {}

  Result<void> run() {
    if (auto applied = apply(); !applied) return applied;
    if (auto running = wait_until_all_run(); !running || is_over_) return running;
    announce();
    if (auto shown = show_it(); !shown) return shown;
    return keep_picture();
  }

 private:
  Result<void> apply() {
    cluster::Cluster cluster(*bus_);
    const auto written = cluster.put_show({show::to_toml(show_), "submix demo"}, std::nullopt);
    if (!written) return fail("the show cannot be applied: {}", written.error().message);
    return {};
  }

  Result<void> wait_until_all_run() {
    const auto deadline = steady_clock::now() + kStartPatience;
    while (!is_interrupted()) {
      if (auto tended = tend(); !tended) return tended;
      const auto view = session_.view();
      if (view != nullptr) {
        for (const auto& submix : view->submixes) {
          if (submix.state == model::SubmixState::failed) return fail("{}", submix.error);
        }
        if (does_all_flow(*view)) return {};
      }
      if (steady_clock::now() > deadline)
        return fail("the show does not run after {} s; see {}", kStartPatience.count(),
                    (options_.out / "logs").string());
    }
    return {};
  }

  [[nodiscard]] bool does_all_flow(const model::ClusterView& view) const {
    return view.submixes.size() == show_.submixes.size() &&
           std::all_of(view.submixes.begin(), view.submixes.end(),
                       [](const model::SubmixView& submix) {
                         return submix.state == model::SubmixState::running && submix.fps > 0;
                       });
  }

  Result<void> tend() {
    auto done = processes_.tend();
    SUBMIX_TRY(done);
    if (!done->empty()) tell(std::move(*done));
    return {};
  }

  void tell(std::string news) {
    fmt::print(context_.out, "{}\n", news);
    context_.out.flush();
    news_ = std::move(news);
  }

  void announce() const {
    const auto url = processes_.nats_url();
    fmt::print(context_.out, "The show \"{}\" runs. In another terminal: {}submix status\n",
               show_.name, needs_telling(url) ? "SUBMIX_NATS=" + url + " " : "");
    if (!options_.seconds) fmt::print(context_.out, "Ctrl-C ends it.\n");
  }

  Result<void> show_it() {
    bool has_table = options_.is_headless || !has_display();
    if (!has_table) {
      const auto opened = processes_.open_controller();
      if (!opened) tell(opened.error().message + ". A table instead:");
      has_table = !opened;
    }
    const auto started = steady_clock::now();
    while (!is_interrupted()) {
      if (auto tended = tend(); !tended) return tended;
      if (const auto status = processes_.take_controller_status()) {
        if (*status == 0) break;  // a person closed it
        tell(fmt::format("The controller ended by itself (status {}); see {}. A table instead:",
                         *status, processes_.controller_log().string()));
        has_table = true;
      }
      if (options_.seconds &&
          steady_clock::now() - started >= std::chrono::seconds(*options_.seconds))
        break;
      if (has_table) print_table();
    }
    return {};
  }

  void print_table() {
    const auto period =
        context_.is_terminal ? std::chrono::milliseconds(500) : kTablePeriodWithoutTerminal;
    if (steady_clock::now() - table_printed_ < period) return;
    table_printed_ = steady_clock::now();
    const auto view = session_.view();
    if (view == nullptr) return;
    clear_screen(context_);
    fmt::print(context_.out, "{}\n", status_text(*view));
    if (context_.is_terminal && !news_.empty()) fmt::print(context_.out, "{}\n", news_);
    context_.out.flush();
  }

  /// Retries, because a restarted nats-server is not found at once.
  Result<cluster::Snapshot> take_picture(const show::Submix& mix) {
    cluster::Cluster cluster(*bus_);
    cluster::Command command;
    command.submix = mix.name;
    const auto deadline = steady_clock::now() + kPicturePatience;
    while (true) {
      auto snapshot = cluster.request_snapshot(mix.node, command);
      if (snapshot || steady_clock::now() > deadline) return snapshot;
      std::this_thread::sleep_for(kDemoLook);
    }
  }

  /// Saves the mixed picture of the show's last submix.
  Result<void> keep_picture() {
    const auto& mix = show_.submixes.back();
    const auto snapshot = take_picture(mix);
    if (!snapshot) return fail("no picture of {}: {}", mix.name, snapshot.error().message);
    const auto file = options_.out / "mix.png";
    const media::Rgb24Image image{snapshot->size, {snapshot->rgb24.begin(), snapshot->rgb24.end()}};
    if (auto written = media::write_png(file, image); !written) return written;
    fmt::print(context_.out, "Wrote {}, frame {}.\n", file.string(), snapshot->frame);
    return {};
  }

  bool is_interrupted() { return is_over_ = is_over_ || stop_.wait_for(kDemoLook).has_value(); }

  Context& context_;
  const DemoOptions options_;
  const show::Show show_;
  const SteadyClock clock_;
  DemoProcesses& processes_;
  std::unique_ptr<cluster::Bus> bus_;
  StopSignal& stop_;
  session::Session session_;
  steady_clock::time_point table_printed_{};
  std::string news_;  // the last incident: the table overwrites it on a terminal
  bool is_over_ = false;
};

Result<void> demo(Context& context, DemoOptions options, StopSignal& stop) {
  options.out = fs::absolute(options.out);
  auto show = load_show(options);
  SUBMIX_TRY(show);
  if (auto prepared = prepare(context, options, *show, stop); !prepared) return prepared;
  const auto state = StateFolder::make(fs::temp_directory_path(), "submix-demo-");
  SUBMIX_TRY(state);
  auto processes = DemoProcesses::start(*show, {state->path(), options.out, media_of(options)});
  SUBMIX_TRY(processes);
  auto bus = cluster::Bus::connect({.url = processes->nats_url(), .name = "submix demo"});
  SUBMIX_TRY(bus);
  auto result = Demo(context, options, std::move(*show), *processes, std::move(*bus), stop).run();
  processes->end_nodes();
  const auto recording = options.out / "mix.mkv";
  if (result && fs::exists(recording)) fmt::print(context.out, "Wrote {}.\n", recording.string());
  return result;
}

}  // namespace

int run_demo(Context& context, const DemoOptions& options) {
  StopSignal stop;
  // Children would take the key of another show; a demo is for this machine only.
  ::unsetenv("SUBMIX_KEY");
  const auto result = demo(context, options, stop);
  return result ? kOk : failed(context, result.error().message);
}

}  // namespace submix::cli
