// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/catalog.hpp"

#include "common/base/assert.hpp"
#include "common/show/nearest.hpp"
#include "node/plugin/frei0r_library.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/ranges.h>

#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

namespace submix::plugin {
namespace {

using show::kFrei0rPrefix;

std::vector<std::filesystem::path> split_folders(std::string_view list) {
  std::vector<std::filesystem::path> folders;
  while (!list.empty()) {
    const auto end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

// Libraries in `folder` and, as frei0r's header has it, in vendors' folders directly below.
std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  using Iterator = std::filesystem::recursive_directory_iterator;
  for (Iterator entry(folder, std::filesystem::directory_options::skip_permission_denied, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry.depth() >= 1) entry.disable_recursion_pending();
    if (entry->path().extension() == ".so") files.push_back(entry->path());
  }
  return files;
}

std::vector<std::string> as_text(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> texts;
  for (const auto& folder : folders)
    texts.push_back(folder.string());
  return texts;
}

}  // namespace

/// A plugin that was added, or a library that is loaded when first asked for.
struct Catalog::Entry {
  Description added;
  Factory factory;
  std::filesystem::path library_file;      // empty: an added plugin
  const Frei0rLibrary* library = nullptr;  // set by find(), under the lock

  [[nodiscard]] const Description& description() const {
    return library != nullptr ? library->description : added;
  }
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

Catalog::Catalog(std::vector<std::filesystem::path> frei0r_folders) : folders_(std::move(frei0r_folders)) {
  for (const auto& folder : folders_) {
    for (auto& file : libraries_in(folder)) {
      auto id = std::string(kFrei0rPrefix) + file.stem().string();
      auto entry = std::make_unique<Entry>();
      entry->library_file = std::move(file);
      entries_.try_emplace(std::move(id), std::move(entry));
    }
  }
}

Catalog::~Catalog() = default;

void Catalog::add(Description description, Factory factory) {
  const MutexLock lock(mutex_);
  auto id = description.id;
  auto entry = std::make_unique<Entry>();
  entry->added = std::move(description);
  entry->factory = std::move(factory);
  SUBMIX_ASSERT(entries_.try_emplace(std::move(id), std::move(entry)).second);
}

Result<const Catalog::Entry*> Catalog::find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return tl::unexpected(unknown(id));
  auto& entry = *found->second;
  if (!entry.library_file.empty() && entry.library == nullptr) {
    auto library = Frei0rLibrary::load(entry.library_file);
    if (!library) return tl::unexpected(std::move(library.error()));
    entry.library = *library;
  }
  return &entry;
}

Error Catalog::unknown(std::string_view id) const {
  std::vector<std::string> known;
  for (const auto& [name, entry] : entries_)
    known.push_back(name);
  const auto hint = show::did_you_mean(id, known);
  if (!id.starts_with(kFrei0rPrefix)) {
    return {fmt::format("plugin \"{}\" is not on this node{}; \"submix plugins\" lists what is", id, hint)};
  }
  return {fmt::format(
      "plugin \"{}\" is not on this node{}; searched {}; install the package frei0r-plugins or set "
      "FREI0R_PATH",
      id, hint, fmt::join(as_text(folders_), ", "))};
}

Result<const Description*> Catalog::describe(std::string_view id) const {
  return find(id).map([](const Entry* entry) { return &entry->description(); });
}

std::vector<std::string> Catalog::ids() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries_)
    ids.push_back(id);
  return ids;
}

std::vector<Description> Catalog::list() const {
  std::vector<Description> descriptions;
  for (const auto& id : ids()) {
    if (const auto description = describe(id)) descriptions.push_back(**description);
  }
  return descriptions;
}

Result<std::unique_ptr<Plugin>> Catalog::create(std::string_view id, Setup setup) const {
  const auto entry = find(id);
  if (!entry) return tl::unexpected(entry.error());
  if (auto completed = complete_parameters((*entry)->description(), setup); !completed) {
    return tl::unexpected(std::move(completed.error()));
  }
  const auto* library = (*entry)->library;
  if (library == nullptr) return (*entry)->factory(setup);
  if (setup.hosting == show::Hosting::own_process) return create_hosted(**entry, setup);
  return make_frei0r_plugin(*library, setup);
}

Result<std::unique_ptr<Plugin>> Catalog::create_hosted(const Entry& entry, const Setup& setup) const {
  if (auto checked = check_frei0r(*entry.library, setup.size); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  if (!hosted_) {
    return fail(
        "plugin \"{}\" shall run in a process of its own, which this program cannot start; write host = "
        "\"in-process\" in its slot",
        entry.description().id);
  }
  return hosted_(entry.description(), entry.library_file, setup);
}

}  // namespace submix::plugin
