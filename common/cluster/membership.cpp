// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/membership.hpp"

#include "common/base/files.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/json_fields.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

// `sudo submix join` without --system leaves a folder that its user cannot enter. Empty: nothing is
// in the way; the file may be missing.
std::string why_out_of_reach(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error) || !error ? std::string() : error.message();
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
  std::string desk_key;
  fields.optional_text("desk_key", desk_key);
  fields.integer("pairing_port", membership.pairing_port);
  fields.integer("key_number", membership.key_number);
  if (!problem.empty()) return fail("{}", problem);
  SUBMIX_TRY(parse_urls(membership.nats_url));
  membership.desk_key = parse_public_key(desk_key);
  if (!desk_key.empty() && !membership.desk_key) return fail("its desk's public key is none");
  return membership;
}

Result<void> write_desk(const fs::path& file, const Membership& membership) {
  Json json{{"desk", membership.desk}, {"nats", membership.nats_url}, {"own", membership.is_own}};
  if (membership.desk_key) {
    json["desk_key"] = to_text(*membership.desk_key);
    json["pairing_port"] = membership.pairing_port;
    json["key_number"] = membership.key_number;
  }
  return write_file_atomically(file, dump(json) + "\n", kPrivate);
}

}  // namespace

Result<std::optional<Membership>> read_membership(const fs::path& folder) {
  const auto file = folder / kDeskFile;
  if (const auto reason = why_out_of_reach(file); !reason.empty())
    return fail("{}: {}; let this user read it: sudo chown -R \"$USER\" {}", file.string(), reason,
                folder.string());
  if (!is_there(file)) return std::nullopt;
  auto membership = read_desk(file);
  if (membership && is_there(membership->key_file)) return *std::move(membership);
  auto problem = membership ? fmt::format("its key {} is gone", (folder / kKeyFile).string())
                            : membership.error().message;
  // A file that cannot be read is named already.
  const auto name = file.string() + ": ";
  if (problem.starts_with(name)) problem.erase(0, name.size());
  return fail("{}: {}; `{}`, then join the desk again", file.string(), problem,
              leave_command(folder));
}

Result<std::optional<Membership>> read_membership() {
  auto own = read_membership(config_home());
  if (own && *own) return own;
  const fs::path system = kSystemMemberships;
  const bool has_system = ::access((system / kKeyFile).c_str(), R_OK) == 0;
  // A service may have no right to look into its user's home.
  const bool is_broken = !own && why_out_of_reach(config_home() / kDeskFile).empty();
  if (is_broken || !has_system) return own;
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
  SUBMIX_TRY(write_desk(folder / kDeskFile, membership));
  return write_file_atomically(folder / kKeyFile, key.text() + "\n", kPrivate);
}

// The key first: with a new number and an old key, the desk's offer would look like an old one.
Result<void> store_key(const fs::path& folder, const PublicKey& desk, const NumberedKey& key) {
  auto membership = read_membership(folder);
  SUBMIX_TRY(membership);
  if (!*membership || (*membership)->desk_key != desk)
    return fail("{}: this PC has left the desk", (folder / kDeskFile).string());
  if ((*membership)->key_number > key.number) return {};  // another program was faster
  SUBMIX_TRY(write_file_atomically(folder / kKeyFile, key.key.text() + "\n", kPrivate));
  (*membership)->key_number = key.number;
  return write_desk(folder / kDeskFile, **membership);
}

fs::path membership_file(const fs::path& folder) {
  return folder / kDeskFile;
}

const char* leave_command(const fs::path& folder) {
  return folder == kSystemMemberships ? "sudo submix leave --system" : "submix leave";
}

Result<void> give_membership(const fs::path& folder, const passwd& user) {
  for (const auto& file : {folder / kDeskFile, folder / kKeyFile, Identity::file_in(folder)}) {
    if (::lchown(file.c_str(), user.pw_uid, user.pw_gid) != 0)
      return fail("{}: cannot be given to {}: {}", file.string(), user.pw_name,
                  std::strerror(errno));
  }
  return {};
}

fs::path kept_key_file(const fs::path& folder) {
  return folder / kOldKeyFile;
}

Result<void> remove_membership(const fs::path& folder) {
  std::error_code error;
  const auto membership = read_membership(folder);
  if (membership && *membership && (*membership)->is_own)
    fs::remove(Identity::file_in(folder), error);
  if (error) return fail("{}: {}", Identity::file_in(folder).string(), error.message());
  fs::remove(folder / kDeskFile, error);
  if (error) return fail("{}: {}", (folder / kDeskFile).string(), error.message());
  if (is_there(folder / kKeyFile)) fs::rename(folder / kKeyFile, kept_key_file(folder), error);
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
