// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/catalog.hpp"

#include "common/base/assert.hpp"
#include "common/base/file_state.hpp"
#include "common/show/frei0r_renames.hpp"
#include "common/show/nearest.hpp"
#include "node/plugin/frei0r/frei0r_instance.hpp"
#include "node/plugin/frei0r/frei0r_known.hpp"
#include "node/plugin/frei0r/frei0r_library.hpp"
#include "node/plugin/frei0r/frei0r_memory.hpp"
#include "node/plugin/parameters.hpp"
#include "node/plugin/wet.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

namespace submix::plugin {
namespace {

using show::kFrei0rPrefix;

}  // namespace

std::vector<std::filesystem::path> split_folders(std::string_view list) {
  std::vector<std::filesystem::path> folders;
  while (!list.empty()) {
    const auto end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

// frei0r's header specifies the vendors' folders.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            std::string_view extension) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (Iterator entry(folder, std::filesystem::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    if (entry.depth() >= 1) entry.disable_recursion_pending();
    if (entry->path().extension() == extension) files.push_back(entry->path());
  }
  return files;
}

namespace {

bool is_frei0r(const std::filesystem::path& file) {
  return file.extension() == ".so";
}

Result<void> check_library(const std::filesystem::path& file) {
  return is_frei0r(file) ? check_frei0r(file) : Result<void>();
}

LibraryProbe probe_here(const std::vector<std::filesystem::path>& /*files*/) {
  return [](const std::filesystem::path& file) { return ProbeResult{describe_frei0r(file)}; };
}

Factory wet_factory(Factory factory, Memory memory) {
  return [factory = std::move(factory), memory](const Setup& setup) {
    return factory(setup).map(
        [&](std::unique_ptr<Plugin> filter) { return with_wet(std::move(filter), setup, memory); });
  };
}

std::vector<std::string> as_text(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> texts;
  for (const auto& folder : folders)
    texts.push_back(folder.string());
  return texts;
}

}  // namespace

/// An added plugin, or a library, which is probed when it is first asked for.
struct Catalog::PluginEntry {
  Factory factory;                             // empty: a library
  Checker checker;                             // empty: a library
  std::filesystem::path library_file = {};     // empty: an added plugin
  LibraryProbe probe = {};                     // empty: by Catalog::library_probes_
  std::optional<FileState> probed_state = {};  // the file's state at the last probe
  // The last one is valid. Callers may still hold the others.
  std::vector<std::unique_ptr<const Description>> descriptions;
  std::string problem = {};      // why the description is invalid; empty: it is valid
  RetryPause pause = {};         // after `problem`
  bool is_being_probed = false;  // a caller is probing it now

  [[nodiscard]] bool is_stale() const {
    if (library_file.empty()) return false;
    const bool is_new = descriptions.empty() && problem.empty();
    return is_new || probed_state != state_of(library_file);
  }
};

Catalog::RetryPause Catalog::RetryPause::next(LocalTime now) const {
  return {length.count() == 0 ? kPauseMin : std::min(2 * length, kPauseMax), now};
}

struct Catalog::FoundPlugin {
  const Description* description;
  const Factory* factory;  // empty: a library
  const Checker* checker;  // empty: a library
  std::filesystem::path library_file;
};

std::vector<std::filesystem::path> frei0r_folders() {
  if (const char* list = std::getenv("FREI0R_PATH"); list != nullptr && *list != '\0')
    return split_folders(list);
  std::vector<std::filesystem::path> folders;
  if (const char* home = std::getenv("HOME"))
    folders.push_back(std::filesystem::path(home) / ".frei0r-1/lib");
  folders.emplace_back("/usr/local/lib/frei0r-1");
  folders.emplace_back("/usr/lib/frei0r-1");
  return folders;
}

Catalog::Catalog(std::vector<std::filesystem::path> frei0r_folders, const Clock* clock)
    : clock_(clock == nullptr ? own_clock_ : *clock),
      folders_(std::move(frei0r_folders)),
      library_probes_(probe_here) {
  for (const auto& folder : folders_)
    add_files(kFrei0rPrefix, files_in(folder, ".so"), {});
}

Catalog::~Catalog() = default;

void Catalog::add_files(std::string_view prefix, std::vector<std::filesystem::path> files,
                        const LibraryProbe& probe) {
  const MutexLock lock(mutex_);
  for (auto& file : files) {
    auto id = show::common_plugin_id(std::string(prefix) + file.stem().string());
    auto entry = std::make_unique<PluginEntry>();
    entry->library_file = std::move(file);
    entry->probe = probe;
    entries_.try_emplace(std::move(id), std::move(entry));
  }
}

void Catalog::add(Description description, Factory factory, TryOut try_out) {
  Checker checker = [](const Setup&) { return Result<void>(); };
  if (try_out == TryOut::by_making) {
    checker = [factory](const Setup& setup) {
      return factory(setup).map([](const std::unique_ptr<Plugin>& /*made*/) {});
    };
  }
  add(std::move(description), std::move(factory), std::move(checker));
}

void Catalog::add(Description description, Factory factory, Checker checker) {
  if (wants_wet(description)) {
    add_wet(description);
    factory = wet_factory(std::move(factory), description.memory);
  }
  const MutexLock lock(mutex_);
  auto id = description.id;
  auto entry = std::make_unique<PluginEntry>();
  entry->descriptions.push_back(std::make_unique<const Description>(std::move(description)));
  entry->factory = std::move(factory);
  entry->checker = std::move(checker);
  SUBMIX_ASSERT(entries_.try_emplace(std::move(id), std::move(entry)).second);
}

Result<Catalog::FoundPlugin> Catalog::find(std::string_view id) const {
  probe({std::string(id)});
  const MutexLock lock(mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return tl::unexpected(unknown(id));
  const auto& found = *entry->second;
  if (!found.problem.empty()) return tl::unexpected(Error{found.problem});
  return FoundPlugin{found.descriptions.back().get(), &found.factory, &found.checker,
                     found.library_file};
}

void Catalog::probe(const std::vector<std::string>& ids) const {
  // Repeats if a file has changed during its probe.
  for (auto needed = stale(ids); !needed.empty(); needed = stale(ids)) {
    renew(needed, [](const PluginEntry& entry) { return entry.is_stale(); });
    wait_for_others(needed);
  }
}

bool Catalog::is_known(const std::vector<std::string>& ids) const {
  return stale(ids).empty();
}

// Libraries not probed yet, or changed since. Temporary failures are left out: a library that hangs
// its probe would delay every edit.
std::vector<std::string> Catalog::stale(const std::vector<std::string>& ids) const {
  std::vector<std::string> found;
  const MutexLock lock(mutex_);
  for (const auto& id : ids) {
    const auto entry = entries_.find(id);
    if (entry != entries_.end() && entry->second->is_stale()) found.push_back(id);
  }
  return found;
}

// One after the other: a caller who needs a library meanwhile probes it himself.
void Catalog::renew(const std::vector<std::string>& ids, NeedsProbe needs_probe) const {
  std::vector<std::filesystem::path> files;
  std::vector<LibraryProbe> probes;
  std::vector<std::filesystem::path> libraries;
  {
    const MutexLock lock(mutex_);
    for (const auto& id : ids) {
      files.push_back(entries_.at(id)->library_file);
      probes.push_back(entries_.at(id)->probe);
      if (!probes.back()) libraries.push_back(files.back());
    }
  }
  const auto probe_library = libraries.empty() ? LibraryProbe() : library_probes_(libraries);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!begin_probe(ids[i], needs_probe)) continue;
    // Read before the probe, so that a change during the probe is noticed.
    const auto state = state_of(files[i]);
    end_probe(ids[i], state, probes[i] ? probes[i](files[i]) : probe_library(files[i]));
  }
}

bool Catalog::begin_probe(const std::string& id, NeedsProbe needs_probe) const {
  const MutexLock lock(mutex_);
  auto& entry = *entries_.at(id);
  if (entry.is_being_probed || !needs_probe(entry)) return false;
  return entry.is_being_probed = true;
}

void Catalog::end_probe(const std::string& id, std::optional<FileState> state,
                        ProbeResult result) const {
  const MutexLock lock(mutex_);
  auto& entry = *entries_.at(id);
  auto& [report, may_pass] = result;
  entry.is_being_probed = false;
  entry.pause = !report && may_pass ? entry.pause.next(clock_.now()) : RetryPause();
  entry.probed_state = state;
  memories_.erase(id);
  if (report && report->id != id)
    report =
        fail("{}: is refused: it was described as \"{}\"", entry.library_file.string(), report->id);
  if (report) {
    if (id.starts_with(kFrei0rPrefix)) report->memory = known_frei0r_memory(*report);
    add_wet(*report);  // the instances have it
  }
  entry.problem = report ? "" : report.error().message;
  if (report) entry.descriptions.push_back(std::make_unique<const Description>(std::move(*report)));
  probed_.notify_all();
}

void Catalog::wait_for_others(const std::vector<std::string>& ids) const {
  const MutexLock lock(mutex_);
  for (const auto& id : ids) {
    const auto& entry = *entries_.at(id);
    while (entry.is_being_probed && entry.is_stale())
      probed_.wait(mutex_);
  }
}

Error Catalog::unknown(std::string_view id) const {
  std::vector<std::string> known;
  for (const auto& [name, entry] : entries_)
    known.push_back(name);
  const auto hint = show::did_you_mean(id, known);
  if (!id.starts_with(kFrei0rPrefix)) {
    return {fmt::format("plugin \"{}\" is not on this node{}; \"submix plugins\" lists what is", id,
                        hint)};
  }
  return {fmt::format(
      "plugin \"{}\" is not on this node{}; searched {}; install the package frei0r-plugins or "
      "set FREI0R_PATH",
      id, hint, fmt::join(as_text(folders_), ", "))};
}

Result<const Description*> Catalog::describe(std::string_view id) const {
  return find(id).map([](const FoundPlugin& found) { return found.description; });
}

Result<std::filesystem::path> Catalog::library_of(std::string_view id) const {
  const auto found = find(id);
  SUBMIX_TRY(found);
  if (!found->library_file.empty()) SUBMIX_TRY(check_library(found->library_file));
  return found->library_file;
}

std::vector<std::string> Catalog::ids() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries_)
    ids.push_back(id);
  return ids;
}

std::vector<Description> Catalog::list() const {
  const auto all = ids();
  probe(all);
  std::vector<Description> descriptions;
  for (const auto& id : all) {
    const auto found = find(id);
    if (!found || !found->description->is_listed) continue;
    if (check_library(found->library_file)) descriptions.push_back(*found->description);
  }
  return descriptions;
}

Result<Memory> Catalog::memory(std::string_view id) const {
  const auto found = find(id);
  SUBMIX_TRY(found);
  const auto declared = found->description->memory;
  if (found->library_file.empty() || declared != Memory::unknown) return declared;
  if (auto tried = memory_tried(std::string(id))) return *std::move(tried);
  return try_memory(std::string(id), found->library_file);
}

Result<Memory> Catalog::try_memory(const std::string& id, const std::filesystem::path& file) const {
  auto probed = memory_probe_ ? memory_probe_(file) : probe_frei0r_memory(file);
  const MutexLock lock(mutex_);
  const auto before = memories_.find(id);
  const auto pause = before == memories_.end() ? RetryPause() : before->second.pause;
  memories_.insert_or_assign(id,
                             TriedMemory{probed, probed ? RetryPause() : pause.next(clock_.now())});
  return probed;
}

std::optional<Result<Memory>> Catalog::memory_tried(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto tried = memories_.find(id);
  if (tried == memories_.end()) return std::nullopt;
  return tried->second.memory;
}

bool Catalog::is_memory_known(const std::string& id) const {
  if (!is_known({id})) return false;
  const auto found = find(id);
  if (!found || found->library_file.empty() || found->description->memory != Memory::unknown)
    return true;
  return memory_tried(id).has_value();
}

bool Catalog::is_retry_due() const {
  return next_retry().has_value();
}

std::optional<Catalog::Retry> Catalog::next_retry() const {
  const auto now = clock_.now();
  const MutexLock lock(mutex_);
  for (const auto& [id, entry] : entries_) {
    if (entry->pause.is_over(now) && !entry->is_being_probed)
      return Retry{.id = id, .file = entry->library_file};
  }
  for (const auto& [id, tried] : memories_) {
    if (tried.pause.is_over(now))
      return Retry{.id = id, .file = entries_.at(id)->library_file, .is_of_memory = true};
  }
  return std::nullopt;
}

std::optional<std::string> Catalog::retry_one() const {
  const auto retry = next_retry();
  if (!retry) return std::nullopt;
  if (retry->is_of_memory)
    return try_memory(retry->id, retry->file) ? std::optional(retry->id) : std::nullopt;
  renew({retry->id}, [](const PluginEntry& /*entry*/) { return true; });
  const MutexLock lock(mutex_);
  return entries_.at(retry->id)->problem.empty() ? std::optional(retry->id) : std::nullopt;
}

std::vector<Refusal> Catalog::refusals() const {
  const auto all = ids();
  probe(all);
  std::vector<Refusal> refusals;
  for (const auto& id : all) {
    const auto usable = find(id).and_then(
        [](const FoundPlugin& found) { return check_library(found.library_file); });
    if (!usable) refusals.push_back({id, usable.error().message});
  }
  return refusals;
}

Result<std::unique_ptr<Plugin>> Catalog::create(std::string_view id, Setup setup) const {
  const auto found = find(id);
  SUBMIX_TRY(found);
  if (auto completed = complete_parameters(*found->description, setup); !completed) {
    return tl::unexpected(std::move(completed.error()));
  }
  if (found->library_file.empty()) return (*found->factory)(setup);
  SUBMIX_TRY(check_library(found->library_file));
  if (setup.hosting == show::Hosting::own_process) return create_hosted(*found, setup);
  if (!is_frei0r(found->library_file))
    return fail("plugin \"{}\" runs in a process of its own only; take out host = \"in-process\"",
                id);
  return Frei0rLibrary::load(found->library_file).and_then([&](const Frei0rLibrary* library) {
    return make_frei0r_plugin(*library, setup);
  });
}

Result<void> Catalog::check(std::string_view id, Setup setup) const {
  const auto found = find(id);
  SUBMIX_TRY(found);
  setup.events = nullptr;
  if (auto completed = complete_parameters(*found->description, setup); !completed)
    return completed;
  if (!found->library_file.empty()) return check_library(found->library_file);
  return (*found->checker)(setup);
}

Result<std::unique_ptr<Plugin>> Catalog::create_hosted(const FoundPlugin& found,
                                                       const Setup& setup) const {
  if (hosted_) return hosted_(*found.description, found.library_file, setup);
  return fail(
      "plugin \"{}\" shall run in a process of its own, which this program cannot start; write "
      "host = \"in-process\" in its slot",
      found.description->id);
}

}  // namespace submix::plugin
