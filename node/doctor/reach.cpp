// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/doctor/reach.hpp"

#include "common/base/host_port.hpp"
#include "common/link/cards/interfaces.hpp"

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>

namespace submix::doctor {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Steady = std::chrono::steady_clock;

/// A connection attempt. `error` is empty while there is no answer.
struct Attempt {
  tcp::socket socket;
  std::optional<boost::system::error_code> error;
  Steady::duration took{};
};

constexpr std::chrono::seconds kAnswerPatience{2};  // for all targets together

Finding finding_of(const Target& target, const Attempt& attempt) {
  Finding finding{.subject = "way to " + target.node,
                  .found = to_string(HostPort{target.address, target.port})};
  if (attempt.error && !*attempt.error) {
    const auto ms = std::chrono::duration<double, std::milli>(attempt.took).count();
    finding.found += fmt::format(" answers after {:.1f} ms", ms);
    return finding;
  }
  finding.grade = Grade::bad;
  if (!attempt.error) {
    finding.found += fmt::format(" does not answer within {} s", kAnswerPatience.count());
    finding.remedy = fmt::format(
        "check the cable; on {}: let TCP port {} through the firewall, e.g. sudo ufw allow {}/tcp, "
        "and start the node with --data-port, so that its port stays",
        target.node, target.port, target.port);
  } else {
    finding.found += ": " + attempt.error->message();
    finding.remedy =
        fmt::format("see on {} whether its node runs, and whether a firewall refuses port {}",
                    target.node, target.port);
  }
  return finding;
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
  const auto wrong = [text] {
    return fail(
        "\"{}\" is no address of a node; write NODE=ADDRESS:PORT, e.g. left=198.18.0.2:7400", text);
  };
  const auto equals = text.find('=');
  if (equals == text.npos) return wrong();
  const auto at = parse_host_port(text.substr(equals + 1));
  boost::system::error_code no_address;
  if (at) asio::ip::make_address(at->host, no_address);
  if (!at || at->port == 0 || no_address) return wrong();
  return Target{std::string(text.substr(0, equals)), at->host, at->port};
}

std::vector<Target> near_targets(std::span<const Target> targets,
                                 std::span<const NetworkInterface> interfaces) {
  std::vector<Target> near;
  std::ranges::copy_if(targets, std::back_inserter(near), [interfaces](const Target& target) {
    return std::ranges::any_of(interfaces, [&target](const NetworkInterface& own) {
      return link::is_in_subnet(target.address, own.address, own.prefix_length);
    });
  });
  return near;
}

Findings examine_distant_nodes(std::span<const Target> all, std::span<const Target> near) {
  std::set<std::string> distant;
  for (const auto& target : all)
    distant.insert(target.node);
  for (const auto& target : near)
    distant.erase(target.node);
  Findings findings;
  for (const auto& node : distant)
    findings.push_back({.grade = Grade::note,
                        .subject = "way to " + node,
                        .found = "no card of this PC is in a subnet of its cards",
                        .remedy = "give both cards of a cable addresses of one subnet"});
  return findings;
}

Findings try_targets(std::span<const Target> targets) {
  asio::io_context io;
  std::vector<std::unique_ptr<Attempt>> attempts;
  const auto began = Steady::now();
  for (const auto& target : targets) {
    auto& attempt =
        *attempts.emplace_back(std::make_unique<Attempt>(Attempt{tcp::socket(io), {}, {}}));
    attempt.socket.async_connect({asio::ip::make_address(target.address), target.port},
                                 [&attempt, began](const boost::system::error_code& error) {
                                   attempt.error = error;
                                   attempt.took = Steady::now() - began;
                                 });
  }
  io.run_for(kAnswerPatience);
  Findings findings;
  for (std::size_t i = 0; i < targets.size(); ++i)
    findings.push_back(finding_of(targets[i], *attempts[i]));
  return findings;
}

}  // namespace submix::doctor
