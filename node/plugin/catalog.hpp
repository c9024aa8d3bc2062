// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Whether a Factory would make an instance that does its work. Changes nothing; `setup` as for a Factory.
using Checker = std::function<Result<void>(const Setup&)>;

/// How Catalog::check() tries a plugin that was added without a Checker.
enum class TryOut {
  by_making,  ///< an instance is made and ended: that changes nothing and disturbs nothing that runs
  none        ///< to make one would open what others see, such as a window or an end of a stream
};

/// Makes an instance of the library `file` that runs in a process of its own; `setup` as for a Factory.
using HostedFactory = std::function<Result<std::unique_ptr<Plugin>>(
    const Description&, const std::filesystem::path& file, const Setup&)>;

/// Finds out what the plugin of the library `file` keeps of its frames: none or frames. May take seconds.
using MemoryProbe = std::function<Result<Memory>(const std::filesystem::path& file)>;
/// What somebody who looked at a library found.
struct Look {
  Result<Description> found;
  bool may_pass =
      false;  ///< an error that need not be the library's own: no descriptor was left, say
};
/// Looks at the library `file`. May take seconds.
using Looker = std::function<Look(const std::filesystem::path& file)>;
/// Makes one that looks at these, one after the other, or at some of them.
using Describer = std::function<Looker(const std::vector<std::filesystem::path>& files)>;

/// A library that is there and never made, and why; for people.
struct Refusal {
  std::string id;
  std::string reason;
};

/// Where frei0r says that plugins lie: $FREI0R_PATH (folders with ':' between) if set, else
/// ~/.frei0r-1/lib, /usr/local/lib/frei0r-1, /usr/lib/frei0r-1. An earlier folder wins.
[[nodiscard]] std::vector<std::filesystem::path> frei0r_folders();

/// The plugins of this node: those added, and frei0r's as "frei0r/<file>", e.g. "frei0r/glow".
///
/// Threads  Synchronized; instances belong to the thread that runs them.
/// Cost     The constructor reads folders. What a library is, is found out when it is first asked for, and
///          again when its file has changed. Nobody waits for the look at a library that he did not ask for.
///          What failed and may pass is tried again by retry_one() only, kPauseMin later; each time that it
///          fails, the pause is doubled.
/// Errors   Unknown ids name the nearest known one and the folders searched.
class Catalog {
 public:
  static constexpr std::chrono::seconds kPauseMin{10};
  static constexpr std::chrono::seconds kPauseMax{640};

  /// `clock` outlives it; null: the machine's own.
  explicit Catalog(std::vector<std::filesystem::path> frei0r_folders = plugin::frei0r_folders(),
                   const Clock* clock = nullptr);
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;
  ~Catalog();

  /// Adds a plugin; the id must be new. Call before the catalog is shared.
  void add(Description description, Factory factory, TryOut try_out = TryOut::by_making);
  void add(Description description, Factory factory, Checker checker);

  /// Says who makes plugins that run out of process. Call before the catalog is shared.
  void host_with(HostedFactory factory) { hosted_ = std::move(factory); }
  /// Says who finds out what libraries are; else they are loaded into this process. Call before the catalog
  /// is shared.
  void describe_with(Describer describer) { describer_ = std::move(describer); }

  /// Says who finds out what a third-party plugin keeps; else that is done in this process. Call before the
  /// catalog is shared.
  void probe_with(MemoryProbe probe) { probe_ = std::move(probe); }

  /// The description lives as long as the catalog.
  [[nodiscard]] Result<const Description*> describe(std::string_view id) const;
  /// Finds out what these are, all at once, so that describe() need not one by one; ids may be unknown.
  void look_at(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  /// Whether look_at() would find nothing to do.
  [[nodiscard]] bool is_known(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  /// Whether memory() would.
  [[nodiscard]] bool is_memory_known(const std::string& id) const SUBMIX_EXCLUDES(mutex_);
  /// Whether retry_one() has something to do by now. Looks at no file.
  [[nodiscard]] bool is_retry_due() const SUBMIX_EXCLUDES(mutex_);
  /// Tries one thing again; the plugin's id where that did not fail any more. May take seconds.
  std::optional<std::string> retry_one() const SUBMIX_EXCLUDES(mutex_);
  /// All that can be made, by id; looks at every library.
  [[nodiscard]] std::vector<Description> list() const;
  /// All that cannot, by id; the same.
  [[nodiscard]] std::vector<Refusal> refusals() const;
  /// All ids that were found, usable or not, in order. Looks at none.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Makes an instance; `setup.parameters` may be incomplete and are checked, clamped and completed here.
  /// A frei0r plugin runs where `setup.hosting` says, all others in this process.
  [[nodiscard]] Result<std::unique_ptr<Plugin>> create(std::string_view id, Setup setup) const;

  /// Whether create() would make an instance, as far as that shows without disturbing what runs: a clip's
  /// file is opened and closed again, no plugin host is started, no file is written. Reports no events.
  [[nodiscard]] Result<void> check(std::string_view id, Setup setup) const;

  /// What the plugin keeps from one frame to the next. What is not known is found out, once for each library;
  /// where that fails, it is tried again by retry_one(), too.
  [[nodiscard]] Result<Memory> memory(std::string_view id) const SUBMIX_EXCLUDES(mutex_);

 private:
  struct Entry;
  struct Found;
  /// After what failed and may pass.
  struct Pause {
    std::chrono::seconds length{0};  ///< 0: nothing has failed
    LocalTime since{};

    [[nodiscard]] bool is_over(LocalTime now) const {
      return length.count() > 0 && now - since >= length;
    }
    [[nodiscard]] Pause next(LocalTime now) const;
  };
  struct Tried {
    Result<Memory> memory;
    Pause pause;
  };

  [[nodiscard]] Result<Found> find(std::string_view id) const SUBMIX_EXCLUDES(mutex_);
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
  using NeedsLook = bool (*)(const Entry& entry);
  void renew(const std::vector<std::string>& ids, NeedsLook needs_look) const
      SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] bool begin_look(const std::string& id, NeedsLook needs_look) const
      SUBMIX_EXCLUDES(mutex_);
  void end_look(const std::string& id, std::optional<FileState> state, Look look) const
      SUBMIX_EXCLUDES(mutex_);
  void wait_for_others(const std::vector<std::string>& ids) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Result<std::unique_ptr<Plugin>> create_hosted(const Found& found,
                                                              const Setup& setup) const;

  const SteadyClock own_clock_;
  const Clock& clock_;
  std::vector<std::filesystem::path> folders_;
  HostedFactory hosted_;
  MemoryProbe probe_;
  Describer describer_;
  mutable Mutex mutex_;
  mutable Condition looked_;
  mutable std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries_
      SUBMIX_GUARDED_BY(mutex_);
  mutable std::map<std::string, Tried, std::less<>> memories_ SUBMIX_GUARDED_BY(mutex_);  // probed
};

/// Adds pattern, mix, stamp, checker and null, and what stands in for slots.
void add_built_ins(Catalog& catalog);

}  // namespace submix::plugin
