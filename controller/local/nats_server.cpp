// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/local/nats_server.hpp"

#include "common/base/files.hpp"
#include "common/base/host_port.hpp"
#include "common/cluster/address.hpp"
#include "common/cluster/nats_certificate.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/local/last_line.hpp"

#include <signal.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace submix::local {
namespace {

constexpr const char* kConfigurationFile = "nats-server.conf";
constexpr const char* kCertificateFile = "certificate.pem";
constexpr const char* kPrivateKeyFile = "private-key.pem";
// Debian installs the server in a folder that is not in an ordinary user's PATH.
constexpr std::string_view kProgram = "/usr/sbin/nats-server";
constexpr std::chrono::seconds kStartPatience{30};
constexpr std::chrono::milliseconds kLookInterval{20};
// A picture of 1920x1080 pixels is 6.2 MB. Above 8 MB nats-server warns.
constexpr std::string_view kMaxPayload = "8MB";
// A client whose cable was cut is dropped soon. Until then each message for it may block the
// message's sender.
constexpr std::string_view kDeadClients =
    "ping_interval: \"2s\"\nping_max: 2\nwrite_deadline: \"2s\"\n";

std::string program() {
  std::error_code ignored;
  return std::filesystem::exists(kProgram, ignored) ? std::string(kProgram) : "nats-server";
}

// Without a list everybody with the key gets in.
std::string authorization_of(const cluster::ShowKey& key, const std::vector<NatsUser>& users) {
  return authorization(users.empty() ? std::vector{NatsUser{cluster::shared_login(key)}} : users);
}

std::string configuration(const NatsServerSettings& settings) {
  std::string text =
      fmt::format("host: {}\nport: {}\nmax_payload: {}\n", in_quotes(settings.listen),
                  settings.port == 0 ? -1 : static_cast<int>(settings.port), kMaxPayload);
  text += fmt::format("ports_file_dir: {}\n", in_quotes(settings.folder.string()));
  text += fmt::format("jetstream {{ store_dir: {}, max_mem: 64MB, max_file: 256MB }}\n",
                      in_quotes((settings.folder / "store").string()));
  text += kDeadClients;
  if (!settings.key) return text;
  text += authorization_of(*settings.key, settings.users);
  text += fmt::format("tls {{ cert_file: {}, key_file: {}, timeout: 5 }}\n",
                      in_quotes((settings.folder / kCertificateFile).string()),
                      in_quotes((settings.folder / kPrivateKeyFile).string()));
  return text;
}

Result<void> write_certificate(const std::filesystem::path& folder, const cluster::ShowKey& key) {
  const auto proof = cluster::nats_certificate(key);
  SUBMIX_TRY(write_file_atomically(folder / kCertificateFile, proof.certificate));
  return write_file_atomically(folder / kPrivateKeyFile, proof.private_key, 0600);
}

// Reads the address from the file that nats-server writes when it listens:
// {"nats":["nats://127.0.0.1:43211"],…}, or "tls://…" with a certificate.
std::optional<std::uint16_t> port_in(const std::filesystem::path& file) {
  const auto text = read_text_file(file).value_or("");
  const auto url = text.find("://");
  const auto end = text.find('"', url);
  if (url == std::string::npos || end == std::string::npos) return std::nullopt;
  const auto colon = text.rfind(':', end);
  const int port = std::atoi(text.c_str() + colon + 1);
  return port > 0 && port < 65536 ? std::optional(static_cast<std::uint16_t>(port)) : std::nullopt;
}

// The server that runs with this configuration. Its PID stands in a file's name:
// "nats-server_1234.ports".
std::optional<pid_t> server_of(const std::filesystem::path& folder) {
  constexpr std::string_view kBegin = "nats-server_";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with(kBegin) || !name.ends_with(".ports")) continue;
    const auto pid = name.substr(kBegin.size(), name.find('.') - kBegin.size());
    const auto command = read_text_file("/proc/" + pid + "/cmdline").value_or("");
    if (command.find((folder / kConfigurationFile).string()) != std::string::npos)
      return static_cast<pid_t>(std::atol(pid.c_str()));
  }
  return std::nullopt;
}

Result<std::filesystem::path> write_configuration(const NatsServerSettings& settings) {
  std::error_code error;
  std::filesystem::create_directories(settings.folder, error);
  if (error) return fail("{}: cannot be made: {}", settings.folder.string(), error.message());
  auto file = settings.folder / kConfigurationFile;
  const auto written =
      write_file_atomically(file, configuration(settings), settings.key ? 0600 : 0644);
  SUBMIX_TRY(written);
  if (settings.key) SUBMIX_TRY(write_certificate(settings.folder, *settings.key));
  return file;
}

}  // namespace

std::string local_url(const std::string& listen, std::uint16_t port) {
  if (listen == "0.0.0.0") return fmt::format("nats://127.0.0.1:{}", port);
  if (listen == "::") return fmt::format("nats://[::1]:{}", port);
  return "nats://" + to_string(HostPort{listen, port});
}

NatsServer::NatsServer(ChildProcess process, std::string url, std::uint16_t port,
                       std::filesystem::path log_file)
    : process_(std::move(process)),
      url_(std::move(url)),
      port_(port),
      log_file_(std::move(log_file)) {}

Result<NatsServer> NatsServer::start(NatsServerSettings settings) {
  if (!settings.key && !cluster::is_loopback(settings.listen)) {
    return fail(
        "NATS on {}: other machines could reach it, which needs a key; make one with \"submix key "
        "new FILE\" and name it with --key FILE",
        settings.listen);
  }
  settings.folder = std::filesystem::absolute(settings.folder);
  if (server_of(settings.folder)) {
    return fail("{}: another NATS server keeps its state there; end it, or name another --folder",
                settings.folder.string());
  }
  const auto file = write_configuration(settings);
  SUBMIX_TRY(file);
  const auto log_file = settings.folder / "nats-server.log";
  auto process = ChildProcess::start({program(), "-c", file->string()}, log_file);
  if (!process) return fail("{}; install the package nats-server", process.error().message);
  const auto ports_file = settings.folder / fmt::format("nats-server_{}.ports", process->pid());
  const auto deadline = std::chrono::steady_clock::now() + kStartPatience;
  while (!process->exit_status() && std::chrono::steady_clock::now() < deadline) {
    const auto port = port_in(ports_file);
    if (port && cluster::is_reachable(local_url(settings.listen, *port), settings.key)) {
      return NatsServer(*std::move(process), local_url(settings.listen, *port), *port, log_file);
    }
    std::this_thread::sleep_for(kLookInterval);
  }
  const auto why = last_line(log_file);
  if (why.find("address already in use") != std::string::npos)
    return fail(
        "nats-server on {}, port {}: another program has that port; name another one, or use the "
        "NATS that is there",
        settings.listen, settings.port);
  const auto* what = process->exit_status() ? "ended at once" : "does not answer";
  return fail("nats-server on {}, port {}: {}: {}; all of its log is in {}", settings.listen,
              settings.port, what, why, log_file.string());
}

bool is_nats_running(const std::filesystem::path& folder) {
  return !folder.empty() && server_of(std::filesystem::absolute(folder)).has_value();
}

// On SIGHUP the server reads its configuration and its certificate anew, and checks the logins and
// the rights of its clients again.
Result<void> set_nats_users(const std::filesystem::path& folder, const cluster::ShowKey& key,
                            const std::vector<NatsUser>& users) {
  const auto file = std::filesystem::absolute(folder) / kConfigurationFile;
  const auto server = server_of(file.parent_path());
  if (!server) return fail("no NATS server of this user runs in {}", folder.string());
  auto text = read_text_file(file);
  SUBMIX_TRY(text);
  const auto begin = text->find(kAuthorization);
  const auto end = text->find('\n', begin);
  if (begin == std::string::npos || end == std::string::npos)
    return fail("{}: the NATS server has no key", file.string());
  text->replace(begin, end + 1 - begin, authorization_of(key, users));
  SUBMIX_TRY(write_certificate(file.parent_path(), key));
  SUBMIX_TRY(write_file_atomically(file, *text, 0600));
  if (::kill(*server, SIGHUP) == 0) return {};
  return fail("nats-server (process {}) cannot be told who may use it: {}", *server,
              std::strerror(errno));
}

}  // namespace submix::local
