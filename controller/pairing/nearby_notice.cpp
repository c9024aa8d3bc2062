// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/nearby_notice.hpp"

#include "common/base/log.hpp"
#include "common/base/plain_text.hpp"
#include "controller/pairing/avahi.hpp"

#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/malloc.h>

#include <utility>

namespace submix::pairing {
namespace {

using StringList = std::unique_ptr<AvahiStringList, FreeBy<avahi_string_list_free>>;

/// Null: nothing is told.
StringList string_list(const DeskDescription& told) {
  AvahiStringList* list = nullptr;
  for (const auto& entry : to_entries(told))
    list = avahi_string_list_add(list, entry.c_str());
  return StringList(list);
}

}  // namespace

/// After start() all but the destructor and tell() runs on libavahi's thread.
class NearbyNotice::Publisher {
 public:
  Publisher(NearbyKind kind, std::string name, std::uint16_t port, const DeskDescription& told)
      : service_(service_of(kind)), name_(std::move(name)), port_(port), told_(string_list(told)) {}
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher() { avahi_.stop(); }

  Result<void> start() {
    return avahi_.start(AvahiClientFlags{}, &Publisher::on_state, this,
                        "this PC is not shown nearby");
  }

  void tell(const DeskDescription& told) {
    avahi_threaded_poll_lock(avahi_.poll());
    told_ = string_list(told);
    // An empty group is filled by the daemon's next news.
    if (group_ != nullptr && avahi_entry_group_is_empty(group_) == 0) {
      avahi_entry_group_update_service_txt_strlst(group_, AVAHI_IF_UNSPEC, AVAHI_PROTO_INET,
                                                  AvahiPublishFlags{}, name_.c_str(), service_,
                                                  nullptr, told_.get());
    }
    avahi_threaded_poll_unlock(avahi_.poll());
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
  AvahiClientThread avahi_;
  AvahiEntryGroup* group_ = nullptr;  // the client's
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
