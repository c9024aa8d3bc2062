// SPDX-License-Identifier: GPL-3.0-or-later
// submix doctor
#include "common/cluster/address.hpp"
#include "common/cluster/reachable.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/local/pc_check.hpp"
#include "controller/model/view/data_addresses.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace submix::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kClockMost{500};  // logs of several PCs are compared by eye

/// Which addresses of NATS answer.
Findings look_at_nats(const std::vector<std::string>& urls,
                      const std::optional<cluster::ShowKey>& key) {
  Findings findings;
  for (const auto& url : urls) {
    if (cluster::is_reachable(url, key)) {
      findings.push_back({Grade::good, "control plane", url + " answers"});
    } else if (url == cluster::kDefaultUrl) {
      findings.push_back(
          {Grade::note, "control plane", "no NATS server runs on this PC",
           "join the show's desk, or name its server by --nats, and its nodes are tried, too"});
    } else {
      findings.push_back({Grade::bad, "control plane", url + " does not answer",
                          "check the cable and the address; on that PC: does submix desk or submix "
                          "nats run, and does the firewall let TCP port 4222 through?"});
    }
  }
  return findings;
}

/// How far this PC's time of day is from the server's.
Finding look_at_clock(cluster::Cluster& cluster) {
  const SteadyClock clock;
  const auto reading = cluster.read_clock(clock);
  if (!reading) return {Grade::bad, "time of day", reading.error().message};
  const auto since = clock.now() - (reading->sent + (reading->received - reading->sent) / 2);
  const auto here = std::chrono::system_clock::now().time_since_epoch() - since;
  const auto ahead = std::chrono::duration_cast<std::chrono::milliseconds>(here - reading->time);
  if (std::chrono::abs(ahead) < kClockMost)
    return {Grade::good, "time of day", "as on the server of NATS"};
  return {Grade::note, "time of day",
          fmt::format("{:.1f} s {} the server of NATS: logs are hard to compare; the show has a "
                      "clock of its own",
                      std::abs(static_cast<double>(ahead.count())) / 1e3,
                      ahead > 0ms ? "ahead of" : "behind"),
          "sudo timedatectl set-ntp true, on both PCs"};
}

/// Looks at the show's server, as far as it answers. Fills in the addresses of the nodes.
Findings look_at_cluster(const Context& context, std::vector<std::string>& targets) {
  const auto urls = cluster::parse_urls(context.url);
  if (!urls) return {{Grade::bad, "control plane", urls.error().message}};
  const auto key = read_key(context);
  if (!key) return {{Grade::bad, "control plane", key.error().message}};
  auto findings = look_at_nats(*urls, *key);
  if (std::ranges::none_of(findings, [](const auto& each) { return each.grade == Grade::good; }))
    return findings;
  const auto observer = Observer::start(context);
  if (!observer) {
    findings.push_back({Grade::bad, "control plane", observer.error().message});
    return findings;
  }
  findings.push_back(look_at_clock((*observer)->cluster()));
  std::this_thread::sleep_for(kFirstReadings);
  targets = model::data_addresses((*observer)->view_with_silences());
  return findings;
}

std::string text_of(const Finding& finding) {
  auto text =
      fmt::format("{:6}  {:20}  {}\n", name_of(finding.grade), finding.subject, finding.found);
  if (!finding.remedy.empty())
    text += fmt::format("{:6}  {:20}  remedy: {}\n", "", "", finding.remedy);
  return text;
}

std::string json_of(const Finding& finding) {
  return nlohmann::ordered_json{{"grade", name_of(finding.grade)},
                                {"subject", finding.subject},
                                {"found", finding.found},
                                {"remedy", finding.remedy},
                                {"can_mend", finding.can_mend}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

int run_doctor(Context& context, const DoctorOptions& options) {
  local::PcCheck check{
      .recordings = options.recordings, .targets = {}, .is_mending = options.is_mending};
  auto findings = look_at_cluster(context, check.targets);
  std::ranges::move(local::check_pc(check), std::back_inserter(findings));
  for (const auto& finding : findings)
    context.out << (context.is_json ? json_of(finding) + "\n" : text_of(finding));
  if (!context.is_json) context.out << local::verdict_of(findings) << '\n';
  return local::is_any_bad(findings) ? kFailed : kOk;
}

}  // namespace submix::cli
