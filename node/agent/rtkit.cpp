// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/rtkit.hpp"

#include <dbus/dbus.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace submix::agent {
namespace {

constexpr const char* kName = "org.freedesktop.RealtimeKit1";
constexpr const char* kPath = "/org/freedesktop/RealtimeKit1";
constexpr const char* kDefaultAddress = "unix:path=/run/dbus/system_bus_socket";

/// The error text of libdbus.
class Trouble {
 public:
  Trouble() { ::dbus_error_init(&error_); }
  ~Trouble() { ::dbus_error_free(&error_); }
  Trouble(const Trouble&) = delete;
  Trouble& operator=(const Trouble&) = delete;

  [[nodiscard]] DBusError* out() { return &error_; }
  [[nodiscard]] std::string text() const {
    return ::dbus_error_is_set(&error_) != 0 ? error_.message : "no memory left";
  }

 private:
  DBusError error_{};
};

std::string bus_address() {
  const char* const told = std::getenv("DBUS_SYSTEM_BUS_ADDRESS");
  return told != nullptr && *told != '\0' ? told : kDefaultAddress;
}

}  // namespace

void Rtkit::Close::operator()(DBusConnection* connection) const {
  ::dbus_connection_close(connection);
  ::dbus_connection_unref(connection);
}
void Rtkit::Drop::operator()(DBusMessage* message) const {
  ::dbus_message_unref(message);
}

Result<Rtkit> Rtkit::connect() {
  ::dbus_connection_set_change_sigpipe(0);  // libdbus would ignore SIGPIPE for the whole process
  Rtkit rtkit;
  SUBMIX_TRY(rtkit.open());
  const auto run_max_us = rtkit.property("RTTimeUSecMax");
  SUBMIX_TRY(run_max_us);
  const auto priority_max = rtkit.property("MaxRealtimePriority");
  SUBMIX_TRY(priority_max);
  if (*run_max_us <= 0 || *priority_max <= 0)
    return fail("rtkit grants priority {} for {} us: nothing", *priority_max, *run_max_us);
  rtkit.terms_.run_max = std::chrono::microseconds(*run_max_us);
  rtkit.terms_.priority_max = static_cast<int>(*priority_max);
  return rtkit;
}

// A private connection: dbus_bus_get() waits for the bus without a limit, and exits the process
// when the bus ends.
Result<void> Rtkit::open() {
  Trouble trouble;
  const auto address = bus_address();
  connection_.reset(::dbus_connection_open_private(address.c_str(), trouble.out()));
  if (connection_ == nullptr) return fail("no system bus at {}: {}", address, trouble.text());
  return say_hello();
}

Result<void> Rtkit::say_hello() {
  const auto answer = call(Message(::dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS,
                                                                  DBUS_INTERFACE_DBUS, "Hello")));
  SUBMIX_TRY(answer);
  const char* own_name = nullptr;
  if (::dbus_message_get_args(answer->get(), nullptr, DBUS_TYPE_STRING, &own_name,
                              DBUS_TYPE_INVALID) == 0)
    return fail("the system bus answers a Hello with something else");
  ::dbus_bus_set_unique_name(connection_.get(), own_name);
  return {};
}

Result<long long> Rtkit::property(const char* name) {
  const Message question(
      ::dbus_message_new_method_call(kName, kPath, DBUS_INTERFACE_PROPERTIES, "Get"));
  if (question == nullptr ||
      ::dbus_message_append_args(question.get(), DBUS_TYPE_STRING, &kName, DBUS_TYPE_STRING, &name,
                                 DBUS_TYPE_INVALID) == 0)
    return fail("no memory left");
  const auto answer = call(question);
  SUBMIX_TRY(answer);
  DBusMessageIter items;
  DBusMessageIter value;
  const bool is_variant = ::dbus_message_iter_init(answer->get(), &items) != 0 &&
                          ::dbus_message_iter_get_arg_type(&items) == DBUS_TYPE_VARIANT;
  if (is_variant) ::dbus_message_iter_recurse(&items, &value);
  const int type = is_variant ? ::dbus_message_iter_get_arg_type(&value) : DBUS_TYPE_INVALID;
  if (type == DBUS_TYPE_INT64) {
    dbus_int64_t number = 0;
    ::dbus_message_iter_get_basic(&value, &number);
    return number;
  }
  if (type == DBUS_TYPE_INT32) {
    dbus_int32_t number = 0;
    ::dbus_message_iter_get_basic(&value, &number);
    return number;
  }
  return fail("rtkit: its {} is no number", name);
}

Result<void> Rtkit::raise(pid_t thread, int priority) {
  if (connection_ == nullptr || ::dbus_connection_get_is_connected(connection_.get()) == 0) {
    if (auto opened = open(); !opened) return opened;
  }
  const auto process = static_cast<dbus_uint64_t>(::getpid());
  const auto which = static_cast<dbus_uint64_t>(thread);
  const auto wanted = static_cast<dbus_uint32_t>(priority);
  const Message question(
      ::dbus_message_new_method_call(kName, kPath, kName, "MakeThreadRealtimeWithPID"));
  if (question == nullptr ||
      ::dbus_message_append_args(question.get(), DBUS_TYPE_UINT64, &process, DBUS_TYPE_UINT64,
                                 &which, DBUS_TYPE_UINT32, &wanted, DBUS_TYPE_INVALID) == 0)
    return fail("no memory left");
  SUBMIX_TRY(call(question));
  return {};
}

Result<Rtkit::Message> Rtkit::call(const Message& question) {
  if (question == nullptr) return fail("no memory left");
  Trouble trouble;
  Message answer(::dbus_connection_send_with_reply_and_block(
      connection_.get(), question.get(), static_cast<int>(kPatience.count()), trouble.out()));
  if (answer == nullptr) return fail("rtkit, over the system bus: {}", trouble.text());
  return answer;
}

}  // namespace submix::agent
