// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace submix {

/// Starts a thread named `name` (the kernel keeps 15 characters) that runs `body` with its stop token.
[[nodiscard]] std::jthread start_thread(const std::string& name, std::function<void(std::stop_token)> body);

}  // namespace submix
