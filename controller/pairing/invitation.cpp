// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/invitation.hpp"

#include "common/base/plain_text.hpp"
#include "common/cluster/address.hpp"

#include <nlohmann/json.hpp>

namespace submix::pairing {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Result<std::optional<std::uint16_t>> port_in(const json& object) {
  const auto found = object.find("pairing_port");
  if (found == object.end()) return std::nullopt;
  constexpr std::uint64_t kPortMax = 65535;
  const auto port = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  if (port == 0 || port > kPortMax) return fail("the invitation: the desk's pairing port is none");
  return static_cast<std::uint16_t>(port);
}

}  // namespace

std::string to_json(const Invitation& invitation) {
  json object{
      {"desk", invitation.desk}, {"nats", invitation.nats_url}, {"key", invitation.key.text()}};
  if (invitation.desk_key) {
    object["desk_key"] = cluster::to_text(*invitation.desk_key);
    object["key_number"] = invitation.key_number;
  }
  if (invitation.pairing_port) object["pairing_port"] = *invitation.pairing_port;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Invitation> parse_invitation(std::string_view text) {
  const auto object = json::parse(text, nullptr, false);
  if (!object.is_object()) return fail("the invitation is not a JSON object");
  auto desk = text_of(object, "desk");
  if (desk.empty() || !is_one_plain_line(desk)) return fail("the invitation names no desk");
  auto nats_url = text_of(object, "nats");
  if (auto urls = cluster::parse_urls(nats_url); !urls)
    return fail("the invitation's address of NATS: {}", urls.error().message);
  auto key = cluster::ShowKey::parse(text_of(object, "key"));
  if (!key) return fail("the invitation: {}", key.error().message);
  Invitation invitation{std::move(desk), std::move(nats_url), *std::move(key), {}, 0};
  const auto desk_key = text_of(object, "desk_key");
  if (desk_key.empty()) return invitation;
  invitation.desk_key = cluster::parse_public_key(desk_key);
  if (!invitation.desk_key) return fail("the invitation: the desk's public key is none");
  const auto number = object.find("key_number");
  if (number == object.end() || !number->is_number_unsigned())
    return fail("the invitation: the key has no number");
  invitation.key_number = number->get<std::uint64_t>();
  const auto port = port_in(object);
  SUBMIX_TRY(port);
  invitation.pairing_port = *port;
  return invitation;
}

}  // namespace submix::pairing
