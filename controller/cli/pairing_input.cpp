// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pairing_input.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>

namespace submix::cli {
namespace {

/// "rack0: show duo, running".
std::string words_of(const pairing::NearbyPc& pc) {
  const auto told = to_text(pc.told);
  return told.empty() ? pc.name : fmt::format("{}: {}", pc.name, told);
}

std::string listed(const std::vector<pairing::NearbyPc>& pcs, const std::string& command) {
  std::vector<std::string> commands;
  for (const auto& pc : pcs)
    commands.push_back(
        fmt::format("{} {}   ({})", command, to_string(pc.ends.front()), words_of(pc)));
  return fmt::format("{}", fmt::join(commands, "\n  "));
}

}  // namespace

Result<pairing::PairingCode> read_code(Context& context, const std::string& noun) {
  if (::isatty(STDIN_FILENO) == 1)
    context.out << "code that the " << noun << " shows: " << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) return fail("no code was typed; the {} shows one", noun);
  return pairing::PairingCode::parse(line);
}

Result<std::vector<HostPort>> find_one(Context& context, const Sought& sought,
                                       const std::string& name) {
  constexpr std::chrono::seconds kSearch{2};
  auto pcs = pairing::find_nearby(sought.kind, kSearch);
  if (!pcs) return fail("{}; {}", pcs.error().message, sought.remedy);
  if (!name.empty()) std::erase_if(*pcs, [&](const auto& pc) { return pc.name != name; });
  if (pcs->empty())
    return fail("no {} {}shows itself on the networks of this PC; {}", sought.noun,
                name.empty() ? "" : fmt::format("\"{}\" ", name), sought.remedy);
  if (pcs->size() > 1)
    return fail("{} {}s are nearby; choose one:\n  {}", pcs->size(), sought.noun,
                listed(*pcs, sought.command));
  const auto& only = pcs->front();
  fmt::print(context.out, "{} {} at {}\n", sought.noun, words_of(only),
             to_string(only.ends.front()));
  return only.ends;
}

}  // namespace submix::cli
