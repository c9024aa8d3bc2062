// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/host_port.hpp"
#include "common/base/result.hpp"
#include "controller/cli/context.hpp"
#include "controller/pairing/nearby_pcs.hpp"
#include "controller/pairing/pairing_code.hpp"

#include <string>
#include <vector>

/// What `submix join` and `submix invite` ask for.
namespace submix::cli {

/// What a command looks for, in words.
struct Sought {
  pairing::NearbyKind kind;
  std::string noun;     ///< "desk"
  std::string command;  ///< "submix join"
  std::string remedy;   ///< how it is named by a person
};

/// Reads the code that the other PC shows. `noun`: as Sought::noun.
[[nodiscard]] Result<pairing::PairingCode> read_code(Context& context, const std::string& noun);

/// Where the only PC of this kind nearby is; with `name`, the one of this name.
///
/// Threads  Blocks for two seconds.
/// Errors   There is none, or there are several: their commands.
[[nodiscard]] Result<std::vector<HostPort>> find_one(Context& context, const Sought& sought,
                                                     const std::string& name = {});

}  // namespace submix::cli
