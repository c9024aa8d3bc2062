// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/message_bus.hpp"

#include "common/base/files.hpp"

#include <dbus/dbus.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace submix::testing {
namespace {

constexpr const char* kName = "org.freedesktop.RealtimeKit1";
constexpr const char* kVariable = "DBUS_SYSTEM_BUS_ADDRESS";

std::string configuration(const std::string& address) {
  return "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n"
         " \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
         "<busconfig><type>system</type><listen>" +
         address +
         "</listen><auth>EXTERNAL</auth><policy context=\"default\"><allow user=\"*\"/><allow "
         "own=\"*\"/>"
         "<allow send_destination=\"*\"/><allow receive_sender=\"*\"/></policy></busconfig>\n";
}

/// The kernel's line for a process: "Max realtime timeout     100000     200000     us".
std::int64_t realtime_limit_us(std::uint64_t process) {
  std::ifstream limits("/proc/" + std::to_string(process) + "/limits");
  const std::string wanted = "Max realtime timeout";
  for (std::string line; std::getline(limits, line);) {
    if (!line.starts_with(wanted)) continue;
    const auto hard = line.find_first_of(' ', line.find_first_not_of(' ', wanted.size()));
    const auto* const text = line.c_str() + hard;
    return std::string(text).find("unlimited") != std::string::npos ? INT64_MAX : std::atoll(text);
  }
  return INT64_MAX;
}

bool is_there(const std::string& address) {
  auto* const connection = ::dbus_connection_open_private(address.c_str(), nullptr);
  if (connection == nullptr) return false;
  ::dbus_connection_close(connection);
  ::dbus_connection_unref(connection);
  return true;
}

DBusConnection* connect(const std::string& address) {
  DBusError error;
  ::dbus_error_init(&error);
  auto* const connection = ::dbus_connection_open_private(address.c_str(), &error);
  if (connection == nullptr) throw std::runtime_error(error.message);
  ::dbus_connection_set_exit_on_disconnect(connection, 0);
  if (::dbus_bus_register(connection, &error) == 0 ||
      ::dbus_bus_request_name(connection, kName, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
          DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
    throw std::runtime_error("no name on the bus");
  return connection;
}

void append_number(DBusMessage* answer, const std::string& property) {
  DBusMessageIter items;
  DBusMessageIter value;
  ::dbus_message_iter_init_append(answer, &items);
  if (property == "RTTimeUSecMax") {
    const dbus_int64_t number = RealtimeService::kRunMaxUs;
    ::dbus_message_iter_open_container(&items, DBUS_TYPE_VARIANT, "x", &value);
    ::dbus_message_iter_append_basic(&value, DBUS_TYPE_INT64, &number);
  } else {
    const dbus_int32_t number = RealtimeService::kPriorityMax;
    ::dbus_message_iter_open_container(&items, DBUS_TYPE_VARIANT, "i", &value);
    ::dbus_message_iter_append_basic(&value, DBUS_TYPE_INT32, &number);
  }
  ::dbus_message_iter_close_container(&items, &value);
}

}  // namespace

MessageBus::MessageBus() : address_("unix:path=" + (folder_ / "bus").string()) {
  ::setenv(kVariable, address_.c_str(), 1);
  start();
}

MessageBus::~MessageBus() {
  ::unsetenv(kVariable);
}

void MessageBus::restart() {
  daemon_.reset();
  std::filesystem::remove(folder_ / "bus");
  start();
}

void MessageBus::start() {
  const auto file = folder_ / "bus.conf";
  if (!write_file_atomically(file, configuration(address_)))
    throw std::runtime_error("no bus.conf");
  auto started = ChildProcess::start({"dbus-daemon", "--nofork", "--config-file", file.string()},
                                     folder_ / "bus.log");
  if (!started) throw std::runtime_error(started.error().message);
  daemon_ = std::move(*started);
  while (!is_there(address_)) {  // bounded by ctest
    if (daemon_->exit_status())
      throw std::runtime_error(read_text_file(folder_ / "bus.log").value_or("no bus"));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

RealtimeService::RealtimeService(const MessageBus& bus, Manner manner)
    : manner_(std::move(manner)),
      connection_(connect(bus.address())),
      thread_([this](const std::stop_token& stop) {
        constexpr int kLookMs = 5;
        while (!stop.stop_requested() && ::dbus_connection_read_write(connection_, kLookMs) != 0) {
          while (auto* const question = ::dbus_connection_pop_message(connection_)) {
            if (::dbus_message_get_type(question) == DBUS_MESSAGE_TYPE_METHOD_CALL)
              answer(question);
            ::dbus_message_unref(question);
          }
        }
      }) {}

RealtimeService::~RealtimeService() {
  thread_ = {};
  ::dbus_connection_close(connection_);
  ::dbus_connection_unref(connection_);
}

void RealtimeService::answer(DBusMessage* question) {
  if (manner_.is_silent) return;
  DBusMessage* reply = nullptr;
  if (::dbus_message_is_method_call(question, DBUS_INTERFACE_PROPERTIES, "Get") != 0) {
    const char* interface = nullptr;
    const char* property = nullptr;
    ::dbus_message_get_args(question, nullptr, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING,
                            &property, DBUS_TYPE_INVALID);
    reply = ::dbus_message_new_method_return(question);
    append_number(reply, property == nullptr ? "" : property);
  } else {
    const auto refusal = raise(question);
    reply = refusal.empty()
                ? ::dbus_message_new_method_return(question)
                : ::dbus_message_new_error(question, DBUS_ERROR_ACCESS_DENIED, refusal.c_str());
  }
  ::dbus_connection_send(connection_, reply, nullptr);
  ::dbus_connection_flush(connection_);
  ::dbus_message_unref(reply);
}

std::string RealtimeService::raise(DBusMessage* question) {
  if (!manner_.refusal.empty()) return manner_.refusal;
  dbus_uint64_t process = 0;
  dbus_uint64_t thread = 0;
  dbus_uint32_t priority = 0;
  if (::dbus_message_is_method_call(question, kName, "MakeThreadRealtimeWithPID") == 0 ||
      ::dbus_message_get_args(question, nullptr, DBUS_TYPE_UINT64, &process, DBUS_TYPE_UINT64,
                              &thread, DBUS_TYPE_UINT32, &priority, DBUS_TYPE_INVALID) == 0)
    return "no such method";
  if (realtime_limit_us(process) > kRunMaxUs) return "RLIMIT_RTTIME is too large";
  if (priority < 1 || priority > static_cast<dbus_uint32_t>(kPriorityMax))
    return "the priority is out of range";
  sched_param parameters{};
  parameters.sched_priority = static_cast<int>(priority);
  if (::sched_setscheduler(static_cast<pid_t>(thread), SCHED_RR | SCHED_RESET_ON_FORK,
                           &parameters) != 0)
    return "the kernel refuses it";
  ++raised_;
  return "";
}

}  // namespace submix::testing
