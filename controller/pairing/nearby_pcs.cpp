// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/nearby_pcs.hpp"

#include "common/base/handle.hpp"
#include "common/base/log.hpp"
#include "common/base/plain_text.hpp"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace submix::pairing {
namespace {

constexpr std::size_t kServiceNameBytesMax = 63;  // of a service's name, by RFC 6763
constexpr auto kNoFlags = static_cast<AvahiLookupFlags>(0);
constexpr std::size_t kPcsMax = 64;       // a stranger can show any number
constexpr std::size_t kEntriesRead = 32;  // of a TXT record

using SimplePoll = std::unique_ptr<AvahiSimplePoll, FreeBy<avahi_simple_poll_free>>;
using ThreadedPoll = std::unique_ptr<AvahiThreadedPoll, FreeBy<avahi_threaded_poll_free>>;
using Client = std::unique_ptr<AvahiClient, FreeBy<avahi_client_free>>;
using StringList = std::unique_ptr<AvahiStringList, FreeBy<avahi_string_list_free>>;
using Browser = std::unique_ptr<AvahiServiceBrowser, FreeBy<avahi_service_browser_free>>;

const char* service_of(NearbyKind kind) {
  return kind == NearbyKind::desk ? "_submix-desk._tcp" : "_submix-pc._tcp";
}

tl::unexpected<Error> no_daemon(int error) {
  return fail("the Avahi daemon, which finds other PCs, does not answer: {}",
              avahi_strerror(error));
}

/// Null: nothing is told.
StringList string_list(const DeskDescription& told) {
  AvahiStringList* list = nullptr;
  for (const auto& entry : to_entries(told))
    list = avahi_string_list_add(list, entry.c_str());
  return StringList(list);
}

std::vector<std::string> strings_of(AvahiStringList* list) {
  std::vector<std::string> entries;
  for (; list != nullptr && entries.size() < kEntriesRead;
       list = avahi_string_list_get_next(list)) {
    const auto* const bytes = avahi_string_list_get_text(list);
    entries.emplace_back(bytes, bytes + avahi_string_list_get_size(list));
  }
  return entries;
}

/// Collects PCs as they are found and resolved.
class Search {
 public:
  explicit Search(NearbyKind kind) : service_(service_of(kind)) {}

  Result<std::vector<NearbyPc>> run(std::chrono::milliseconds patience,
                                    const std::stop_token& stop) {
    int error = 0;
    poll_.reset(avahi_simple_poll_new());
    client_.reset(avahi_client_new(
        avahi_simple_poll_get(poll_.get()), AvahiClientFlags{},
        [](AvahiClient*, AvahiClientState, void*) {}, nullptr, &error));
    if (client_ == nullptr) return no_daemon(error);
    const Browser browser(avahi_service_browser_new(client_.get(), AVAHI_IF_UNSPEC,
                                                    AVAHI_PROTO_INET, service_, nullptr, kNoFlags,
                                                    &Search::on_browsed, this));
    if (browser == nullptr) return no_daemon(avahi_client_errno(client_.get()));
    iterate_for(patience, stop);
    std::vector<NearbyPc> pcs;
    for (auto& [name, pc] : found_)
      pcs.push_back(std::move(pc));
    return pcs;
  }

 private:
  void iterate_for(std::chrono::milliseconds patience, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kStopLook{100};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!stop.stop_requested()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) return;
      const auto wait = static_cast<int>(std::min(left, kStopLook).count());
      if (avahi_simple_poll_iterate(poll_.get(), wait) != 0) return;
    }
  }

  // Avahi's parameters. NOLINTNEXTLINE(readability-function-size)
  static void on_browsed(AvahiServiceBrowser* browser, AvahiIfIndex card, AvahiProtocol protocol,
                         AvahiBrowserEvent event, const char* name, const char* type,
                         const char* domain, AvahiLookupResultFlags /*flags*/, void* search) {
    if (event != AVAHI_BROWSER_NEW) return;
    // The resolver frees itself in its callback, or with the client.
    avahi_service_resolver_new(avahi_service_browser_get_client(browser), card, protocol, name,
                               type, domain, AVAHI_PROTO_INET, kNoFlags, &Search::on_resolved,
                               search);
  }

  // NOLINTNEXTLINE(readability-function-size)
  static void on_resolved(AvahiServiceResolver* resolver, AvahiIfIndex /*card*/,
                          AvahiProtocol /*protocol*/, AvahiResolverEvent event, const char* name,
                          const char* /*type*/, const char* /*domain*/, const char* /*host*/,
                          const AvahiAddress* address, std::uint16_t port, AvahiStringList* text,
                          AvahiLookupResultFlags flags, void* search) {
    if (event == AVAHI_RESOLVER_FOUND && (flags & AVAHI_LOOKUP_RESULT_LOCAL) == 0)
      static_cast<Search*>(search)->add(name, {text_of(*address), port}, strings_of(text));
    avahi_service_resolver_free(resolver);
  }

  static std::string text_of(const AvahiAddress& address) {
    std::array<char, AVAHI_ADDRESS_STR_MAX> text{};
    avahi_address_snprint(text.data(), text.size(), &address);
    return text.data();
  }

  void add(const char* name, const HostPort& end, const std::vector<std::string>& entries) {
    const auto plain = plain_text(name, kServiceNameBytesMax);
    if (found_.size() == kPcsMax && !found_.contains(plain)) return;
    auto& pc = found_[plain];
    pc.name = plain;
    pc.told = description_of(entries);
    if (std::ranges::find(pc.ends, end) == pc.ends.end()) pc.ends.push_back(end);
  }

  const char* const service_;
  SimplePoll poll_;
  Client client_;
  std::map<std::string, NearbyPc> found_;
};

}  // namespace

Result<std::vector<NearbyPc>> find_nearby(NearbyKind kind, std::chrono::milliseconds patience,
                                          const std::stop_token& stop) {
  return Search(kind).run(patience, stop);
}

/// After start() all but the destructor and tell() runs on libavahi's thread.
class NearbyNotice::Publisher {
 public:
  Publisher(NearbyKind kind, std::string name, std::uint16_t port, const DeskDescription& told)
      : service_(service_of(kind)), name_(std::move(name)), port_(port), told_(string_list(told)) {}
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher() {
    if (is_running_) avahi_threaded_poll_stop(poll_.get());
  }

  Result<void> start() {
    int error = 0;
    poll_.reset(avahi_threaded_poll_new());
    client_.reset(avahi_client_new(avahi_threaded_poll_get(poll_.get()), AvahiClientFlags{},
                                   &Publisher::on_state, this, &error));
    if (client_ == nullptr) return no_daemon(error);
    if (avahi_threaded_poll_start(poll_.get()) != 0)
      return fail("this PC is not shown nearby: no thread");
    is_running_ = true;
    return {};
  }

  void tell(const DeskDescription& told) {
    avahi_threaded_poll_lock(poll_.get());
    told_ = string_list(told);
    // An empty group is filled by the daemon's next news.
    if (group_ != nullptr && avahi_entry_group_is_empty(group_) == 0) {
      avahi_entry_group_update_service_txt_strlst(group_, AVAHI_IF_UNSPEC, AVAHI_PROTO_INET,
                                                  AvahiPublishFlags{}, name_.c_str(), service_,
                                                  nullptr, told_.get());
    }
    avahi_threaded_poll_unlock(poll_.get());
  }

 private:
  static void on_state(AvahiClient* client, AvahiClientState state, void* publisher) {
    auto& self = *static_cast<Publisher*>(publisher);
    if (state == AVAHI_CLIENT_S_RUNNING) self.publish(client);
    // The daemon gives its host another name, and runs again afterwards.
    if (state == AVAHI_CLIENT_S_COLLISION || state == AVAHI_CLIENT_S_REGISTERING) self.withdraw();
    if (state == AVAHI_CLIENT_FAILURE) {
      log::warning("this PC is not shown nearby any more: {}",
                   avahi_strerror(avahi_client_errno(client)));
    }
  }

  static void on_group(AvahiEntryGroup* group, AvahiEntryGroupState state, void* publisher) {
    if (state == AVAHI_ENTRY_GROUP_FAILURE)
      log::warning("this PC is not shown nearby: the Avahi daemon refused it");
    if (state != AVAHI_ENTRY_GROUP_COLLISION) return;
    auto& self = *static_cast<Publisher*>(publisher);
    self.take_another_name();
    avahi_entry_group_reset(group);
    self.fill(group);
  }

  void publish(AvahiClient* client) {
    if (group_ == nullptr) group_ = avahi_entry_group_new(client, &Publisher::on_group, this);
    if (group_ != nullptr && avahi_entry_group_is_empty(group_) != 0) fill(group_);
  }

  void withdraw() {
    if (group_ != nullptr) avahi_entry_group_reset(group_);
  }

  void fill(AvahiEntryGroup* group) {
    int error = AVAHI_ERR_COLLISION;
    while (error == AVAHI_ERR_COLLISION) {
      error = avahi_entry_group_add_service_strlst(group, AVAHI_IF_UNSPEC, AVAHI_PROTO_INET,
                                                   AvahiPublishFlags{}, name_.c_str(), service_,
                                                   nullptr, nullptr, port_, told_.get());
      if (error == AVAHI_ERR_COLLISION) take_another_name();
    }
    if (error == 0) error = avahi_entry_group_commit(group);
    if (error != 0) log::warning("this PC is not shown nearby: {}", avahi_strerror(error));
  }

  void take_another_name() {
    char* const other = avahi_alternative_service_name(name_.c_str());
    name_ = other;
    avahi_free(other);
  }

  const char* const service_;
  std::string name_;
  const std::uint16_t port_;
  StringList told_;
  ThreadedPoll poll_;
  Client client_;                     // destroyed before its poll
  AvahiEntryGroup* group_ = nullptr;  // the client's
  bool is_running_ = false;
};

Result<std::unique_ptr<NearbyNotice>> NearbyNotice::show(NearbyKind kind, const std::string& name,
                                                         std::uint16_t port, DeskDescription told) {
  auto publisher =
      std::make_unique<Publisher>(kind, plain_text(name, kServiceNameBytesMax - 3), port, told);
  SUBMIX_TRY(publisher->start());
  return std::unique_ptr<NearbyNotice>(new NearbyNotice(std::move(publisher), std::move(told)));
}

NearbyNotice::NearbyNotice(std::unique_ptr<Publisher> publisher, DeskDescription told)
    : publisher_(std::move(publisher)), told_(std::move(told)) {}
NearbyNotice::~NearbyNotice() = default;

void NearbyNotice::tell(const DeskDescription& told) {
  if (told == told_) return;
  told_ = told;
  publisher_->tell(told);
}

}  // namespace submix::pairing
