// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/waiting_pc.hpp"

#include "common/base/host_name.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/membership.hpp"
#include "controller/pairing/joining.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::pairing {
namespace {

using Kind = PairingEvent::Kind;

/// For the person at the PC that waits. Empty: the next code says enough.
std::string words_of(const PairingEvent& event) {
  const auto desk = fmt::format("{} ({})", event.pc, event.address);
  switch (event.kind) {
    case Kind::joined:
      return fmt::format("this PC plays for {} now", desk);
    case Kind::lost:
      return fmt::format("{} had the right code, but did not finish its invitation", desk);
    case Kind::not_kept:
      return fmt::format("this PC cannot follow the invitation of {}: {}", desk, event.remark);
    case Kind::wrong_code:
      return event.tries_left > 0
                 ? to_text(event)
                 : to_text(event) + "; this PC shows another one within two minutes";
    case Kind::over:
      break;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<WaitingPc>> WaitingPc::open(const Settings& settings) {
  SUBMIX_TRY(check_free(settings.folder));
  const auto identity = cluster::Identity::read_or_make(settings.folder);
  SUBMIX_TRY(identity);
  auto pc = std::unique_ptr<WaitingPc>(new WaitingPc(settings));
  const auto follow = [folder = settings.folder](const Invitation& invitation) -> Result<void> {
    SUBMIX_TRY(keep(folder, invitation));
    return {};
  };
  auto port = PairingPort::open(
      {.listen = settings.listen,
       .port = settings.port,
       .waiting = {{.pc = {host_name(), identity->public_key()}, .follow = follow}},
       .lifetime = settings.lifetime});
  SUBMIX_TRY(port);
  pc->port_ = *std::move(port);
  if (!settings.is_shown) return pc;
  auto notice = NearbyNotice::show(NearbyKind::waiting, host_name(), pc->port(), {host_name()});
  if (notice)
    pc->notice_ = *std::move(notice);
  else
    pc->remarks_.push_back(notice.error().message +
                           "; a desk needs this PC's address to invite it");
  return pc;
}

std::vector<std::string> WaitingPc::look(LocalTime now) {
  auto lines = std::exchange(remarks_, {});
  for (const auto& event : port_->take_events()) {
    if (auto words = words_of(event); !words.empty()) lines.push_back(std::move(words));
    // Whoever had the right code may have the next one at once.
    if (event.kind == Kind::lost || event.kind == Kind::not_kept) next_code_ = now;
  }
  if (now >= next_code_ && !has_desk()) lines.push_back(next_code(now));
  return lines;
}

std::string WaitingPc::next_code(LocalTime now) {
  next_code_ = now + settings_.lifetime;
  return fmt::format("code: {}   at the desk: submix invite, or its window, \"Several PCs\"",
                     port_->offer().text());
}

bool WaitingPc::has_desk() const {
  const auto membership = cluster::read_membership(settings_.folder);
  return membership && *membership;
}

bool wait_for_desk(WaitingPc& pc, StopSignal& stop,
                   const std::function<void(const std::string&)>& say) {
  constexpr std::chrono::milliseconds kLook{200};
  bool has_desk = false;
  do {
    for (const auto& line : pc.look(LocalTime::clock::now()))
      say(line);
    if (has_desk) return true;
    has_desk = pc.has_desk();  // whose desk it is may be told a moment later
  } while (!stop.wait_for(kLook));
  return has_desk;
}

}  // namespace submix::pairing
