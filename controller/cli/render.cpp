// SPDX-License-Identifier: GPL-3.0-or-later
// submix render
#include "controller/cli/render.hpp"

#include "common/base/descriptor.hpp"
#include "common/base/files.hpp"
#include "common/base/mutex.hpp"
#include "common/base/stop_signal.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/render_progress.hpp"
#include "controller/cli/render_show.hpp"
#include "controller/cli/state_folder.hpp"
#include "controller/local/last_line.hpp"
#include "controller/local/nats_server.hpp"
#include "controller/local/start_node.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRenderLook{50};
// Longer than a plugin may take for a picture before the node gives it up.
constexpr std::chrono::minutes kStallPatience{5};
constexpr std::chrono::seconds kNodeEndPatience{10};
constexpr const char* kFolderPrefix = ".submix-render-";
// A show that runs on this PC goes first.
constexpr int kNiceness = 10;

struct RenderSummary {
  RenderPace pace;
  fs::path file;
  Size size;
  std::string source;
  std::uintmax_t bytes = 0;
};

/// Why a command cannot begin.
struct RenderRefusal {
  int status;
  std::string why;
};

// Options.

std::uint64_t frames_of(const RenderOptions& options, FrameRate rate) {
  if (options.frames) return *options.frames;
  const double frames = *options.seconds * rate.frames_per_second();
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(frames)));
}

Result<void> check_file(const RenderOptions& options) {
  std::error_code error;
  const auto folder = fs::absolute(options.file).parent_path();
  if (!fs::is_directory(folder, error))
    return fail("-o {0}: there is no folder {1}; make it by: mkdir -p {1}", options.file.string(),
                folder.string());
  const auto status = fs::symlink_status(options.file, error);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status))
    return fail("-o {}: is a folder; name a file in it", options.file.string());
  if (fs::is_fifo(status))
    return fail(
        "-o {}: is a pipe, and a film is a file; a show that runs is led to a program by: "
        "submix pipe out",
        options.file.string());
  if (!fs::is_regular_file(status) && !fs::is_symlink(status))
    return fail("-o {}: is not a plain file; name another one", options.file.string());
  if (options.is_forced) return {};
  return fail("-o {}: exists already; --force replaces it", options.file.string());
}

std::optional<RenderRefusal> find_refusal(const RenderOptions& options) {
  const auto wrong_use = [](const std::string& why) {
    return RenderRefusal{kWrongUse, why + "; see submix render --help"};
  };
  if (!options.seconds && !options.frames)
    return wrong_use("a show has no end: say how long, by --seconds N or --frames N");
  if (options.seconds && !std::isfinite(*options.seconds))
    return wrong_use("--seconds: is not a number");
  if (options.file.extension() != ".mkv")
    return wrong_use(
        fmt::format("-o {}: the film is a Matroska file; name it .mkv", options.file.string()));
  if (auto checked = check_file(options); !checked)
    return RenderRefusal{kFailed, checked.error().message};
  return std::nullopt;
}

Result<show::Show> read_show_file(const fs::path& file) {
  const auto text = read_text_or_pipe(file);
  SUBMIX_TRY(text);
  auto show = show::parse(*text, file.filename().string());
  if (!show) return fail("{}", show::to_string(show.error()));
  return *std::move(show);
}

// The file.

Result<void> write_to_disk(const fs::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened && ::fsync(opened.get()) == 0) return {};
  return fail("{}: cannot be written to the disk: {}", file.string(), std::strerror(errno));
}

/// Returns an error of the system, or 0. A file of this name stays, unless `is_forced`.
int give_name(const fs::path& film, const fs::path& file, bool is_forced) {
  const unsigned flags = is_forced ? 0 : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, film.c_str(), AT_FDCWD, file.c_str(), flags) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without this flag: a second name for a file replaces none either.
  if (::link(film.c_str(), file.c_str()) == 0) return 0;
  if (errno == EEXIST) return errno;
  // Without second names, too (FAT): a file that comes from here on would be replaced.
  std::error_code none;
  if (!is_forced && fs::exists(fs::symlink_status(file, none))) return EEXIST;
  return ::rename(film.c_str(), file.c_str()) == 0 ? 0 : errno;
}

/// Gives a complete film its name and returns it: "film-2.mkv" if a file has come there meanwhile.
Result<fs::path> publish(const fs::path& film, const fs::path& file, bool is_forced) {
  constexpr int kNamesMax = 100;
  SUBMIX_TRY(write_to_disk(film));
  auto name = file;
  for (int number = 2;; ++number) {
    const int error = give_name(film, name, is_forced);
    if (error == 0) return name;
    if (error != EEXIST || number > kNamesMax)
      return fail("-o {}: cannot be written: {}", name.string(), std::strerror(error));
    name = file;
    name.replace_filename(
        fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string()));
  }
}

// The run.

/// The private server, the node and the connection of one film.
class RenderCluster {
 public:
  struct Folders {
    fs::path state;
    fs::path film;
    fs::path media;
  };

  static Result<std::unique_ptr<RenderCluster>> start(const Folders& folders) {
    // Any free port: programs that look for a show at the usual one do not find this one.
    auto nats = local::NatsServer::start({.folder = folders.state / "nats"});
    SUBMIX_TRY(nats);
    const auto log = folders.state / "node.log";
    auto node = local::start_node({.name = kRenderNode,
                                   .nats_url = nats->url(),
                                   .data_addresses = {"127.0.0.1"},
                                   .media = folders.media,
                                   .recordings = folders.film,
                                   .traces = folders.state,
                                   .is_rendering = true},
                                  log);
    SUBMIX_TRY(node);
    auto bus = cluster::Bus::connect({.url = nats->url(), .name = "submix render"});
    SUBMIX_TRY(bus);
    return std::unique_ptr<RenderCluster>(
        new RenderCluster(*std::move(nats), *std::move(node), *std::move(bus), log));
  }

  [[nodiscard]] cluster::Cluster& cluster() { return cluster_; }

  /// Fails if the server or the node has ended.
  Result<void> tend() {
    if (const auto status = node_.exit_status())
      return fail("the rendering node ended by itself (status {}): {}", *status,
                  local::last_line(log_));
    if (const auto status = nats_.process().exit_status())
      return fail("nats-server ended by itself (status {}): {}", *status,
                  local::last_line(nats_.log_file()));
    return {};
  }

  void end_node() { node_.terminate(kNodeEndPatience); }

 private:
  RenderCluster(local::NatsServer nats, ChildProcess node, std::unique_ptr<cluster::Bus> bus,
                fs::path log)
      : nats_(std::move(nats)),
        node_(std::move(node)),
        log_(std::move(log)),
        bus_(std::move(bus)),
        cluster_(*bus_) {}

  local::NatsServer nats_;
  ChildProcess node_;
  const fs::path log_;
  const std::unique_ptr<cluster::Bus> bus_;
  cluster::Cluster cluster_;
};

/// The node's reports and readings, collected for the main thread. Synchronized.
class RenderWatch {
 public:
  RenderWatch(cluster::Cluster& cluster, const show::Port& record) : progress_(record) {
    subscriptions_.push_back(cluster.watch_reports([this](const auto& report) { take(report); }));
    subscriptions_.push_back(
        cluster.subscribe_readings([this](const auto& reading) { take(reading); }));
  }

  [[nodiscard]] RenderProgress progress() const SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return progress_;
  }

 private:
  template <typename Message>
  void take(const Message& message) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    progress_.take(message);
  }

  mutable Mutex mutex_;
  RenderProgress progress_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<cluster::Subscription>> subscriptions_;
};

/// On a terminal one line that is written over; elsewhere a line for each tenth.
class ProgressLine {
 public:
  explicit ProgressLine(Context& context) : context_(context) {}

  void show(const RenderPace& pace) {
    if (pace.frames == 0) return;
    const auto tenth = pace.frames * 10 / pace.frames_all;
    if (context_.is_terminal) {
      const auto line = progress_text(pace);
      if (line != shown_) context_.err << "\r" << line << "   " << std::flush;
      shown_ = line;
    } else if (tenth > tenths_) {
      context_.err << progress_text(pace) << std::endl;
    }
    tenths_ = tenth;
  }

  void end() const {
    if (!shown_.empty()) context_.err << std::endl;
  }

 private:
  Context& context_;
  std::string shown_;
  std::uint64_t tenths_ = 0;
};

class Rendering {
 public:
  Rendering(Context& context, RenderCluster& cluster, const RenderedShow& rendered,
            std::uint64_t frames, StopSignal& stop)
      : cluster_(cluster),
        rendered_(rendered),
        stop_(stop),
        watch_(cluster.cluster(), rendered.record),
        line_(context),
        pace_{.frames_all = frames, .rate = rendered.show.rate} {}

  /// Returns once the file is complete.
  Result<RenderPace> run() {
    auto made = make();
    line_.end();
    SUBMIX_TRY(made);
    return pace_;
  }

 private:
  Result<void> make() {
    const auto written =
        cluster_.cluster().put_show({show::to_toml(rendered_.show), "submix render"}, std::nullopt);
    if (!written) return fail("the show cannot be applied: {}", written.error().message);
    begun_ = advanced_ = steady_clock::now();
    for (;;) {
      if (stop_.wait_for(kRenderLook)) return fail("interrupted");
      const auto progress = watch_.progress();
      if (!progress.failure().empty()) return fail("{}", progress.failure());
      SUBMIX_TRY(note(progress.frames()));
      if (progress.is_complete()) return {};
      SUBMIX_TRY(cluster_.tend());
    }
  }

  Result<void> note(std::uint64_t frames) {
    const auto now = steady_clock::now();
    if (frames != pace_.frames) advanced_ = now;
    pace_.frames = frames;
    pace_.time = now - begun_;
    line_.show(pace_);
    if (now - advanced_ < kStallPatience) return {};
    return fail("no frame has come for {} min, after frame {} of {}", kStallPatience.count(),
                frames, pace_.frames_all);
  }

  RenderCluster& cluster_;
  const RenderedShow& rendered_;
  StopSignal& stop_;
  RenderWatch watch_;
  ProgressLine line_;
  RenderPace pace_;
  steady_clock::time_point begun_{};
  steady_clock::time_point advanced_{};
};

Result<RenderSummary> render(Context& context, const RenderOptions& options, StopSignal& stop) {
  auto show = read_show_file(options.show);
  SUBMIX_TRY(show);
  const auto frames = frames_of(options, show->rate);
  const auto file = fs::absolute(options.file);
  const auto name = file.filename();
  const auto rendered = show_to_render(
      *show, {.mix = options.mix, .file = name.string(), .codec = options.codec, .frames = frames});
  SUBMIX_TRY(rendered);
  for (const auto& remark : rendered->remarks)
    warn(context, remark);

  const auto state = StateFolder::make(fs::temp_directory_path(), "submix-render-");
  SUBMIX_TRY(state);
  const auto film_folder = StateFolder::make(file.parent_path(), kFolderPrefix);
  SUBMIX_TRY(film_folder);
  // The node must not share its state folder with this user's other nodes.
  ::setenv("XDG_STATE_HOME", (state->path() / "state").c_str(), 1);
  auto cluster =
      RenderCluster::start({state->path(), film_folder->path(), fs::absolute(options.media)});
  SUBMIX_TRY(cluster);
  auto pace = Rendering(context, **cluster, *rendered, frames, stop).run();
  SUBMIX_TRY(pace);
  (*cluster)->end_node();

  const auto film = film_folder->path() / name;
  const auto published = publish(film, file, options.is_forced);
  SUBMIX_TRY(published);
  if (*published != file)
    warn(context, fmt::format("-o {}: a file has come there meanwhile; the film is {}",
                              options.file.string(), published->string()));
  std::error_code unknown_size;
  return RenderSummary{*pace, *published, rendered->show.size,
                       rendered->source.submix + "." + rendered->source.slot,
                       fs::file_size(*published, unknown_size)};
}

/// As the person has typed it, but for another file name.
std::string shown_path(const RenderOptions& options, const RenderSummary& summary) {
  auto path = options.file;
  return path.replace_filename(summary.file.filename()).string();
}

void print(Context& context, const RenderOptions& options, const RenderSummary& summary) {
  const auto& pace = summary.pace;
  if (!context.is_json) {
    context.out << fmt::format("Wrote {}: {} frames of {}, {} MB, in {:.1f} s ({})\n",
                               shown_path(options, summary), pace.frames, summary.source,
                               (summary.bytes + 500'000) / 1'000'000, pace.time.count(),
                               speed_text(pace.speed()))
                << std::flush;
    return;
  }
  const nlohmann::ordered_json json{
      {"file", shown_path(options, summary)},
      {"source", summary.source},
      {"frames", pace.frames},
      {"size", {summary.size.width, summary.size.height}},
      {"rate", {pace.rate.numerator, pace.rate.denominator}},
      {"codec", options.codec},
      {"bytes", summary.bytes},
      {"seconds", pace.time.count()},
      {"speed", pace.speed()},
  };
  context.out << json.dump(2) << std::endl;
}

}  // namespace

int run_render(Context& context, const RenderOptions& options) {
  StopSignal stop;
  if (const auto refusal = find_refusal(options)) {
    static_cast<void>(failed(context, refusal->why));
    return refusal->status;
  }
  // Children would take the key of another show; a film is made on this machine only.
  ::unsetenv("SUBMIX_KEY");
  [[maybe_unused]] const int niceness = ::nice(kNiceness);
  const auto summary = render(context, options, stop);
  if (!summary)
    return failed(context, fmt::format("{}; {} is not written", summary.error().message,
                                       options.file.string()));
  print(context, options, *summary);
  return kOk;
}

}  // namespace submix::cli
