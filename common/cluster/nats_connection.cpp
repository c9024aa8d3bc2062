// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/nats_connection.hpp"

#include "common/base/log.hpp"
#include "common/cluster/codec.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

// A dead peer is noticed after two unanswered pings.
constexpr std::int64_t kPingMs = 1000;
constexpr int kPingsUnanswered = 2;
constexpr std::int64_t kWriteDeadlineMs = 1000;  // a server that stops reading must not hold up a publisher

// libnats prints to stderr unless it has somewhere else to put this.
void log_trouble(natsConnection*, natsSubscription*, natsStatus status, void*) {
  log::warning("NATS: {}", natsStatus_GetText(status));
}

natsStatus set_options(natsOptions* options, const BusSettings& settings, std::vector<const char*>& servers) {
  const auto patience = settings.patience.count();
  natsStatus status = natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size()));
  const auto also = [&](natsStatus next) { status = status == NATS_OK ? next : status; };
  also(natsOptions_SetName(options, settings.name.c_str()));
  also(natsOptions_SetNoRandomize(options, true));
  also(natsOptions_SetTimeout(options, patience));
  also(natsOptions_SetAllowReconnect(options, false));
  also(natsOptions_SetPingInterval(options, kPingMs));
  also(natsOptions_SetMaxPingsOut(options, kPingsUnanswered));
  also(natsOptions_SetWriteDeadline(options, kWriteDeadlineMs));
  also(natsOptions_SetErrorHandler(options, log_trouble, nullptr));
  if (settings.key) also(natsOptions_SetToken(options, settings.key->nats_token().c_str()));
  return status;
}

tl::unexpected<Error> connect_failure(natsStatus status, const BusSettings& settings) {
  if (status == NATS_CONNECTION_AUTH_FAILED && settings.key) {
    return fail("NATS at {} refused the key: it was started with another; use that key file with --key FILE",
                settings.url);
  }
  if (status == NATS_CONNECTION_AUTH_FAILED) {
    return fail("NATS at {} wants a key; name the key file it was started with, --key FILE", settings.url);
  }
  return fail(
      "NATS at {} cannot be reached: {}; start one with \"submix nats\", or say where it is with --nats URL",
      settings.url, natsStatus_GetText(status));
}

constexpr std::chrono::milliseconds kPauseBeforeNextTry{5};
constexpr int kTriesWithinPatience = 4;  // to read from a bucket that another client makes

std::string subject_of(std::string_view bucket, std::string_view key) {
  return fmt::format("$KV.{}.{}", bucket, key);
}

WriteError write_failure(natsStatus status, jsErrCode code, const std::string& subject, std::size_t bytes) {
  if (code == JSStreamWrongLastSequenceErr)
    return {fmt::format("{}: somebody else wrote it meanwhile", subject), true};
  if (status == NATS_MAX_PAYLOAD) {
    return {fmt::format(
        "{}: {} bytes are more than NATS takes; start it with \"submix nats\", or raise its max_payload",
        subject, bytes)};
  }
  return {
      fmt::format("{}: not written: {} ({})", subject, natsStatus_GetText(status), static_cast<int>(code))};
}

Result<JetStreamHandle> open_jetstream(natsConnection* connection, std::chrono::milliseconds patience,
                                       const BusSettings& settings) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = patience.count();
  jsCtx* jetstream = nullptr;
  const auto status = natsConnection_JetStream(&jetstream, connection, &options);
  if (status != NATS_OK) return connect_failure(status, settings);
  return JetStreamHandle(jetstream);
}

// Made where it is missing.
natsStatus open_bucket(BucketHandle& bucket, jsCtx* jetstream, const std::string& name) {
  kvStore* store = nullptr;
  auto status = js_KeyValue(&store, jetstream, name.c_str());
  if (status == NATS_NOT_FOUND) {
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = name.c_str();
    config.History = 1;
    config.MaxValueSize = static_cast<std::int32_t>(kMessageBytesMax);
    status = js_CreateKeyValue(&store, jetstream, &config);
  }
  bucket.reset(store);
  return status;
}

// Asks for any key: that there is none is an answer.
natsStatus try_bucket(kvStore* bucket) {
  kvEntry* entry = nullptr;
  const auto status = kvStore_Get(&entry, bucket, "any");
  const EntryHandle handle(entry);
  if (status == NATS_NOT_FOUND) return NATS_OK;
  return status == NATS_NO_RESPONDERS ? NATS_TIMEOUT : status;  // JetStream is there
}

}  // namespace

std::optional<Entry> to_entry(kvEntry* entry) {
  if (kvEntry_Operation(entry) != kvOp_Put) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(std::max(0, kvEntry_ValueLen(entry)));
  const auto* value = static_cast<const char*>(kvEntry_Value(entry));
  return Entry{kvEntry_Key(entry), bytes == 0 ? std::string() : std::string(value, bytes),
               kvEntry_Revision(entry)};
}

Result<std::shared_ptr<NatsConnection>> NatsConnection::open(const BusSettings& settings) {
  const auto urls = parse_urls(settings.url);
  if (!urls) return tl::unexpected(urls.error());
  std::vector<const char*> servers;
  for (const auto& url : *urls)
    servers.push_back(url.c_str());
  natsOptions* options = nullptr;
  natsStatus status = natsOptions_Create(&options);
  const OptionsHandle options_handle(options);
  if (status == NATS_OK) status = set_options(options, settings, servers);
  natsConnection* connection = nullptr;
  if (status == NATS_OK) status = natsConnection_Connect(&connection, options);
  ConnectionHandle connection_handle(connection);
  if (status != NATS_OK) return connect_failure(status, settings);
  auto jetstream = open_jetstream(connection, settings.patience, settings);
  if (!jetstream) return tl::unexpected(jetstream.error());
  auto impatient = open_jetstream(connection, settings.patience / kTriesWithinPatience, settings);
  if (!impatient) return tl::unexpected(impatient.error());
  return std::shared_ptr<NatsConnection>(new NatsConnection(
      std::move(connection_handle), std::move(*jetstream), std::move(*impatient), settings));
}

NatsConnection::~NatsConnection() {
  natsConnection_Close(connection_.get());  // ends the reading thread, so that what was retired can go
}

void NatsConnection::retire(SubscriptionHandle subscription) {
  if (!subscription) return;
  natsSubscription_Unsubscribe(subscription.get());
  MutexLock lock(mutex_);
  ended_subscriptions_.push_back(std::move(subscription));
}

void NatsConnection::retire(WatcherHandle watcher) {
  kvWatcher_Stop(watcher.get());
  MutexLock lock(mutex_);
  ended_watchers_.push_back(std::move(watcher));
}

std::size_t NatsConnection::payload_bytes_max() const {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, natsConnection_GetMaxPayload(connection_.get())));
}

Result<kvStore*> NatsConnection::bucket(std::string_view name) {
  MutexLock lock(mutex_);
  if (const auto found = buckets_.find(name); found != buckets_.end()) return found->second.get();
  const std::string text(name);
  BucketHandle bucket;
  auto status = wait_for_bucket(text);
  if (status == NATS_OK) status = open_bucket(bucket, jetstream_.get(), text);
  if (status == NATS_NO_RESPONDERS) {
    return fail("NATS at {} runs without JetStream; start it with \"submix nats\", or nats-server with -js",
                url_);
  }
  if (status != NATS_OK) return fail("NATS at {}: bucket {}: {}", url_, name, natsStatus_GetText(status));
  return buckets_.emplace(text, std::move(bucket)).first->second.get();
}

// While another client makes a bucket, a server (2.9) tells of it already, but refuses to make it, knows
// nobody who takes what is written to it, and does not answer who reads it.
natsStatus NatsConnection::wait_for_bucket(const std::string& name) {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  for (;;) {
    BucketHandle bucket;
    auto status = open_bucket(bucket, impatient_jetstream_.get(), name);
    if (status == NATS_OK) status = try_bucket(bucket.get());
    const bool may_pass = status == NATS_ERR || status == NATS_TIMEOUT;
    if (!may_pass || std::chrono::steady_clock::now() > deadline) return status;
    std::this_thread::sleep_for(kPauseBeforeNextTry);
  }
}

Result<std::optional<Entry>> NatsConnection::get(std::string_view bucket_name, std::string_view key) {
  const auto store = bucket(bucket_name);
  if (!store) return tl::unexpected(store.error());
  kvEntry* entry = nullptr;
  const auto status = kvStore_Get(&entry, *store, std::string(key).c_str());
  const EntryHandle handle(entry);
  if (status == NATS_NOT_FOUND) return std::optional<Entry>();
  if (status != NATS_OK)
    return fail("{}: not read: {}", subject_of(bucket_name, key), natsStatus_GetText(status));
  return to_entry(entry);
}

tl::expected<std::uint64_t, WriteError> NatsConnection::put(std::string_view bucket_name,
                                                            std::string_view key, std::string_view value,
                                                            std::optional<std::uint64_t> expected_revision) {
  const auto store = bucket(bucket_name);
  if (!store) return tl::unexpected(WriteError{store.error().message});
  // As kvStore_Update() does it, which however tells a conflict from other failures by nothing.
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.ExpectLastSubjectSeq = expected_revision.value_or(0);
  options.ExpectNoMessage = expected_revision && *expected_revision == 0;
  const auto subject = subject_of(bucket_name, key);
  jsPubAck* ack = nullptr;
  auto code = jsErrCode{};
  const auto status = js_Publish(&ack, jetstream_.get(), subject.c_str(), value.data(),
                                 static_cast<int>(value.size()), &options, &code);
  const std::unique_ptr<jsPubAck, Destroy<jsPubAck_Destroy>> handle(ack);
  if (status != NATS_OK) return tl::unexpected(write_failure(status, code, subject, value.size()));
  return ack->Sequence;
}

Result<WatcherHandle> NatsConnection::watch(std::string_view bucket_name, const std::string& key) {
  const auto store = bucket(bucket_name);
  if (!store) return tl::unexpected(store.error());
  kvWatcher* watcher = nullptr;
  const auto status = kvStore_Watch(&watcher, *store, key.c_str(), nullptr);
  if (status != NATS_OK)
    return fail("{}: not watched: {}", subject_of(bucket_name, key), natsStatus_GetText(status));
  return WatcherHandle(watcher);
}

Result<void> NatsConnection::publish(std::string_view subject, std::string_view bytes) {
  const auto status = natsConnection_Publish(connection_.get(), std::string(subject).c_str(), bytes.data(),
                                             static_cast<int>(bytes.size()));
  if (status != NATS_OK)
    return fail("{}: {} bytes not sent: {}", subject, bytes.size(), natsStatus_GetText(status));
  return {};
}

Result<std::string> NatsConnection::request(std::string_view subject, std::string_view bytes,
                                            std::chrono::milliseconds patience) {
  natsMsg* reply = nullptr;
  const auto status = natsConnection_Request(&reply, connection_.get(), std::string(subject).c_str(),
                                             bytes.data(), static_cast<int>(bytes.size()), patience.count());
  const MessageHandle handle(reply);
  if (status == NATS_NO_RESPONDERS) return fail("nobody is there");
  if (status == NATS_TIMEOUT) return fail("no answer within {} ms", patience.count());
  if (status != NATS_OK) return fail("{}", natsStatus_GetText(status));
  return std::string(natsMsg_GetData(reply), static_cast<std::size_t>(natsMsg_GetDataLength(reply)));
}

}  // namespace submix::cluster
