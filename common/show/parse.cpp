// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/parse.hpp"

#include "common/show/cut.hpp"
#include "common/show/frei0r_renames.hpp"
#include "common/show/parse_parts.hpp"
#include "common/show/table_reader.hpp"
#include "common/show/text.hpp"
#include "common/show/text_limits.hpp"
#include "common/show/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace submix::show {
namespace {

constexpr std::size_t kTitleBytesMax = 80;  // more than any name may have

// `submix "left"`, or `submix 2` if the table has no name.
std::string title_of(std::string_view kind, const toml::table& table, std::size_t index) {
  const auto* name = table.get("name");
  if (name != nullptr && name->is_string())
    return fmt::format("{} \"{}\"", kind, cut(name->as_string()->get(), kTitleBytesMax));
  return fmt::format("{} {}", kind, index + 1);
}

int to_int(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max()));
}

Size read_size(TableReader& reader, Size initial) {
  const auto* node = reader.any("size");
  if (node == nullptr) return initial;
  const auto* array = node->as_array();
  if (array == nullptr || array->size() != 2 || !array->get(0)->is_integer() ||
      !array->get(1)->is_integer()) {
    reader.complain_of_type("size", *node,
                            "two whole numbers, [width, height]; write size = [1280, 720]");
    return initial;
  }
  return {to_int(array->get(0)->as_integer()->get()), to_int(array->get(1)->as_integer()->get())};
}

FrameRate read_rate(TableReader& reader, FrameRate initial) {
  const auto* node = reader.any("rate");
  if (node == nullptr) return initial;
  auto text = node->is_integer() ? fmt::format("{}", node->as_integer()->get()) : std::string();
  if (const auto* value = node->as_string()) text = value->get();
  if (const auto* value = node->as_floating_point()) text = fmt::format("{}", value->get());
  if (text.empty()) {
    reader.complain_of_type("rate", *node,
                            "a whole number or a fraction in quotes; write 30 or \"30000/1001\"");
    return initial;
  }
  const auto rate = parse_frame_rate(text);
  if (!rate) reader.complain("rate", rate.error().message);
  return rate.value_or(initial);
}

int read_delay(TableReader& reader) {
  const auto* node = reader.any("delay");
  if (node == nullptr) return 0;
  if (node->is_integer()) return to_int(node->as_integer()->get());
  if (!node->is_string()) {
    reader.complain_of_type("delay", *node,
                            "\"least\" or a whole number of frames; write delay = 4");
    return 0;
  }
  const auto frames = parse_delay(node->as_string()->get());
  if (!frames) reader.complain("delay", frames.error().message);
  return frames.value_or(0);
}

SoundInput read_sound(TableReader& show, ParseContext& context) {
  SoundInput sound;
  const auto* table = show.table("sound");
  if (table == nullptr) return sound;
  TableReader reader(*table, show.path_of("sound"), "show, sound", context);
  sound.node = reader.required_text("node");
  sound.device = reader.text("device");
  reader.finish();
  return sound;
}

Node read_node(TableReader reader) {
  Node node;
  node.name = reader.required_text("name");
  node.description = reader.text("description");
  reader.finish();
  return node;
}

// The prefixes of all plugin families: "frei0r/".
std::string prefixes() {
  std::vector<std::string_view> prefixes;
  for (const auto& family : kPluginFamilies)
    prefixes.push_back(family.prefix);
  return fmt::format("{}", fmt::join(prefixes, ", "));
}

Slot read_slot(TableReader reader, ParseContext& context) {
  Slot slot;
  slot.name = reader.required_text("name");
  slot.plugin = common_plugin_id(reader.required_text("plugin"));
  slot.inputs = reader.texts("inputs", kInputsMax);
  slot.is_bypassed = reader.boolean("bypass");
  if (const auto host = reader.text("host"); !host.empty()) {
    const auto parsed = parse_hosting(host);
    if (!parsed) reader.complain("host", parsed.error().message);
    slot.hosting = parsed.value_or(slot.hosting);
    if (family_of(slot.plugin) == nullptr) {
      reader.complain("host",
                      fmt::format("host = \"{}\", but only third-party plugins ({}…) are hosted; "
                                  "leave it out",
                                  host.substr(0, 40), prefixes()));
    }
  }
  slot.helpers = to_int(reader.integer("helpers", slot.helpers));
  slot.is_stateless = reader.boolean("stateless");
  slot.parameters = read_parameters(reader, context);
  slot.oscillators = read_oscillators(reader, context);
  slot.fades = read_fades(reader, context);
  reader.finish();
  return slot;
}

Submix read_submix(TableReader reader, ParseContext& context) {
  Submix submix;
  submix.name = reader.required_text("name");
  submix.node = reader.text("node");
  submix.frames_in_flight = to_int(reader.integer("frames_in_flight", submix.frames_in_flight));
  const auto slots = reader.tables("slot", kSlotsMax);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto title = fmt::format("{}, {}", reader.title(), title_of("slot", *slots[i], i));
    submix.slots.push_back(read_slot(
        {*slots[i], fmt::format("{}[{}]", reader.path_of("slot"), i), title, context}, context));
  }
  reader.finish();
  return submix;
}

Port read_port(TableReader& reader, std::string_view key) {
  const auto text = reader.required_text(key);
  if (text.empty()) return {};
  const auto port = parse_port(text);
  if (!port) reader.complain(key, fmt::format("{}: {}", key, port.error().message));
  return port.value_or(Port());
}

void read_links(TableReader& reader, Stream& stream, ParseContext& context) {
  const auto* node = reader.any("links");
  if (node == nullptr || node->is_integer()) {
    stream.link_count = to_int(reader.integer("links", stream.link_count));
    return;
  }
  if (!node->is_array()) {
    return reader.complain_of_type("links", *node,
                                   "a number or addresses; write links = 2 or links = [{ from = "
                                   "\"10.0.0.1\", to = \"10.0.0.2\" }]");
  }
  const auto links = reader.tables("links", kLinksMax);
  for (std::size_t i = 0; i < links.size(); ++i) {
    TableReader link(*links[i], fmt::format("{}[{}]", reader.path_of("links"), i),
                     fmt::format("{}, link {}", reader.title(), i + 1), context);
    stream.routes.push_back({link.required_text("from"), link.required_text("to")});
    link.finish();
  }
  stream.link_count = static_cast<int>(links.size());
}

Stream read_stream(TableReader reader, ParseContext& context) {
  Stream stream;
  stream.name = reader.required_text("name");
  stream.from = read_port(reader, "from");
  stream.to = read_port(reader, "to");
  const auto* stated = reader.any("policy");
  const auto policy = reader.text("policy");
  if (stated != nullptr && stated->is_string()) {
    const auto parsed = parse_policy(policy);
    if (!parsed) reader.complain("policy", parsed.error().message);
    stream.policy = parsed.value_or(stream.policy);
  }
  stream.pause_budget =
      std::chrono::milliseconds(reader.integer("pause_budget_ms", stream.pause_budget.count()));
  stream.standby = reader.text("standby");
  read_links(reader, stream, context);
  if (auto name = reader.text("congestion"); !name.empty()) stream.congestion = std::move(name);
  if (const auto pixels = reader.text("pixels"); !pixels.empty()) {
    const auto parsed = parse_pixels(pixels);
    if (!parsed) reader.complain("pixels", parsed.error().message);
    stream.pixels = parsed.value_or(stream.pixels);
  }
  if (const auto checksum = reader.text("checksum"); !checksum.empty()) {
    const auto parsed = parse_checksum(checksum);
    if (!parsed) reader.complain("checksum", parsed.error().message);
    stream.checksum = parsed.value_or(stream.checksum);
  }
  stream.is_encrypted = reader.boolean("encrypt", stream.is_encrypted);
  if (const auto local = reader.text("local"); !local.empty()) {
    const auto parsed = parse_local(local);
    if (!parsed) reader.complain("local", parsed.error().message);
    stream.is_local_allowed = parsed.value_or(stream.is_local_allowed);
  }
  reader.finish();
  return stream;
}

Show read_show(const toml::table& root, ParseContext& context) {
  Show show;
  TableReader document(root, "", "file", context);
  if (const auto* table = document.table("show")) {
    TableReader reader(*table, "show", "show", context);
    show.name = reader.required_text("name");
    show.size = read_size(reader, show.size);
    show.rate = read_rate(reader, show.rate);
    show.delay_frames = read_delay(reader);
    show.tempo = read_tempo(reader, context);
    show.sound = read_sound(reader, context);
    show.output_chain = reader.text("output_chain");
    show.next_cue = reader.text("next_cue");
    if (reader.any("following") != nullptr)
      show.following = std::chrono::milliseconds(reader.integer("following", 0));
    reader.finish();
  } else if (!root.contains("show")) {
    context.complain("show", 1, "file: the table [show] is missing; write [show] name = \"…\"");
  }
  const auto each = [&](const char* kind, std::size_t limit, auto&& read) {
    const auto tables = document.tables(kind, limit);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      read(TableReader(*tables[i], fmt::format("{}[{}]", kind, i), title_of(kind, *tables[i], i),
                       context));
    }
  };
  each("node", kNodesMax,
       [&](TableReader reader) { show.nodes.push_back(read_node(std::move(reader))); });
  each("submix", kSubmixesMax, [&](TableReader reader) {
    show.submixes.push_back(read_submix(std::move(reader), context));
  });
  each("stream", kStreamsMax, [&](TableReader reader) {
    show.streams.push_back(read_stream(std::move(reader), context));
  });
  each("knob", kKnobsMax,
       [&](TableReader reader) { show.knobs.push_back(read_knob(std::move(reader), context)); });
  each("preset", kPresetsMax, [&](TableReader reader) {
    show.presets.push_back(read_preset(std::move(reader), context));
  });
  each("cue", kCuesMax,
       [&](TableReader reader) { show.cues.push_back(read_cue(std::move(reader), context)); });
  document.finish();
  return show;
}

// Whether a problem with this place was reported while reading; validation does not report it
// again.
bool is_told(const Problems& problems, const std::string& path) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.path == path || (problem.path == "show" && path.starts_with("show."));
  });
}

// Adds the problems that validation finds. Skipped after a list was cut: other parts of the show
// may refer to the missing items.
void add_validation(const Show& show, ParseContext& context) {
  if (context.is_cut || is_full(context.problems)) return;
  const auto read = context.problems;
  for (auto& problem : validate(show)) {
    if (is_told(read, problem.path)) continue;
    context.complain(problem.path, context.line_of(problem.path), problem.text);
  }
}

// Sorted by line. A multimap keeps the order of problems within a line.
Problems in_order(const Problems& problems) {
  std::multimap<int, const Problem*> by_line;
  for (const auto& problem : problems)
    by_line.emplace(problem.line, &problem);
  Problems sorted;
  for (const auto& [line, problem] : by_line)
    sorted.push_back(*problem);
  return sorted;
}

}  // namespace

ParsedShow parse(std::string_view text, std::string_view file_name) {
  ParseContext context{.file = std::string(file_name)};
  if (const auto fault = limit_fault(text)) {
    context.complain("", fault->line, fault->text);
    return tl::unexpected(std::move(context.problems));
  }
  toml::table root;
  try {
    root = toml::parse(text, file_name);
  } catch (const toml::parse_error& error) {
    context.complain("", static_cast<int>(error.source().begin.line),
                     fmt::format("not TOML: {}", error.description()));
    return tl::unexpected(std::move(context.problems));
  }
  auto show = read_show(root, context);
  add_validation(show, context);
  if (context.problems.empty()) return show;
  auto problems = in_order(context.problems);
  shorten(problems, context.left_out);
  return tl::unexpected(std::move(problems));
}

void locate(Problems& problems, std::string_view text, std::string_view file_name) {
  if (limit_fault(text)) return;
  ParseContext context{.file = std::string(file_name)};
  try {
    read_show(toml::parse(text, file_name), context);
  } catch (const toml::parse_error&) {
    return;  // the problems belong to another text
  }
  for (auto& problem : problems) {
    problem.file = file_name;
    problem.line = context.line_of(problem.path);
  }
}

}  // namespace submix::show
