// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/message_bytes.hpp"

#include <variant>

namespace submix::host {
namespace {

struct TypedWriter {
  MessageWriter& writer;

  void operator()(bool flag) const { writer.number(flag); }
  void operator()(double real) const { writer.number(real); }
  void operator()(const std::string& text) const { writer.text(text); }
  void operator()(const std::vector<double>& row) const {
    writer.number(static_cast<std::uint32_t>(row.size()));
    for (const double part : row)
      writer.number(part);
  }
};

}  // namespace

void MessageWriter::text(std::string_view value) {
  number(static_cast<std::uint32_t>(value.size()));
  append(std::as_bytes(std::span(value)));
}

void MessageWriter::value(const show::ParameterValue& value) {
  number(static_cast<std::uint8_t>(value.index()));
  std::visit(TypedWriter{*this}, value);
}

// Not in the header: GCC 12 wrongly warns of overlapping copies there.
void MessageWriter::append(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::string MessageReader::text() {
  const auto bytes = take(number<std::uint32_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

show::ParameterValue MessageReader::value() {
  switch (number<std::uint8_t>()) {
    case 0:
      return number<std::uint8_t>() != 0;
    case 1:
      return number<double>();
    case 2:
      return text();
    case 3:
      return row();
    default:
      refuse();
      return false;
  }
}

std::vector<double> MessageReader::row() {
  const auto count = number<std::uint32_t>();
  std::vector<double> row;
  for (std::uint32_t i = 0; i < count && is_good_; ++i)
    row.push_back(number<double>());
  return row;
}

std::span<const std::byte> MessageReader::take(std::size_t count) {
  if (!is_good_ || count > rest_.size()) {
    is_good_ = false;
    return {};
  }
  const auto taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

}  // namespace submix::host
