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

}  // namespace

std::string to_json(const Invitation& invitation) {
  json object{
      {"desk", invitation.desk}, {"nats", invitation.nats_url}, {"key", invitation.key.text()}};
  if (invitation.desk_key) {
    object["desk_key"] = cluster::to_text(*invitation.desk_key);
    object["key_number"] = invitation.key_number;
  }
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
  return invitation;
}

}  // namespace submix::pairing
