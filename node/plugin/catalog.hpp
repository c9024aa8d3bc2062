// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/plugin/plugin.hpp"

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace submix::plugin {

/// Makes an instance. `Setup::parameters` are complete and within their limits.
using Factory = std::function<Result<std::unique_ptr<Plugin>>(const Setup&)>;

/// Makes an instance of the library `file` that runs in a process of its own; `setup` as for a Factory.
using HostedFactory = std::function<Result<std::unique_ptr<Plugin>>(
    const Description&, const std::filesystem::path& file, const Setup&)>;

/// Where frei0r says that plugins lie: $FREI0R_PATH (folders with ':' between) if set, else
/// ~/.frei0r-1/lib, /usr/local/lib/frei0r-1, /usr/lib/frei0r-1. An earlier folder wins.
[[nodiscard]] std::vector<std::filesystem::path> frei0r_folders();

/// The plugins of this node: those added, and frei0r's as "frei0r/<file>", e.g. "frei0r/glow".
///
/// Threads  Synchronized; instances belong to the thread that runs them.
/// Cost     The constructor reads folders; a library is loaded when it is first asked for and stays loaded.
/// Errors   Unknown ids name the nearest known one and the folders searched.
class Catalog {
 public:
  explicit Catalog(std::vector<std::filesystem::path> frei0r_folders = plugin::frei0r_folders());
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;
  ~Catalog();

  /// Adds a plugin; the id must be new. Call before the catalog is shared.
  void add(Description description, Factory factory);

  /// Says who makes plugins that run out of process. Call before the catalog is shared.
  void host_with(HostedFactory factory) { hosted_ = std::move(factory); }

  /// The description lives as long as the catalog.
  [[nodiscard]] Result<const Description*> describe(std::string_view id) const;
  /// All that can be loaded, by id. Loads every frei0r library: about 0.1 s.
  [[nodiscard]] std::vector<Description> list() const;
  /// All ids that were found, loadable or not, in order. Loads nothing.
  [[nodiscard]] std::vector<std::string> ids() const;

  /// Makes an instance; `setup.parameters` may be incomplete and are checked, clamped and completed here.
  /// A frei0r plugin runs where `setup.hosting` says, all others in this process.
  [[nodiscard]] Result<std::unique_ptr<Plugin>> create(std::string_view id, Setup setup) const;

 private:
  struct Entry;

  [[nodiscard]] Result<const Entry*> find(std::string_view id) const SUBMIX_EXCLUDES(mutex_);
  [[nodiscard]] Error unknown(std::string_view id) const SUBMIX_REQUIRES(mutex_);

  [[nodiscard]] Result<std::unique_ptr<Plugin>> create_hosted(const Entry& entry, const Setup& setup) const;

  std::vector<std::filesystem::path> folders_;
  HostedFactory hosted_;
  mutable Mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries_ SUBMIX_GUARDED_BY(mutex_);
};

/// Adds pattern, stamp, checker and null.
void add_built_ins(Catalog& catalog);

}  // namespace submix::plugin
