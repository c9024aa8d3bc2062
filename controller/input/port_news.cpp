// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/port_news.hpp"

#include "common/base/mutex.hpp"

#include <alsa/asoundlib.h>
#include <fmt/format.h>
#include <jack/jack.h>

#include <utility>

namespace submix::input {
namespace {

constexpr const char* kLookingClient = "submix-look";
// Between two scans; a later port is still found by its name.
constexpr std::size_t kNewsMax = 1024;

class AlsaNews final : public PortNews {
 public:
  AlsaNews() {
    snd_seq_t* opened = nullptr;
    if (snd_seq_open(&opened, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK) < 0) return;
    sequencer_.reset(opened);
    snd_seq_set_client_name(opened, kLookingClient);
    const int port = snd_seq_create_simple_port(opened, "news",
                                                SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT,
                                                SND_SEQ_PORT_TYPE_APPLICATION);
    if (port >= 0)
      snd_seq_connect_from(opened, port, SND_SEQ_CLIENT_SYSTEM, SND_SEQ_PORT_SYSTEM_ANNOUNCE);
  }
  std::vector<std::string> take() override {
    std::vector<std::string> names;
    snd_seq_event_t* event = nullptr;
    while (sequencer_ != nullptr && names.size() < kNewsMax &&
           snd_seq_event_input(sequencer_.get(), &event) >= 0) {
      if (event == nullptr || event->type != SND_SEQ_EVENT_PORT_START) continue;
      const auto& address = event->data.addr;
      names.push_back(
          fmt::format("{}:{}", static_cast<int>(address.client), static_cast<int>(address.port)));
    }
    return names;
  }
  bool is_reached(const std::string&) override { return true; }

 private:
  struct Close {
    void operator()(snd_seq_t* sequencer) const { snd_seq_close(sequencer); }
  };
  std::unique_ptr<snd_seq_t, Close> sequencer_;
};

class JackNews final : public PortNews {
 public:
  JackNews() : client_(::jack_client_open(kLookingClient, JackNoStartServer, nullptr)) {
    if (client_ == nullptr) return;
    ::jack_set_port_registration_callback(client_.get(), &JackNews::on_port, this);
    ::jack_activate(client_.get());
  }
  std::vector<std::string> take() override {
    MutexLock lock(mutex_);
    return std::exchange(names_, {});
  }
  bool is_reached(const std::string& name) override {
    const auto* port =
        client_ == nullptr ? nullptr : ::jack_port_by_name(client_.get(), name.c_str());
    return port != nullptr && ::jack_port_connected(port) > 0;
  }

 private:
  struct Close {
    void operator()(jack_client_t* client) const { ::jack_client_close(client); }
  };
  static void on_port(jack_port_id_t id, int is_registered, void* news) {
    auto& self = *static_cast<JackNews*>(news);
    const auto* port = is_registered != 0 ? ::jack_port_by_id(self.client_.get(), id) : nullptr;
    const char* name = port == nullptr ? nullptr : ::jack_port_name(port);
    if (name == nullptr) return;
    MutexLock lock(self.mutex_);
    if (self.names_.size() < kNewsMax) self.names_.emplace_back(name);
  }

  Mutex mutex_;
  std::vector<std::string> names_ SUBMIX_GUARDED_BY(mutex_);
  // Declared last, so closed first: it calls on_port.
  std::unique_ptr<jack_client_t, Close> client_;
};

}  // namespace

std::unique_ptr<PortNews> PortNews::open(const std::string& system) {
  if (system == "ALSA") return std::make_unique<AlsaNews>();
  return std::make_unique<JackNews>();
}

bool is_news_of(std::string_view port, std::string_view news) {
  if (port == news) return true;
  const bool is_behind = port.size() > news.size() && port.ends_with(news);
  return is_behind && port[port.size() - news.size() - 1] == ' ';
}

}  // namespace submix::input
