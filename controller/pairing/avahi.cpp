// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/pairing/avahi.hpp"

#include <utility>

namespace submix::pairing {

Result<void> AvahiClientThread::start(AvahiClientFlags flags, AvahiClientCallback on_state,
                                      void* owner, std::string_view without_thread) {
  int error = 0;
  poll_.reset(avahi_threaded_poll_new());
  client_.reset(
      avahi_client_new(avahi_threaded_poll_get(poll_.get()), flags, on_state, owner, &error));
  if (client_ == nullptr) return no_daemon(error);
  if (avahi_threaded_poll_start(poll_.get()) != 0) return fail("{}: no thread", without_thread);
  is_running_ = true;
  return {};
}

void AvahiClientThread::stop() {
  if (std::exchange(is_running_, false)) avahi_threaded_poll_stop(poll_.get());
}

}  // namespace submix::pairing
