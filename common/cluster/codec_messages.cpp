// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"
#include "common/cluster/json_fields.hpp"
#include "common/show/cut.hpp"

namespace submix::cluster {
namespace {

// A cluster's limits with room to spare; they bound what a hostile message can make us hold.
constexpr std::size_t kSubmixesMax = 256;
constexpr std::size_t kPluginsMax = 4096;
constexpr std::size_t kParametersMax = 256;
constexpr std::size_t kChoicesMax = 256;

constexpr Names<3> kSubmixStates{"starting", "running", "failed"};
constexpr Names<3> kSeverities{"note", "warning", "fault"};
constexpr Names<4> kCommands{"snapshot", "plugins", "trace", "check"};

template <typename Enum, std::size_t N>
std::string_view name_of(Enum value, const Names<N>& names) {
  return names.at(static_cast<std::size_t>(value));
}

Json card_to_json(const NetworkInterface& card) {
  return {{"name", card.name},
          {"address", card.address},
          {"prefix_length", card.prefix_length},
          {"mtu_bytes", card.mtu_bytes},
          {"speed_mbit", card.speed_mbit},
          {"is_up", card.is_up},
          {"speed_max_mbit", card.speed_max_mbit}};
}

void read_card(Fields& fields, NetworkInterface& card) {
  fields.text("name", card.name);
  fields.text("address", card.address);
  fields.integer("prefix_length", card.prefix_length);
  fields.integer("mtu_bytes", card.mtu_bytes);
  fields.integer("speed_mbit", card.speed_mbit);
  fields.boolean("is_up", card.is_up);
  fields.integer("speed_max_mbit", card.speed_max_mbit);
}

Json endpoint_to_json(const DataEndpoint& endpoint) {
  return {{"address", endpoint.address},
          {"prefix_length", endpoint.prefix_length},
          {"port", endpoint.port},
          {"mtu_bytes", endpoint.mtu_bytes},
          {"is_up", endpoint.is_up},
          {"speed_mbit", endpoint.speed_mbit},
          {"speed_max_mbit", endpoint.speed_max_mbit}};
}

void read_endpoint(Fields& fields, DataEndpoint& endpoint) {
  fields.text("address", endpoint.address);
  fields.integer("prefix_length", endpoint.prefix_length);
  fields.integer("port", endpoint.port);
  fields.integer("mtu_bytes", endpoint.mtu_bytes);
  fields.boolean("is_up", endpoint.is_up);
  fields.integer("speed_mbit", endpoint.speed_mbit);
  fields.integer("speed_max_mbit", endpoint.speed_max_mbit);
}

void read_submix(Fields& fields, SubmixReport& submix) {
  fields.text("name", submix.name);
  fields.choice("state", submix.state, kSubmixStates);
  fields.text("error", submix.error);
  fields.boolean("awaits_first_frame", submix.awaits_first_frame);
  fields.boolean("has_trouble", submix.has_trouble);
}

Json parameter_to_json(const ParameterSummary& parameter) {
  return {{"name", parameter.name},
          {"type", parameter.type},
          {"explanation", parameter.explanation},
          {"initial", to_json(parameter.initial)},
          {"minimum", parameter.minimum},
          {"maximum", parameter.maximum},
          {"choices", parameter.choices},
          {"integer", parameter.is_integer}};
}

void read_parameter(Fields& fields, ParameterSummary& parameter) {
  fields.text("name", parameter.name);
  fields.text("type", parameter.type);
  fields.text("explanation", parameter.explanation);
  fields.parameter("initial", parameter.initial);
  fields.number("minimum", parameter.minimum);
  fields.number("maximum", parameter.maximum);
  fields.texts("choices", parameter.choices, kChoicesMax);
  fields.boolean("integer", parameter.is_integer);
}

void read_plugin(Fields& fields, PluginSummary& plugin) {
  fields.text("id", plugin.id);
  fields.text("kind", plugin.kind);
  fields.text("explanation", plugin.explanation);
  fields.text("author", plugin.author);
  fields.text("memory", plugin.memory);
  fields.list("parameters", plugin.parameters, kParametersMax, read_parameter);
  fields.text("refused_because", plugin.refused_because);
}

}  // namespace

std::string encode(const DesiredShow& message) {
  return dump({{"toml", message.toml}, {"author", message.author}});
}

template <>
Result<DesiredShow> decode(std::string_view text) {
  return decode_object<DesiredShow>(text, kMessageBytesMax, "show",
                                    [](Fields& fields, DesiredShow& message) {
                                      fields.text("toml", message.toml, kMessageBytesMax);
                                      fields.text("author", message.author);
                                    });
}

std::string encode(const DesiredTransport& message) {
  return dump(
      {{"is_paused", message.is_paused}, {"steps", message.steps}, {"author", message.author}});
}

template <>
Result<DesiredTransport> decode(std::string_view text) {
  return decode_object<DesiredTransport>(text, kMessageBytesMax, "transport",
                                         [](Fields& fields, DesiredTransport& message) {
                                           fields.boolean("is_paused", message.is_paused);
                                           fields.integer("steps", message.steps);
                                           fields.text("author", message.author);
                                         });
}

std::string encode(const AlertsSeen& message) {
  return dump({{"things", message.things}});
}

template <>
Result<AlertsSeen> decode(std::string_view text) {
  return decode_object<AlertsSeen>(text, kMessageBytesMax, "seen alerts",
                                   [](Fields& fields, AlertsSeen& message) {
                                     fields.texts("things", message.things, AlertsSeen::kThingsMax);
                                   });
}

std::string encode(const NodeReport& message) {
  auto interfaces = Json::array();
  for (const auto& card : message.interfaces)
    interfaces.push_back(card_to_json(card));
  auto endpoints = Json::array();
  for (const auto& endpoint : message.endpoints)
    endpoints.push_back(endpoint_to_json(endpoint));
  auto submixes = Json::array();
  for (const auto& submix : message.submixes) {
    submixes.push_back({{"name", submix.name},
                        {"state", name_of(submix.state, kSubmixStates)},
                        {"error", submix.error},
                        {"awaits_first_frame", submix.awaits_first_frame},
                        {"has_trouble", submix.has_trouble}});
  }
  return dump({{"node", message.node},
               {"host", message.host},
               {"version", message.version},
               {"instance", message.instance},
               {"cores", message.cores},
               {"show_revision", message.show_revision},
               {"interfaces", std::move(interfaces)},
               {"endpoints", std::move(endpoints)},
               {"machine", message.local_endpoint.machine},
               {"local_socket", message.local_endpoint.socket},
               {"submixes", std::move(submixes)},
               {"epoch", message.epoch}});
}

template <>
Result<NodeReport> decode(std::string_view text) {
  return decode_object<NodeReport>(
      text, kMessageBytesMax, "report", [](Fields& fields, NodeReport& message) {
        fields.text("node", message.node);
        if (message.node.empty()) fields.complain("node", "is missing");
        fields.text("host", message.host);
        fields.text("version", message.version);
        fields.text("instance", message.instance);
        fields.integer("cores", message.cores);
        fields.integer("show_revision", message.show_revision);
        fields.list("interfaces", message.interfaces, kCardsMax, read_card);
        fields.list("endpoints", message.endpoints, kCardsMax, read_endpoint);
        fields.text("machine", message.local_endpoint.machine);
        fields.text("local_socket", message.local_endpoint.socket);
        fields.list("submixes", message.submixes, kSubmixesMax, read_submix);
        fields.integer("epoch", message.epoch);
      });
}

// A long list of reasons is cut, not lost: readers refuse a text that is longer.
std::string encode(const Event& message) {
  constexpr std::size_t kEventTextMax = kTextMax - 16;
  return dump({{"node", message.node},
               {"severity", name_of(message.severity, kSeverities)},
               {"about", message.about},
               {"text", show::cut(message.text, kEventTextMax)}});
}

template <>
Result<Event> decode(std::string_view text) {
  return decode_object<Event>(text, kMessageBytesMax, "event", [](Fields& fields, Event& message) {
    fields.text("node", message.node);
    fields.choice("severity", message.severity, kSeverities);
    fields.text("about", message.about);
    fields.text("text", message.text);
  });
}

std::string encode(const Command& message) {
  return dump({{"kind", name_of(message.kind, kCommands)},
               {"submix", message.submix},
               {"slot", message.slot},
               {"width_max", message.width_max},
               {"token", message.token},
               {"part", message.part},
               {"seconds", message.seconds},
               {"show", message.show},
               {"is_whole", message.is_whole}});
}

template <>
Result<Command> decode(std::string_view text) {
  return decode_object<Command>(text, kMessageBytesMax, "command",
                                [](Fields& fields, Command& message) {
                                  fields.choice("kind", message.kind, kCommands);
                                  fields.text("submix", message.submix);
                                  fields.text("slot", message.slot);
                                  fields.integer("width_max", message.width_max);
                                  fields.text("token", message.token);
                                  fields.integer("part", message.part);
                                  fields.integer("seconds", message.seconds);
                                  fields.text("show", message.show, kMessageBytesMax);
                                  fields.boolean("is_whole", message.is_whole);
                                });
}

std::string encode(const std::vector<SubmixFault>& message) {
  auto faults = Json::array();
  for (const auto& fault : message)
    faults.push_back({{"submix", fault.submix}, {"slot", fault.slot}, {"reason", fault.reason}});
  return dump({{"faults", std::move(faults)}});
}

template <>
Result<std::vector<SubmixFault>> decode(std::string_view text) {
  using Faults = std::vector<SubmixFault>;
  return decode_object<Faults>(text, kMessageBytesMax, "faults",
                               [](Fields& fields, Faults& message) {
                                 fields.list("faults", message, kSubmixFaultsMax,
                                             [](Fields& fault_fields, SubmixFault& fault) {
                                               fault_fields.text("submix", fault.submix);
                                               fault_fields.text("slot", fault.slot);
                                               fault_fields.text("reason", fault.reason);
                                             });
                               });
}

std::string encode(const std::vector<PluginSummary>& message) {
  auto plugins = Json::array();
  for (const auto& plugin : message) {
    auto parameters = Json::array();
    for (const auto& parameter : plugin.parameters)
      parameters.push_back(parameter_to_json(parameter));
    plugins.push_back({{"id", plugin.id},
                       {"kind", plugin.kind},
                       {"explanation", plugin.explanation},
                       {"author", plugin.author},
                       {"memory", plugin.memory},
                       {"parameters", std::move(parameters)}});
    if (!plugin.refused_because.empty()) plugins.back()["refused_because"] = plugin.refused_because;
  }
  return dump({{"plugins", std::move(plugins)}});
}

template <>
Result<std::vector<PluginSummary>> decode(std::string_view text) {
  using Plugins = std::vector<PluginSummary>;
  return decode_object<Plugins>(text, kMessageBytesMax, "plugins",
                                [](Fields& fields, Plugins& message) {
                                  fields.list("plugins", message, kPluginsMax, read_plugin);
                                });
}

}  // namespace submix::cluster
