// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/settings.hpp"

#include "common/base/files.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>

namespace submix::input {
namespace {

constexpr std::string_view kHeading =
    "# Control from outside: written by Submix whenever a mapping or a setting changes.\n"
    "# A change made here counts from the next start.\n";

/// Reads table by table. Each error is reported with its line, and its setting keeps the default.
class Reader {
 public:
  explicit Reader(ReadSettings& read) : read_(read) {}

  void complain(const toml::node& node, const std::string& text) {
    read_.problems.push_back(fmt::format("line {}: {}", node.source().begin.line, text));
  }
  /// The value of `key`. A wrong type is reported.
  template <typename T>
  std::optional<T> value(const toml::table& table, std::string_view key, const char* wanted) {
    const auto* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto found = node->value<T>();
    if (!found) complain(*node, fmt::format("{} is to be {}", key, wanted));
    return found;
  }
  void know(const toml::table& table, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, node] : table) {
      const auto name = key.str();
      if (std::find(keys.begin(), keys.end(), name) == keys.end())
        complain(node, fmt::format("nobody knows \"{}\"", name));
    }
  }
  const toml::table* table(const toml::table& root, std::string_view key) {
    const auto* node = root.get(key);
    if (node != nullptr && !node->is_table()) complain(*node, fmt::format("write [{}]", key));
    return node == nullptr ? nullptr : node->as_table();
  }

  void osc(const toml::table& table) {
    auto& osc = read_.settings.osc;
    know(table, {"on", "listen", "port", "receivers", "mapping"});
    osc.is_on = value<bool>(table, "on", "true or false").value_or(osc.is_on);
    osc.host = value<std::string>(table, "listen", "an address").value_or(osc.host);
    const auto port = value<std::int64_t>(table, "port", "a port").value_or(osc.port);
    if (port < 0 || port > 65535) {
      complain(*table.get("port"), fmt::format("port {} is not within 0 to 65535", port));
    } else {
      osc.port = static_cast<std::uint16_t>(port);
    }
    const auto* list = table.get("receivers");
    if (list == nullptr) return;
    if (!list->is_array()) return complain(*list, "write receivers as [\"HOST:PORT\", …]");
    for (const auto& node : *list->as_array()) {
      auto peer = parse_peer(node.value<std::string>().value_or(""));
      if (peer) {
        osc.receivers.push_back(*std::move(peer));
      } else {
        complain(node, peer.error().message);
      }
    }
  }

  std::string text(const toml::table& table, std::string_view key) {
    return value<std::string>(table, key, "a text").value_or(std::string());
  }

  Result<Mapping> midi_control(const toml::table& table) {
    know(table, {"device", "channel", "control", "target", "from", "to", "response", "soft"});
    const auto channel = value<std::int64_t>(table, "channel", "1 to 16").value_or(1);
    const auto control = parse_midi_control(
        text(table, "control"), channel > 0 && channel < 17 ? static_cast<int>(channel) : 0);
    SUBMIX_TRY(control);
    auto device = text(table, "device");
    if (device.empty()) return fail("a mapping needs its device");
    return Mapping{std::move(device), *control, {}};
  }
  Result<Mapping> key_control(const toml::table& table) {
    know(table, {"key", "target", "from", "to", "response", "soft"});
    auto control = parse_key_control(text(table, "key"));
    SUBMIX_TRY(control);
    return Mapping{std::string(kKeyboard), *std::move(control), {}};
  }
  Result<Mapping> osc_control(const toml::table& table) {
    know(table, {"address", "target", "from", "to", "response", "soft"});
    auto control = parse_osc_control(text(table, "address"));
    SUBMIX_TRY(control);
    return Mapping{std::string(kOscPrograms), *std::move(control), {}};
  }

  /// Reads what a mapping of any control has.
  Result<Mapping> with_target(Mapping mapping, const toml::table& table) {
    const auto number = [&](std::string_view key, double initial) {
      return value<double>(table, key, "a number from 0 to 1").value_or(initial);
    };
    auto target = parse_target(text(table, "target"));
    SUBMIX_TRY(target);
    const auto response =
        table.contains("response") ? parse_response(text(table, "response")) : Response::absolute;
    SUBMIX_TRY(response);
    mapping.target = *std::move(target);
    mapping.from = number("from", 0);
    mapping.to = number("to", 1);
    for (const double end : {mapping.from, mapping.to}) {
      if (!(end >= 0 && end <= 1)) return fail("from and to must be within 0 to 1, not {}", end);
    }
    if (!is_possible(*response, mapping.control))
      return fail("\"{}\" sends positions, so it cannot be relative; only \"cc\" can",
                  to_string(mapping.control));
    mapping.response = *response;
    mapping.is_soft = value<bool>(table, "soft", "true or false").value_or(true);
    return mapping;
  }

  using ReadControl = Result<Mapping> (Reader::*)(const toml::table&);

  Result<Mapping> mapping(const toml::node& item, const std::string& heading, ReadControl read) {
    const auto* table = item.as_table();
    if (table == nullptr) return fail("write [[{}]]", heading);
    auto control = (this->*read)(*table);
    SUBMIX_TRY(control);
    return with_target(*std::move(control), *table);
  }

  /// The list "mapping" of a system, such as "midi".
  void mappings(const toml::table& system, std::string_view name, ReadControl read) {
    const auto* node = system.get("mapping");
    if (node == nullptr) return;
    const auto heading = fmt::format("{}.mapping", name);
    const auto* list = node->as_array();
    if (list == nullptr) return complain(*node, fmt::format("write [[{}]]", heading));
    for (const auto& item : *list) {
      auto found = mapping(item, heading, read);
      if (!found) {
        complain(item, found.error().message);
      } else if (read_.settings.mappings.size() < MappingCore::kMappingsMax) {
        read_.settings.mappings.push_back(*std::move(found));
      } else {
        return complain(item,
                        fmt::format("there are more than {} mappings", MappingCore::kMappingsMax));
      }
    }
  }

  void root(const toml::table& root) {
    know(root, {"osc", "midi", "keys", "link", "music"});
    if (const auto* part = table(root, "osc")) {
      osc(*part);
      mappings(*part, "osc", &Reader::osc_control);
    }
    if (const auto* part = table(root, "keys")) {
      know(*part, {"mapping"});
      mappings(*part, "keys", &Reader::key_control);
    }
    if (const auto* part = table(root, "link")) {
      know(*part, {"on"});
      read_.settings.is_link_on = value<bool>(*part, "on", "true or false").value_or(false);
    }
    if (const auto* part = table(root, "music")) {
      know(*part, {"follow"});
      read_.settings.is_music_followed =
          value<bool>(*part, "follow", "true or false").value_or(false);
    }
    if (const auto* part = table(root, "midi")) {
      know(*part, {"on", "mapping"});
      read_.settings.is_midi_on = value<bool>(*part, "on", "true or false").value_or(true);
      mappings(*part, "midi", &Reader::midi_control);
    }
  }

 private:
  ReadSettings& read_;
};

/// A control as a table.
struct ControlTable {
  const std::string& device;

  toml::table operator()(const MidiControl& control) const {
    return toml::table{
        {"device", device}, {"channel", control.channel}, {"control", to_string(control)}};
  }
  toml::table operator()(const KeyControl& control) const {
    return toml::table{{"key", control.key}};
  }
  toml::table operator()(const OscControl& control) const {
    return toml::table{{"address", control.address}};
  }
};

toml::table to_table(const Mapping& mapping) {
  auto table = std::visit(ControlTable{mapping.device}, mapping.control);
  table.insert("target", to_string(mapping.target));
  table.insert("from", mapping.from);
  table.insert("to", mapping.to);
  table.insert("response", to_string(mapping.response));
  table.insert("soft", mapping.is_soft);
  return table;
}

template <typename Control>
toml::array mappings_of(const InputSettings& settings) {
  toml::array mappings;
  for (const auto& mapping : settings.mappings) {
    if (std::holds_alternative<Control>(mapping.control)) mappings.push_back(to_table(mapping));
  }
  return mappings;
}

// Moves a broken file to the first free name beside it.
Result<std::filesystem::path> set_aside(const std::filesystem::path& file) {
  for (int i = 1; i < 1000; ++i) {
    auto copy = file;
    copy += fmt::format(".broken-{}", i);
    std::error_code error;
    if (std::filesystem::exists(copy, error)) continue;
    std::filesystem::copy_file(file, copy, error);
    if (error)
      return fail("{}: cannot be copied to {}: {}", file.string(), copy.string(), error.message());
    return copy;
  }
  return fail("{}: there are 999 broken copies of it already; remove them", file.string());
}

}  // namespace

std::string to_toml(const InputSettings& settings) {
  toml::array receivers;
  for (const auto& peer : settings.osc.receivers)
    receivers.push_back(to_string(peer));
  const toml::table root{{"osc", toml::table{{"on", settings.osc.is_on},
                                             {"listen", settings.osc.host},
                                             {"port", settings.osc.port},
                                             {"receivers", std::move(receivers)},
                                             {"mapping", mappings_of<OscControl>(settings)}}},
                         {"link", toml::table{{"on", settings.is_link_on}}},
                         {"music", toml::table{{"follow", settings.is_music_followed}}},
                         {"keys", toml::table{{"mapping", mappings_of<KeyControl>(settings)}}},
                         {"midi", toml::table{{"on", settings.is_midi_on},
                                              {"mapping", mappings_of<MidiControl>(settings)}}}};
  std::ostringstream text;
  text << kHeading << root << '\n';
  return text.str();
}

ReadSettings read_settings(std::string_view text) {
  ReadSettings read;
  try {
    const auto root = toml::parse(text);
    Reader(read).root(root);
  } catch (const toml::parse_error& error) {
    read.problems.push_back(
        fmt::format("line {}: {}", error.source().begin.line, std::string(error.description())));
  }
  return read;
}

std::filesystem::path settings_file() {
  return config_home() / "control.toml";
}

ReadSettings SettingsFile::load() {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return {};
  const auto text = read_text_file(path_);
  auto read = text ? read_settings(*text) : ReadSettings{{}, {text.error().message}};
  is_broken_ = !read.problems.empty();
  for (auto& problem : read.problems)
    problem = fmt::format("{}: {}", path_.string(), problem);
  if (is_broken_)
    read.problems.emplace_back("a copy of it is made before a change here overwrites it");
  return read;
}

Result<std::filesystem::path> SettingsFile::save(const InputSettings& settings) {
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  if (error) return fail("{}: cannot be made: {}", path_.parent_path().string(), error.message());
  std::filesystem::path copy;
  if (is_broken_ && std::filesystem::exists(path_, error)) {
    auto made = set_aside(path_);
    if (!made) return fail("{}; nothing is saved until it is removed", made.error().message);
    copy = *std::move(made);
  }
  SUBMIX_TRY(write_file_atomically(path_, to_toml(settings), 0600));
  is_broken_ = false;
  return copy;
}

}  // namespace submix::input
