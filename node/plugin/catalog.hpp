// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/media_files.hpp"
#include "node/plugin/plugin.hpp"

#include "common/base/file_state.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {

/// Makes an instance. `Setup::parameters` are complete and within their limits.
using Factory = std::function<Result<std::unique_ptr<Plugin>>(const Setup&)>;

/// Whether a Factory would make a working instance. Changes nothing. `setup` as for a Factory.
using Checker = std::function<Result<void>(const Setup&)>;

/// How Catalog::check() tests a plugin that was added without a Checker.
enum class TryOut {
  by_making,  ///< make an instance and end it; running slots are not disturbed
  none        ///< make nothing: an instance would open a window or a stream's end
};

/// Makes an instance of the library `file` that runs in a process of its own. `setup` as for a
/// Factory.
using HostedFactory = std::function<Result<std::unique_ptr<Plugin>>(
    const Description&, const std::filesystem::path& file, const Setup&)>;

/// Finds out whether the plugin of the library `file` keeps frames. May take seconds.
using MemoryProbe = std::function<Result<Memory>(const std::filesystem::path& file)>;
/// The result of a library's probe.
struct ProbeResult {
  Result<Description> found;
  /// A temporary error, perhaps not the library's fault, such as a lack of descriptors.
  bool may_pass = false;
};
/// Probes the library `file`. May take seconds.
using LibraryProbe = std::function<ProbeResult(const std::filesystem::path& file)>;
/// Makes a LibraryProbe for these files. The caller may then probe all of them or only some, one
/// after the other.
using LibraryProbeFactory =
    std::function<LibraryProbe(const std::vector<std::filesystem::path>& files)>;

/// A library that is present but never used, and the reason, for people.
struct Refusal {
  std::string id;
  std::string reason;
};

/// The folders of frei0r plugins: $FREI0R_PATH (folders with ':' between) if set, else
/// ~/.frei0r-1/lib, /usr/local/lib/frei0r-1, /usr/lib/frei0r-1. An earlier folder wins.
[[nodiscard]] std::vector<std::filesystem::path> frei0r_folders();

/// The folders of a list with ':' between.
[[nodiscard]] std::vector<std::filesystem::path> split_folders(std::string_view list);
/// Files of this extension, such as ".so", in `folder` and in the folders directly below.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                          std::string_view extension);

/// The plugins of this node: the added plugins, and frei0r's as "frei0r/<file>", e.g.
/// "frei0r/glow".
///
/// Threads  Synchronized. Instances belong to the thread that runs them.
/// Cost     The constructor reads folders. A library is probed when it is first asked for, and
///          again when its file has changed. A slow library delays only the callers who asked for
///          it. A temporary failure is retried by retry_one() only, first after kPauseMin; each
///          failure doubles the pause.
/// Errors   An unknown id: the message names the nearest known id and the folders searched.
class Catalog {
 public:
  static constexpr std::chrono::seconds kPauseMin{10};
  static constexpr std::chrono::seconds kPauseMax{640};

  /// `clock` outlives the catalog; null: the machine's own clock.
  explicit Catalog(std::vector<std::filesystem::path> frei0r_folders = plugin::frei0r_folders(),
                   const Clock* clock = nullptr);
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;
  ~Catalog();

  /// Adds a plugin; the id must be new. Call before the catalog is shared.
  void add(Description description, Factory factory, TryOut try_out = TryOut::by_making);
  void add(Description description, Factory factory, Checker checker);

  /// Adds a plugin for each file, "PREFIXname". `probe` runs in this process, when the plugin is
  /// first asked for and when the file has changed. A known id keeps its file. Call before the
  /// catalog is shared.
  void add_files(std::string_view prefix, std::vector<std::filesystem::path> files,
                 const LibraryProbe& probe) SUBMIX_EXCLUDES(mutex_);

  /// Sets the factory for plugins that run out of process. Call before the catalog is shared.
  void host_with(HostedFactory factory) { hosted_ = std::move(factory); }
  /// Sets how libraries are probed. Default: they are loaded into this process. Call before the
  /// catalog is shared.
  void probe_libraries_with(LibraryProbeFactory factory) { library_probes_ = std::move(factory); }

  /// Sets how a third-party plugin's memory is probed. Default: in this process. Call before the
  /// catalog is shared.
  void probe_memory_with(MemoryProbe probe) { memory_probe_ = std::move(probe); }

  /// The description lives as long as the catalog.
  [[nodiscard]] Result<const Description*> describe(std::string_view id) const;
  /// The file of a plugin's library. Empty: an added plugin, which has none. Fails if the plugin is
  /// refused.
  [[nodiscard]] Result<std::filesystem::path> library_of(std::string_view id) const;
  /// Probes these plugins' libraries together; describe() then finds them known. Unknown ids are
  /// allowed.
  void probe(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  /// True if probe() would have nothing to do.
  [[nodiscard]] bool is_known(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  /// True if memory() would have nothing to do.
  [[nodiscard]] bool is_memory_known(const std::string& id) const SUBMIX_EXCLUDES(mutex_);
  /// True if retry_one() has something to do now. Reads no file.
  [[nodiscard]] bool is_retry_due() const SUBMIX_EXCLUDES(mutex_);
  /// Retries one failed probe. Returns the plugin's id if the probe succeeded. May take seconds.
  std::optional<std::string> retry_one() const SUBMIX_EXCLUDES(mutex_);
  /// All plugins that can be made, sorted by id. Probes every library.
  [[nodiscard]] std::vector<Description> list() const;
  /// All plugins that cannot be made, sorted by id. Probes every library.
  [[nodiscard]] std::vector<Refusal> refusals() const;
  /// All ids found, usable or not, in order. Probes no library.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Makes an instance. `setup.parameters` may be incomplete; create() checks, clamps and completes
  /// them. A frei0r plugin runs where `setup.hosting` says, all others in this process.
  [[nodiscard]] Result<std::unique_ptr<Plugin>> create(std::string_view id, Setup setup) const;

  /// Whether create() would make an instance. Does not disturb the running show: a clip's file is
  /// opened and closed again, no plugin host is started, no file is written. Reports no events.
  [[nodiscard]] Result<void> check(std::string_view id, Setup setup) const;

  /// The plugin's memory from frame to frame. An unknown plugin is probed, once for each
  /// library. retry_one() also retries a failed probe.
  [[nodiscard]] Result<Memory> memory(std::string_view id) const SUBMIX_EXCLUDES(mutex_);

 private:
  struct PluginEntry;
  struct FoundPlugin;
  /// The pause after a temporary failure.
  struct RetryPause {
    std::chrono::seconds length{0};  ///< 0: nothing has failed
    LocalTime since{};

    [[nodiscard]] bool is_over(LocalTime now) const {
      return length.count() > 0 && now - since >= length;
    }
    [[nodiscard]] RetryPause next(LocalTime now) const;
  };
  struct TriedMemory {
    Result<Memory> memory;
    RetryPause pause;
  };

  [[nodiscard]] Result<FoundPlugin> find(std::string_view id) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::optional<Result<Memory>> memory_tried(const std::string& id) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<Memory> try_memory(const std::string& id,
                                          const std::filesystem::path& file) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Error unknown(std::string_view id) const SUBMIX_REQUIRES(mutex_);
  struct Retry {
    std::string id;
    std::filesystem::path file;
    bool is_of_memory = false;
  };
  [[nodiscard]] std::optional<Retry> next_retry() const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::string> stale(const std::vector<std::string>& ids) const
      SUBMIX_EXCLUDES(mutex_);
  using NeedsProbe = bool (*)(const PluginEntry& entry);
  void renew(const std::vector<std::string>& ids, NeedsProbe needs_probe) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool begin_probe(const std::string& id, NeedsProbe needs_probe) const
      SUBMIX_EXCLUDES(mutex_);
  void end_probe(const std::string& id, std::optional<FileState> state, ProbeResult result) const
      SUBMIX_EXCLUDES(mutex_);
  void wait_for_others(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<std::unique_ptr<Plugin>> create_hosted(const FoundPlugin& found,
                                                              const Setup& setup) const;

  const SteadyClock own_clock_;
  const Clock& clock_;
  std::vector<std::filesystem::path> folders_;
  HostedFactory hosted_;
  MemoryProbe memory_probe_;
  LibraryProbeFactory library_probes_;
  mutable Mutex mutex_;
  mutable Condition probed_;
  mutable std::map<std::string, std::unique_ptr<PluginEntry>, std::less<>> entries_
      SUBMIX_GUARDED_BY(mutex_);
  // By id; only probed plugins.
  mutable std::map<std::string, TriedMemory, std::less<>> memories_ SUBMIX_GUARDED_BY(mutex_);
};

/// Adds all plugins of built_ins.hpp, and the stand-ins for unusable slots. `files` reads the LUTs
/// of `colour`.
void add_built_ins(Catalog& catalog, MediaFiles files = {});

}  // namespace submix::plugin
