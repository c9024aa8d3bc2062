// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/membership.hpp"

#include "common/base/files.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/json_fields.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace submix::cluster {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDeskFile = "desk.json";
constexpr const char* kKeyFile = "show.key";
constexpr const char* kOldKeyFile = "show.key.old";
constexpr std::size_t kFileBytesMax = 4096;
constexpr unsigned kPrivate = 0600;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

Result<Membership> read_desk(const fs::path& file) {
  const auto text = read_text_file(file, kFileBytesMax);
  SUBMIX_TRY(text);
  const auto json = parse_object(*text, kFileBytesMax);
  SUBMIX_TRY(json);
  Membership membership;
  membership.key_file = file.parent_path() / kKeyFile;
  std::string problem;
  JsonReader fields(*json, problem);
  fields.required_text("desk", membership.desk);
  fields.required_text("nats", membership.nats_url);
  fields.boolean("own", membership.is_own);
  if (!problem.empty()) return fail("{}", problem);
  SUBMIX_TRY(parse_urls(membership.nats_url));
  return membership;
}

}  // namespace

Result<std::optional<Membership>> read_membership(const fs::path& folder) {
  const auto file = folder / kDeskFile;
  if (!is_there(file)) return std::nullopt;
  auto membership = read_desk(file);
  if (membership && is_there(membership->key_file)) return *std::move(membership);
  const auto problem = membership ? fmt::format("its key {} is gone", (folder / kKeyFile).string())
                                  : membership.error().message;
  return fail("{}: {}; `{}`, then join the desk again", file.string(), problem,
              leave_command(folder));
}

Result<std::optional<Membership>> read_membership() {
  auto own = read_membership(config_home());
  if (!own || *own) return own;
  const fs::path system = kSystemMemberships;
  if (::access((system / kKeyFile).c_str(), R_OK) != 0) return std::nullopt;
  return read_membership(system);
}

Result<void> check_place(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("{}: cannot be made: {}", folder.string(), error.message());
  if (!is_there(folder / kDeskFile) && is_there(folder / kKeyFile)) {
    return fail("{}: a person put this key there; move it away, or use it by --key",
                (folder / kKeyFile).string());
  }
  const auto trial = folder / "desk.json.trial";
  SUBMIX_TRY(write_file_atomically(trial, std::string(kFileBytesMax, ' '), kPrivate));
  fs::remove(trial, error);
  return {};
}

Result<void> write_membership(const fs::path& folder, const Membership& membership,
                              const ShowKey& key) {
  SUBMIX_TRY(check_place(folder));
  const Json json{
      {"desk", membership.desk}, {"nats", membership.nats_url}, {"own", membership.is_own}};
  SUBMIX_TRY(write_file_atomically(folder / kDeskFile, dump(json) + "\n", kPrivate));
  return write_file_atomically(folder / kKeyFile, key.text() + "\n", kPrivate);
}

fs::path membership_file(const fs::path& folder) {
  return folder / kDeskFile;
}

const char* leave_command(const fs::path& folder) {
  return folder == kSystemMemberships ? "sudo submix leave --system" : "submix leave";
}

Result<void> remove_membership(const fs::path& folder) {
  std::error_code error;
  fs::remove(folder / kDeskFile, error);
  if (error) return fail("{}: {}", (folder / kDeskFile).string(), error.message());
  if (is_there(folder / kKeyFile)) fs::rename(folder / kKeyFile, folder / kOldKeyFile, error);
  if (error) return fail("{}: {}", (folder / kKeyFile).string(), error.message());
  return {};
}

Result<std::optional<Membership>> use_membership(std::string& nats_url, fs::path& key_file) {
  if (!nats_url.empty() || !key_file.empty()) return std::nullopt;
  auto membership = read_membership();
  if (!membership || !*membership) return membership;
  nats_url = (*membership)->nats_url;
  key_file = (*membership)->key_file;
  return membership;
}

}  // namespace submix::cluster
