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
    know(table, {"on", "listen", "port", "receivers"});
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

  Result<Mapping> mapping(const toml::table& table) {
    know(table, {"device", "channel", "control", "target", "from", "to", "response", "soft"});
    const auto text = [&](std::string_view key) {
      return value<std::string>(table, key, "a text").value_or(std::string());
    };
    const auto number = [&](std::string_view key, double initial) {
      return value<double>(table, key, "a number from 0 to 1").value_or(initial);
    };
    const auto channel = value<std::int64_t>(table, "channel", "1 to 16").value_or(1);
    const auto control = parse_midi_control(
        text("control"), channel > 0 && channel < 17 ? static_cast<int>(channel) : 0);
    SUBMIX_TRY(control);
    auto target = parse_target(text("target"));
    SUBMIX_TRY(target);
    const auto response =
        table.contains("response") ? parse_response(text("response")) : Response::absolute;
    SUBMIX_TRY(response);
    Mapping mapping{text("device"), *control, *std::move(target), number("from", 0),
                    number("to", 1)};
    for (const double end : {mapping.from, mapping.to}) {
      if (!(end >= 0 && end <= 1)) return fail("from and to must be within 0 to 1, not {}", end);
    }
    if (mapping.device.empty()) return fail("a mapping needs its device");
    if (!is_possible(*response, mapping.control.kind))
      return fail("\"{}\" sends positions, so it cannot be relative; only \"cc\" can",
                  to_string(mapping.control));
    mapping.response = *response;
    mapping.is_soft = value<bool>(table, "soft", "true or false").value_or(true);
    return mapping;
  }

  void mappings(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) return complain(node, "write [[midi.mapping]]");
    for (const auto& item : *list) {
      const auto* table = item.as_table();
      auto read = table == nullptr ? fail("write [[midi.mapping]]") : mapping(*table);
      if (!read) {
        complain(item, read.error().message);
      } else if (read_.settings.mappings.size() < MidiCore::kMappingsMax) {
        read_.settings.mappings.push_back(*std::move(read));
      } else {
        return complain(item,
                        fmt::format("there are more than {} mappings", MidiCore::kMappingsMax));
      }
    }
  }

  void root(const toml::table& root) {
    know(root, {"osc", "midi", "link", "music"});
    if (const auto* part = table(root, "osc")) osc(*part);
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
      if (const auto* list = part->get("mapping")) mappings(*list);
    }
  }

 private:
  ReadSettings& read_;
};

toml::table to_table(const Mapping& mapping) {
  toml::table table{{"device", mapping.device},
                    {"channel", mapping.control.channel},
                    {"control", to_string(mapping.control)},
                    {"target", to_string(mapping.target)},
                    {"from", mapping.from},
                    {"to", mapping.to},
                    {"response", to_string(mapping.response)},
                    {"soft", mapping.is_soft}};
  return table;
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
  toml::array mappings;
  for (const auto& mapping : settings.mappings)
    mappings.push_back(to_table(mapping));
  const toml::table root{
      {"osc", toml::table{{"on", settings.osc.is_on},
                          {"listen", settings.osc.host},
                          {"port", settings.osc.port},
                          {"receivers", std::move(receivers)}}},
      {"link", toml::table{{"on", settings.is_link_on}}},
      {"music", toml::table{{"follow", settings.is_music_followed}}},
      {"midi", toml::table{{"on", settings.is_midi_on}, {"mapping", std::move(mappings)}}}};
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
