// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace submix::local {

/// All addresses of this machine at which others may reach it, in the kernel's order. Loopback and
/// link-local addresses, and cards that are down or without a carrier, are left out.
[[nodiscard]] std::vector<std::string> own_addresses();
/// Those of them at which a server that listens at 0.0.0.0 answers.
[[nodiscard]] std::vector<std::string> own_ipv4_addresses();

/// "nats://198.18.0.1:4222,nats://…", of as many addresses as a client takes. `first`, if it is
/// among them, becomes the first.
[[nodiscard]] std::string nats_urls(std::vector<std::string> addresses, std::uint16_t port,
                                    const std::string& first = {});

}  // namespace submix::local
