// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/nearby_pcs.hpp"

#include "common/base/mutex.hpp"
#include "common/base/plain_text.hpp"
#include "controller/pairing/avahi.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace submix::pairing {
namespace {

constexpr auto kNoFlags = static_cast<AvahiLookupFlags>(0);
constexpr std::size_t kPcsMax = 64;        // a stranger can show any number
constexpr std::size_t kServicesMax = 256;  // of these PCs, one for each network
constexpr std::size_t kEntriesRead = 32;   // of a TXT record

using ServiceBrowser = std::unique_ptr<AvahiServiceBrowser, FreeBy<avahi_service_browser_free>>;
using Resolver = std::unique_ptr<AvahiServiceResolver, FreeBy<avahi_service_resolver_free>>;

std::vector<std::string> strings_of(AvahiStringList* list) {
  std::vector<std::string> entries;
  for (; list != nullptr && entries.size() < kEntriesRead;
       list = avahi_string_list_get_next(list)) {
    const auto* const bytes = avahi_string_list_get_text(list);
    entries.emplace_back(bytes, bytes + avahi_string_list_get_size(list));
  }
  return entries;
}

std::string text_of(const AvahiAddress& address) {
  std::array<char, AVAHI_ADDRESS_STR_MAX> text{};
  avahi_address_snprint(text.data(), text.size(), &address);
  return text.data();
}

}  // namespace

/// The callbacks run on libavahi's thread.
class NearbyWatch::Browser {
 public:
  Browser(NearbyKind kind, std::function<void()> on_news)
      : type_(service_of(kind)), on_news_(std::move(on_news)) {}
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser() { avahi_.stop(); }

  Result<void> start() {
    return avahi_.start(AVAHI_CLIENT_NO_FAIL, &Browser::on_state, this, "other PCs are not found");
  }

  Result<std::vector<NearbyPc>> pcs() const {
    MutexLock lock(mutex_);
    if (error_ != 0) return no_daemon(error_);
    std::map<std::string, NearbyPc> by_name;
    for (const auto& [id, service] : services_) {
      if (!service.end) continue;
      const auto name = plain_text(id.second, kServiceNameBytesMax);
      if (by_name.size() == kPcsMax && !by_name.contains(name)) continue;
      auto& pc = by_name[name];
      pc.name = name;
      pc.told = service.told;
      if (std::ranges::find(pc.ends, *service.end) == pc.ends.end())
        pc.ends.push_back(*service.end);
    }
    std::vector<NearbyPc> pcs;
    for (auto& [name, pc] : by_name)
      pcs.push_back(std::move(pc));
    return pcs;
  }

  bool has_ended() const {
    MutexLock lock(mutex_);
    return has_ended_;
  }

 private:
  using ServiceId = std::pair<AvahiIfIndex, std::string>;  // the card and the name
  struct Service {
    Resolver resolver;              ///< reports each change
    std::optional<HostPort> end{};  ///< empty: not known
    DeskDescription told{};
  };

  static void on_state(AvahiClient* client, AvahiClientState state, void* browser) {
    static_cast<Browser*>(browser)->follow(client, state);
  }

  void follow(AvahiClient* client, AvahiClientState state) {
    if (state == AVAHI_CLIENT_S_RUNNING && browser_ == nullptr)
      browser_.reset(avahi_service_browser_new(client, AVAHI_IF_UNSPEC, AVAHI_PROTO_INET, type_,
                                               nullptr, kNoFlags, &Browser::on_browsed, this));
    const bool has_failed = state == AVAHI_CLIENT_FAILURE;
    const bool is_away = has_failed || state == AVAHI_CLIENT_CONNECTING;
    {
      MutexLock lock(mutex_);
      error_ = is_away ? avahi_client_errno(client) : 0;
      if (is_away && error_ == 0) error_ = AVAHI_ERR_NO_DAEMON;
      has_ended_ = has_ended_ || has_failed;
    }
    on_news_();
  }

  // Avahi's parameters. NOLINTNEXTLINE(readability-function-size)
  static void on_browsed(AvahiServiceBrowser* browser, AvahiIfIndex card, AvahiProtocol protocol,
                         AvahiBrowserEvent event, const char* name, const char* type,
                         const char* domain, AvahiLookupResultFlags /*flags*/, void* self) {
    auto& here = *static_cast<Browser*>(self);
    if (event == AVAHI_BROWSER_REMOVE) here.remove({card, name});
    if (event != AVAHI_BROWSER_NEW || !here.has_room_for({card, name})) return;
    Resolver resolver(avahi_service_resolver_new(avahi_service_browser_get_client(browser), card,
                                                 protocol, name, type, domain, AVAHI_PROTO_INET,
                                                 kNoFlags, &Browser::on_resolved, self));
    MutexLock lock(here.mutex_);
    here.services_.insert_or_assign({card, name}, Service{std::move(resolver)});
  }

  // NOLINTNEXTLINE(readability-function-size)
  static void on_resolved(AvahiServiceResolver* /*resolver*/, AvahiIfIndex card,
                          AvahiProtocol /*protocol*/, AvahiResolverEvent event, const char* name,
                          const char* /*type*/, const char* /*domain*/, const char* /*host*/,
                          const AvahiAddress* address, std::uint16_t port, AvahiStringList* text,
                          AvahiLookupResultFlags flags, void* self) {
    auto& here = *static_cast<Browser*>(self);
    // A PC that lost its power says no goodbye; after two minutes nobody knows its address.
    if (event == AVAHI_RESOLVER_FAILURE) return here.set({card, name}, std::nullopt, {});
    if ((flags & AVAHI_LOOKUP_RESULT_LOCAL) != 0) return;
    here.set({card, name}, HostPort{text_of(*address), port}, description_of(strings_of(text)));
  }

  bool has_room_for(const ServiceId& id) const {
    MutexLock lock(mutex_);
    return services_.size() < kServicesMax || services_.contains(id);
  }

  void set(const ServiceId& id, std::optional<HostPort> end, DeskDescription told) {
    {
      MutexLock lock(mutex_);
      const auto service = services_.find(id);
      if (service == services_.end()) return;
      service->second.end = std::move(end);
      service->second.told = std::move(told);
    }
    on_news_();
  }

  void remove(const ServiceId& id) {
    {
      MutexLock lock(mutex_);
      services_.erase(id);
    }
    on_news_();
  }

  const char* const type_;
  const std::function<void()> on_news_;
  AvahiClientThread avahi_;
  ServiceBrowser browser_;
  mutable Mutex mutex_;
  std::map<ServiceId, Service> services_ SUBMIX_GUARDED_BY(mutex_);
  int error_ SUBMIX_GUARDED_BY(mutex_) = 0;  // of Avahi; 0: its daemon answers
  bool has_ended_ SUBMIX_GUARDED_BY(mutex_) = false;
};

Result<std::unique_ptr<NearbyWatch>> NearbyWatch::open(NearbyKind kind,
                                                       std::function<void()> on_news) {
  auto browser = std::make_unique<Browser>(kind, std::move(on_news));
  SUBMIX_TRY(browser->start());
  return std::unique_ptr<NearbyWatch>(new NearbyWatch(std::move(browser)));
}

NearbyWatch::NearbyWatch(std::unique_ptr<Browser> browser) : browser_(std::move(browser)) {}
NearbyWatch::~NearbyWatch() = default;

Result<std::vector<NearbyPc>> NearbyWatch::pcs() const {
  return browser_->pcs();
}

bool NearbyWatch::has_ended() const {
  return browser_->has_ended();
}

Result<std::vector<NearbyPc>> find_nearby(NearbyKind kind, std::chrono::milliseconds patience) {
  const auto watch = NearbyWatch::open(kind, [] {});
  SUBMIX_TRY(watch);
  SUBMIX_TRY((*watch)->pcs());
  std::this_thread::sleep_for(patience);
  return (*watch)->pcs();
}

}  // namespace submix::pairing
