// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/input_service.hpp"

#include "common/base/plain_text.hpp"
#include "common/base/thread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace submix::input {
namespace {

constexpr std::size_t kMailboxLetters = 4096;  // one second of two fast faders and an OSC surface
constexpr std::size_t kToDevicesMax = 1024;
// Waiting bytes; a datagram may have 64 KiB, the mailbox thousands of them.
constexpr std::size_t kOscWaitingBytesMax = 4 << 20;
constexpr std::size_t kLineBytesMax = 400;  // of a line for people
constexpr std::size_t kHeardMax = 64;
// Longest delay of stopping the `osc` thread.
constexpr std::chrono::milliseconds kOscPatience{100};
constexpr std::chrono::milliseconds kOscRetry{5000};
constexpr std::chrono::milliseconds kFeedbackPeriod{33};
constexpr std::chrono::milliseconds kPublishPeriod{50};
// Period of reading the session's view, for feedback.
constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::milliseconds kSaveDelay{1000};

/// The source named in events.
constexpr const char* kMidi = "MIDI";
constexpr const char* kOsc = "OSC";
constexpr const char* kSettings = "control settings";
constexpr const char* kLearnt = "control";

std::string text_of(const OscArgument& argument) {
  struct Print {
    std::string operator()(bool on) const { return on ? "true" : "false"; }
    std::string operator()(std::int32_t number) const { return std::to_string(number); }
    std::string operator()(float number) const { return fmt::format("{:.4g}", number); }
    std::string operator()(const std::string& text) const {
      return '"' + plain_text(text, 80) + '"';
    }
  };
  return std::visit(Print{}, argument);
}

std::string text_of(const OscMessage& message, const OscPeer& from) {
  auto text = fmt::format("osc {}: {}", to_string(from), plain_text(message.address, 120));
  for (std::size_t i = 0; i < std::min<std::size_t>(message.arguments.size(), 8); ++i)
    text += ' ' + text_of(message.arguments[i]);
  return text;
}

std::string text_of(const std::string& device, const MidiBytes& bytes) {
  if (const auto event = decode(bytes))
    return fmt::format("midi {}: channel {} {} = {}", device, event->control.channel,
                       to_string(event->control), event->value);
  return fmt::format("midi {}: {} bytes that control nothing", device, bytes.size());
}

// The last mapping is new. A control that moves two things by mistake surprises in a show.
std::string words_of_learnt(const std::vector<Mapping>& mappings) {
  const auto& learnt = mappings.back();
  auto words = fmt::format("{} moves {} now", words_of(learnt.control, learnt.device),
                           words_of(learnt.target));
  std::vector<std::string> others;
  for (const auto& other : mappings) {
    const bool is_same = other.device == learnt.device && other.control == learnt.control;
    if (is_same && other.target != learnt.target) others.push_back(words_of(other.target));
  }
  if (others.empty()) return words;
  return words +
         fmt::format(", and {} as before; the page Control forgets it", fmt::join(others, " and "));
}

const MidiDevice* find_device(const MidiScan& scan, const std::string& name) {
  const auto found = std::ranges::find(scan.devices, name, &MidiDevice::name);
  return found == scan.devices.end() ? nullptr : &*found;
}

}  // namespace

InputService::InputService(session::Session& session, const Clock& clock, MakePorts make_ports,
                           InputOptions options)
    : session_(session),
      clock_(clock),
      make_ports_(std::move(make_ports)),
      options_(std::move(options)),
      mailbox_(kMailboxLetters),
      to_devices_(kToDevicesMax),
      to_save_(1),
      file_(options_.file),
      cluster_(session.view()) {
  load();
  publish(clock_.now());
  save_ = start_thread("save", [this](const std::stop_token&) { run_save(); });
  input_ = start_thread("input", [this](const std::stop_token&) { run_input(); });
}

// `input` ends first: the mailbox is closed to the threads that post to it.
InputService::~InputService() {
  mailbox_.close();
  input_.join();
  osc_ = {};
  midi_thread_ = {};
  to_save_.close();
  save_.join();
  if (save_at_) save(saved_);
}

void InputService::load() {
  if (!options_.file.empty()) {
    auto read = file_.load();
    saved_ = std::move(read.settings);
    for (auto& problem : read.problems)
      say(Severity::warning, kSettings, problem);
  }
  if (saved_.osc.is_on && !options_.is_osc_on) {
    say(Severity::warning, kOsc,
        fmt::format("on, because {} says so: OSC has no key, and every user of this machine can "
                    "change the show; turn it off with --osc off, or with on = false below [osc]",
                    options_.file.string()));
  }
  active_ = saved_;
  active_.osc.is_on = options_.is_osc_on.value_or(saved_.osc.is_on);
  active_.osc.port = options_.osc_port.value_or(saved_.osc.port);
  active_.osc.host = options_.osc_host.value_or(saved_.osc.host);
  auto& receivers = active_.osc.receivers;
  receivers.insert(receivers.end(), options_.osc_receivers.begin(), options_.osc_receivers.end());
  active_.is_midi_on = options_.is_midi_on.value_or(saved_.is_midi_on);
  active_.is_link_on = options_.is_link_on.value_or(saved_.is_link_on);
  active_.is_music_followed = options_.is_music_followed.value_or(saved_.is_music_followed);
  mapping_core_.set_mappings(saved_.mappings);
}

// Threads.

void InputService::run_input() {
  apply_osc();
  turn_midi(active_.is_midi_on);
  link_.turn(active_.is_link_on);
  while (!mailbox_.is_closed()) {
    auto letter = mailbox_.pop_for(patience(clock_.now()));
    const auto now = clock_.now();
    cluster_ = session_.view();
    if (letter) std::visit([&](auto& content) { handle(content, now); }, *letter);
    tick(now);
  }
  do_orders(clock_.now() + LatestPerTarget::kPeriod);  // the last position of each moved control
}

std::chrono::nanoseconds InputService::patience(LocalTime now) const {
  if (!orders_.is_empty()) return LatestPerTarget::kPeriod;
  if (has_news_)
    return std::max<std::chrono::nanoseconds>(next_publish_ - now, std::chrono::nanoseconds(0));
  return kLook;
}

void InputService::run_osc(const std::stop_token& stop, const UdpSocket& socket) {
  while (!stop.stop_requested()) {
    auto datagram = socket.receive_for(kOscPatience);
    if (!datagram) continue;
    const auto bytes = datagram->bytes.size();
    const bool has_room =
        osc_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kOscWaitingBytesMax;
    if (has_room && mailbox_.try_push(Letter(*std::move(datagram)))) continue;
    osc_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    dropped_.fetch_add(1, std::memory_order_relaxed);
  }
}

void InputService::run_midi(const std::stop_token& stop, std::uint64_t generation) {
  const auto ports = make_ports_();
  ports->start([this](const std::string& device, const MidiBytes& bytes) {
    if (!mailbox_.try_push(Letter(FromMidi{device, bytes})))
      dropped_.fetch_add(1, std::memory_order_relaxed);
  });
  std::optional<MidiScan> known;
  auto next_scan = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    if (std::chrono::steady_clock::now() >= next_scan) {
      next_scan = std::chrono::steady_clock::now() + options_.scan_period;
      auto scan = ports->scan();
      // If the mailbox is full, the scan stays unknown and the next scan is posted again.
      if (scan != known && mailbox_.try_push(Letter(Scanned{generation, scan})))
        known = std::move(scan);
    }
    if (const auto output = to_devices_.pop_for(std::min(options_.scan_period, kOscPatience)))
      ports->send(output->device, output->bytes);
  }
}

void InputService::run_save() {
  while (const auto settings = to_save_.pop())
    save(*settings);
}

void InputService::save(const InputSettings& settings) {
  const auto copy = file_.save(settings);
  if (!copy) return say(Severity::warning, kSettings, copy.error().message);
  if (!copy->empty())
    say(Severity::note, kSettings, "the broken file is kept as " + copy->string());
}

// Received messages.

void InputService::handle(FromMidi& message, LocalTime now) {
  hear(text_of(message.device, message.bytes), now);
  if (const auto event = event_of(message.device, message.bytes))
    put(mapping_core_.handle(*event, scene(), now), now);
}

void InputService::handle(UdpSocket::Datagram& datagram, LocalTime now) {
  osc_bytes_.fetch_sub(datagram.bytes.size(), std::memory_order_relaxed);
  osc_core_.begin_datagram();
  const auto messages = decode_osc(datagram.bytes);
  if (!messages)
    return hear(fmt::format("osc {}: {}", to_string(datagram.from), messages.error().message), now);
  for (const auto& message : *messages) {
    hear(text_of(message, datagram.from), now);
    if (handle_mapped(message, now)) continue;
    auto answer = osc_core_.handle(message, datagram.from, scene(), now);
    put(std::move(answer.orders), now);
    for (const auto& reply : answer.replies)
      send(reply);
    if (!answer.complaint.empty())
      say(Severity::warning, kOsc,
          fmt::format("{} (from {})", answer.complaint, to_string(datagram.from)));
  }
}

bool InputService::handle_mapped(const OscMessage& message, LocalTime now) {
  const auto event = event_of(message);
  if (!event || !mapping_core_.hears(*event)) return false;
  put(mapping_core_.handle(*event, scene(), now), now);
  return true;
}

void InputService::handle(Scanned& scanned, LocalTime) {
  if (scanned.generation != midi_generation_) return;
  auto& scan = scanned.scan;
  if (scan.system.empty() && !midi_.system.empty())
    say(Severity::warning, kMidi,
        "there is no MIDI any more: " + scan.reason + "; it is looked for");
  for (const auto& device : midi_.devices) {
    if (find_device(scan, device.name) == nullptr)
      say(Severity::warning, kMidi, device.name + " is gone; its mappings wait for it");
  }
  for (const auto& device : scan.devices) {
    const auto* known = find_device(midi_, device.name);
    if (known != nullptr && *known == device) continue;
    mapping_core_.device_came(device.name);
    if (device.trouble.empty()) {
      say(Severity::note, kMidi, device.name + " is here");
    } else {
      say(Severity::warning, kMidi, device.name + " cannot be opened: " + device.trouble);
    }
  }
  midi_ = std::move(scan);
  has_news_ = true;
}

void InputService::handle(InputAction& action, LocalTime) {
  has_news_ = true;
  std::visit([&](const auto& part) { on(part); }, action);
}

// Actions of people.

void InputService::on(const Learn& action) {
  mapping_core_.learn(action.target);
}

void InputService::on(const StopLearning&) {
  mapping_core_.stop_learning();
}

void InputService::on(const ChangeMapping& action) {
  auto mappings = mapping_core_.mappings();
  // Found by control and target: while a person drags a range, the window shows a slightly older
  // mapping.
  const auto found = std::ranges::find_if(mappings, [&](const Mapping& mapping) {
    return mapping.device == action.from.device && mapping.control == action.from.control &&
           mapping.target == action.from.target;
  });
  if (found == mappings.end()) return;  // removed in the meantime
  if (action.to && !is_possible(action.to->response, action.to->control))
    return say(Severity::warning, kLearnt,
               to_string(action.to->control) + " sends positions, so it cannot be relative");
  if (action.to) {
    *found = *action.to;
  } else {
    mappings.erase(found);
  }
  mapping_core_.set_mappings(std::move(mappings));
  save_soon();
}

void InputService::on(const SetOsc& action) {
  // Settings that come from the options and that nobody has changed are not written.
  const auto before = std::exchange(active_.osc, action.osc);
  if (action.osc.is_on != before.is_on) saved_.osc.is_on = action.osc.is_on;
  if (action.osc.host != before.host) saved_.osc.host = action.osc.host;
  if (action.osc.port != before.port) saved_.osc.port = action.osc.port;
  const auto is_from_options = [&](const OscPeer& peer) {
    return std::ranges::find(options_.osc_receivers, peer) != options_.osc_receivers.end() &&
           std::ranges::find(saved_.osc.receivers, peer) == saved_.osc.receivers.end();
  };
  auto receivers = action.osc.receivers;
  std::erase_if(receivers, is_from_options);
  saved_.osc.receivers = std::move(receivers);
  save_soon();
  apply_osc();
}

void InputService::on(const TurnMidi& action) {
  saved_.is_midi_on = active_.is_midi_on = action.on;
  save_soon();
  turn_midi(action.on);
}

void InputService::on(const TurnLink& action) {
  saved_.is_link_on = active_.is_link_on = action.on;
  save_soon();
  link_.turn(action.on);
}

void InputService::on(const FollowMusic& action) {
  saved_.is_music_followed = active_.is_music_followed = action.on;
  save_soon();
}

void InputService::on(const SetPace& action) {
  orders_.put(action);
}

void InputService::on(const PressKey& action) {
  const SurfaceEvent event{std::string(kKeyboard), action.key, action.is_down ? 1 : 0};
  if (!mapping_core_.hears(event)) return;
  const auto now = clock_.now();
  if (action.is_down) hear(to_string(event.control), now);
  put(mapping_core_.handle(event, scene(), now), now);
}

void InputService::apply_osc() {
  osc_ = {};
  socket_.reset();
  osc_trouble_.clear();
  osc_core_.set_receivers(active_.osc.receivers);
  next_osc_try_ = {};
}

void InputService::open_osc(LocalTime now) {
  if (!active_.osc.is_on || socket_ || now < next_osc_try_) return;
  next_osc_try_ = now + kOscRetry;
  has_news_ = true;
  auto socket = UdpSocket::bind({active_.osc.host, active_.osc.port});
  if (!socket) {
    const auto trouble =
        socket.error().message + "; everything else goes on, and it is tried again";
    if (osc_trouble_ != trouble) say(Severity::warning, kOsc, trouble);
    osc_trouble_ = trouble;
    return;
  }
  osc_trouble_.clear();
  socket_.emplace(*std::move(socket));
  osc_ = start_thread("osc", [this](const std::stop_token& stop) { run_osc(stop, *socket_); });
}

void InputService::turn_midi(bool on) {
  midi_thread_ = {};
  midi_ = {};
  const auto generation = ++midi_generation_;
  if (!on) return;
  midi_thread_ = start_thread(
      "midi", [this, generation](const std::stop_token& stop) { run_midi(stop, generation); });
}

// Periodic work.

void InputService::tick(LocalTime now) {
  open_osc(now);
  if (mapping_core_.finish_learning(scene(), now)) {
    has_news_ = true;
    save_soon();
    say(Severity::note, kLearnt, words_of_learnt(mapping_core_.mappings()));
  }
  put(mapping_core_.take_due(scene(), now), now);
  do_orders(now);
  send_feedback(now);
  if (save_at_ && now >= *save_at_) {
    // Full while the disk is slow. The next tick writes newer settings.
    if (auto settings = saved_; to_save_.try_push(std::move(settings))) save_at_.reset();
  }
  if (has_news_ && now >= next_publish_) publish(now);
}

struct InputService::CarryOut {
  InputService& input;

  template <typename Kind>
  bool operator()(Kind& order) const {
    if constexpr (std::is_constructible_v<session::Action, Kind>) {
      return input.session_.post(order);
    } else {
      return true;  // LatestPerTarget has turned it into actions
    }
  }
};

void InputService::put(std::vector<Order> orders, LocalTime now) {
  for (auto& order : orders) {
    if (!std::holds_alternative<Tap>(order)) {
      orders_.put(std::move(order));
    } else if (const auto tempo = taps_.tap(now)) {
      orders_.put(SetPace{tempo});
    }
  }
}

void InputService::do_orders(LocalTime now) {
  for (auto& order : orders_.take_due(scene(), now)) {
    if (!std::visit(CarryOut{*this}, order))
      orders_.put(std::move(order));  // the session is busy: try again
  }
}

void InputService::send_feedback(LocalTime now) {
  if (now < next_feedback_) return;
  next_feedback_ = now + kFeedbackPeriod;
  follow_link(now);
  const auto before = music_;
  follow_music(now);
  has_news_ |= music_ != before;
  for (const auto& output : osc_core_.feedback(scene(), now)) {
    if (!send(output)) osc_core_.not_told(output, now);
  }
  if (!midi_thread_.joinable()) return;
  for (const auto& output : mapping_core_.feedback(scene(), now)) {
    if (to_devices_.try_push(MidiOutput(output))) continue;
    dropped_.fetch_add(1, std::memory_order_relaxed);
    mapping_core_.not_told(output);
  }
}

bool InputService::send(const OscOutput& output) {
  return socket_ && socket_->send(output.to, encode_osc(output.message));
}

void InputService::publish(LocalTime now) {
  has_news_ = false;
  next_publish_ = now + kPublishPeriod;
  InputView view{.osc = active_.osc,
                 .osc_address = socket_ ? to_string(socket_->address()) : std::string(),
                 .osc_trouble = osc_trouble_,
                 .osc_subscribers = osc_core_.subscribers(),
                 .is_midi_on = active_.is_midi_on,
                 .midi = midi_,
                 .link = link_state_,
                 .music = music_,
                 .mappings = {},
                 .learning = {},
                 .heard = {heard_.begin(), heard_.end()},
                 .dropped = dropped_.load(std::memory_order_relaxed)};
  const auto mappings = mapping_core_.mappings();
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const auto control = find_control(scene(), mappings[i].target);
    view.mappings.push_back({mappings[i], is_here(mappings[i]),
                             control ? std::string() : control.error().message,
                             mapping_core_.distance(i, scene(), now)});
  }
  if (const auto* learning = mapping_core_.learning()) view.learning = *learning;
  view_.store(std::move(view));
  if (options_.on_change) options_.on_change();
}

bool InputService::is_here(const Mapping& mapping) const {
  if (std::holds_alternative<KeyControl>(mapping.control)) return true;
  if (std::holds_alternative<OscControl>(mapping.control)) return socket_.has_value();
  return find_device(midi_, mapping.device) != nullptr;
}

void InputService::save_soon() {
  saved_.mappings = mapping_core_.mappings();
  if (!options_.file.empty()) save_at_ = clock_.now() + kSaveDelay;
}

void InputService::hear(std::string_view text, LocalTime now) {
  heard_.push_back({++heard_count_, now, plain_text(text, kLineBytesMax)});
  if (heard_.size() > kHeardMax) heard_.pop_front();
  has_news_ = true;
}

void InputService::say(Severity severity, const char* about, std::string_view text) {
  static_cast<void>(session_.post(session::Say{severity, about, plain_text(text, kLineBytesMax)}));
}

}  // namespace submix::input
