// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/cluster/reading_fields.hpp"

namespace submix::cluster {

std::string encode(const telemetry::NodeReading& message) {
  return write_message(message);
}

template <>
Result<telemetry::NodeReading> decode(std::string_view text) {
  return read_message<telemetry::NodeReading>(text, kMessageBytesMax, "reading");
}

}  // namespace submix::cluster
