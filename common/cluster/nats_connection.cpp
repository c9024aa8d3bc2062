// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/nats_connection.hpp"

#include "common/base/clock.hpp"
#include "common/base/log.hpp"
#include "common/base/repetition_limiter.hpp"
#include "common/base/thread_alarm.hpp"
#include "common/cluster/codec.hpp"
#include "common/cluster/nats_certificate.hpp"
#include "common/cluster/nats_refusals.hpp"
#include "common/cluster/subjects.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace submix::cluster {
namespace {

/// libnats gives up a connection at the ping that follows `unanswered` unanswered pings.
struct Pings {
  std::int64_t interval_ms;
  int unanswered;
};
// With one address an early end would not help: 2 to 3 s. With several addresses: 1.2 to 1.6 s,
// long enough for a busy server, and short enough to reach the next address within 3 s.
constexpr Pings kPingsOfOneAddress{1000, 2};
constexpr Pings kPingsOfSeveralAddresses{400, 3};
// An address that does not answer must not delay the next one for long.
constexpr std::chrono::milliseconds kPatienceOfSeveralAddresses{1000};
// A server that stops reading must not block a publisher.
constexpr std::int64_t kWriteDeadlineMs = 1000;

void log_refusal(natsConnection* connection) {
  const char* words = nullptr;
  if (natsConnection_GetLastError(connection, &words) == NATS_OK || words == nullptr) return;
  NatsRefusals::of_process().add(connection, words);
  static RepetitionLimiter limiter(std::chrono::minutes(1));
  const auto said = limiter.admit(
      "refusal",
      fmt::format("{}: what a PC may do is decided on its desk, by submix peers allow", words),
      SteadyClock().now());
  if (said) log::warning("{}", *said);
}

// Without a handler libnats prints its errors to stderr.
void log_trouble(natsConnection* connection, natsSubscription*, natsStatus status, void*) {
  // Whoever connects next says why: the show's key has changed, for example.
  if (status == NATS_CONNECTION_AUTH_FAILED) return;
  if (status == NATS_NOT_PERMITTED) return log_refusal(connection);
  // A connection may break again and again.
  static RepetitionLimiter limiter(std::chrono::minutes(1));
  const std::string text = natsStatus_GetText(status);
  const auto said = limiter.admit(text, "NATS: " + text, SteadyClock().now());
  if (said) log::warning("{}", *said);
}

bool has_several_addresses(const BusSettings& settings) {
  return settings.url.find(',') != std::string::npos;
}

// The limit of each step of libnats: connecting, and the server's greeting.
std::chrono::milliseconds patience_of(const BusSettings& settings) {
  return has_several_addresses(settings) ? std::min(settings.patience, kPatienceOfSeveralAddresses)
                                         : settings.patience;
}

// Before the client tells its password, the server proves that it has the key.
natsStatus demand_proof(natsOptions* options, const ShowKey& key) {
  auto status = natsOptions_SetSecure(options, true);
  if (status == NATS_OK)
    status =
        natsOptions_SetCATrustedCertificates(options, nats_certificate(key).certificate.c_str());
  return status == NATS_OK ? natsOptions_SetExpectedHostname(options, kNatsName) : status;
}

natsStatus set_options(natsOptions* options, const BusSettings& settings, const std::string& url,
                       const NatsLogin& login) {
  const auto& pings =
      has_several_addresses(settings) ? kPingsOfSeveralAddresses : kPingsOfOneAddress;
  natsStatus status = natsOptions_SetURL(options, url.c_str());
  const auto also = [&](natsStatus next) { status = status == NATS_OK ? next : status; };
  also(natsOptions_SetName(options, settings.name.c_str()));
  also(natsOptions_SetTimeout(options, patience_of(settings).count()));
  also(natsOptions_SetAllowReconnect(options, false));
  also(natsOptions_SetPingInterval(options, pings.interval_ms));
  also(natsOptions_SetMaxPingsOut(options, pings.unanswered));
  also(natsOptions_SetWriteDeadline(options, kWriteDeadlineMs));
  also(natsOptions_SetErrorHandler(options, log_trouble, nullptr));
  if (!settings.key) return status;
  also(demand_proof(options, *settings.key));
  also(natsOptions_SetUserInfo(options, login.user.c_str(), login.password.c_str()));
  return status;
}

/// Whether the server has shown the certificate of another key, not just hung up. libnats has one
/// status for both; the words are OpenSSL's.
bool is_other_certificate(natsStatus status) {
  const char* text = status == NATS_SSL_ERROR ? nats_GetLastError(nullptr) : nullptr;
  return text != nullptr && std::string_view(text).find("certificate") != std::string_view::npos;
}

natsStatus connect_as(const NatsLogin& login, ConnectionHandle& connection,
                      const BusSettings& settings, const std::string& url) {
  natsOptions* options = nullptr;
  natsStatus status = natsOptions_Create(&options);
  const OptionsHandle handle(options);
  if (status == NATS_OK) status = set_options(options, settings, url, login);
  natsConnection* connected = nullptr;
  const ThreadAlarm alarm(patience_of(settings) * 2);  // libnats waits for TLS without a limit
  if (status == NATS_OK) status = natsConnection_Connect(&connected, options);
  connection.reset(connected);
  return status == NATS_SSL_ERROR && alarm.is_over() ? NATS_TIMEOUT : status;
}

/// By the first of `logins` that the server takes, or by the shared one.
natsStatus connect(OpenedConnection& opened, const BusSettings& settings, const std::string& url,
                   std::vector<NatsLogin> logins) {
  logins.push_back(settings.key ? shared_login(*settings.key) : NatsLogin());
  auto status = NATS_OK;
  for (const auto& login : logins) {
    opened.rights = login.rights;
    status = connect_as(login, opened.connection, settings, url);
    if (is_other_certificate(status)) return NATS_CONNECTION_AUTH_FAILED;
    if (status != NATS_CONNECTION_AUTH_FAILED) return status;
  }
  return status;
}

ConnectError connect_failure(natsStatus status, const std::string& url, bool has_key) {
  if (status == NATS_CONNECTION_AUTH_FAILED && has_key) {
    return {fmt::format("NATS at {} has another key; join its desk anew (submix leave, submix "
                        "join), or name its key by --key FILE",
                        url),
            true};
  }
  if (status == NATS_SECURE_CONNECTION_WANTED) {
    return {fmt::format("NATS at {} has no key, such as a demo's or a window's: it is not the "
                        "show's; end it, or leave out --key",
                        url),
            true};
  }
  if (status == NATS_CONNECTION_AUTH_FAILED)
    return {
        fmt::format("NATS at {} wants a key; join its desk (submix join), or name its key by --key "
                    "FILE",
                    url),
        true};
  // libnats does not distinguish a refused connection from a host without a route.
  const auto* why = status == NATS_NO_SERVER ? "nothing listens there, or no cable leads there"
                                             : natsStatus_GetText(status);
  return {fmt::format("NATS at {} cannot be reached: {}", url, why)};
}

constexpr std::chrono::milliseconds kPauseBeforeNextTry{5};
// A call without an answer for this long means a silent store. A server that has ended cuts the
// call off sooner; a connection with a hanging store is ended by its pings.
constexpr std::chrono::milliseconds kSilence{1000};
// Attempts to read from a bucket that another client is creating.
constexpr int kTriesWithinPatience = 4;

// nats-server (2.9) hangs for good in the store of a full disk, while its other parts go on. A
// client that uses the store may then get no answers to its pings either.
std::string silent_store(std::string_view url) {
  return fmt::format(
      "NATS at {} answers, but its store does not: is the disk full where NATS keeps its state? "
      "Make room there, then start NATS again; what runs goes on",
      url);
}

// nats-server 2.10 refuses each write instead, and goes on reading.
std::string refusing_store(std::string_view url) {
  return fmt::format(
      "the store of NATS at {} refuses it: is the disk full where NATS keeps its state? Make room "
      "there; what runs goes on",
      url);
}

WriteError write_failure(natsStatus status, jsErrCode code, const std::string& subject,
                         std::size_t bytes) {
  if (code == JSStreamWrongLastSequenceErr)
    return {fmt::format("{}: somebody else wrote it meanwhile", subject), true};
  if (status == NATS_MAX_PAYLOAD) {
    return {
        fmt::format("{}: {} bytes are more than NATS takes; start it with \"submix nats\", or "
                    "raise its max_payload",
                    subject, bytes)};
  }
  return {fmt::format("{}: not written: {} ({})", subject, natsStatus_GetText(status),
                      static_cast<int>(code))};
}

natsStatus open_jetstream(JetStreamHandle& handle, natsConnection* connection,
                          std::chrono::milliseconds patience) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = patience.count();
  jsCtx* jetstream = nullptr;
  const auto status = natsConnection_JetStream(&jetstream, connection, &options);
  handle.reset(jetstream);
  return status;
}

// Opens the bucket, and creates it if it is missing.
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

// Reads an arbitrary key. "Not found" is an answer, too.
natsStatus try_bucket(kvStore* bucket) {
  kvEntry* entry = nullptr;
  const auto status = kvStore_Get(&entry, bucket, "any");
  const EntryHandle handle(entry);
  if (status == NATS_NOT_FOUND) return NATS_OK;
  return status == NATS_NO_RESPONDERS ? NATS_TIMEOUT : status;  // JetStream itself is present
}

}  // namespace

std::optional<BucketEntry> to_bucket_entry(kvEntry* entry) {
  if (kvEntry_Operation(entry) != kvOp_Put) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(std::max(0, kvEntry_ValueLen(entry)));
  const auto* value = static_cast<const char*>(kvEntry_Value(entry));
  return BucketEntry{kvEntry_Key(entry), bytes == 0 ? std::string() : std::string(value, bytes),
                     kvEntry_Revision(entry), std::chrono::nanoseconds(kvEntry_Created(entry))};
}

tl::expected<std::shared_ptr<NatsConnection>, ConnectError> NatsConnection::open(
    const BusSettings& settings, const std::string& url, std::shared_ptr<StoreState> store,
    std::vector<NatsLogin> logins) {
  OpenedConnection opened;
  auto status = connect(opened, settings, url, std::move(logins));
  auto* const connection = opened.connection.get();
  if (status == NATS_OK) status = open_jetstream(opened.jetstream, connection, settings.patience);
  if (status == NATS_OK)
    status = open_jetstream(opened.impatient_jetstream, connection,
                            settings.patience / kTriesWithinPatience);
  if (status != NATS_OK)
    return tl::unexpected(connect_failure(status, url, settings.key.has_value()));
  NatsRefusals::of_process().forget(connection);  // of a former one with this address
  return std::shared_ptr<NatsConnection>(
      new NatsConnection(std::move(opened), url, settings.patience, std::move(store)));
}

natsStatus NatsConnection::try_once(const BusSettings& settings) {
  OpenedConnection opened;
  return connect(opened, settings, settings.url, {});
}

NatsConnection::~NatsConnection() {
  // Ends the reading thread, so that retired subscriptions can be destroyed.
  natsConnection_Close(connection_.get());
  NatsRefusals::of_process().forget(connection_.get());
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

Result<void> NatsConnection::check_rights(std::string_view subject) const {
  if (rights_ == Rights::everything) return {};
  const bool was_refused = NatsRefusals::of_process().has(connection_.get(), subject);
  if (may_publish(rights_, subject) && !was_refused) return {};
  return fail("{}", refusal(rights_));
}

std::size_t NatsConnection::payload_bytes_max() const {
  return static_cast<std::size_t>(
      std::max<std::int64_t>(0, natsConnection_GetMaxPayload(connection_.get())));
}

Result<kvStore*> NatsConnection::bucket(std::string_view name) {
  MutexLock lock(mutex_);
  if (const auto found = buckets_.find(name); found != buckets_.end()) return found->second.get();
  const std::string text(name);
  const auto began = std::chrono::steady_clock::now();
  BucketHandle bucket;
  auto status = wait_for_bucket(text);
  if (status == NATS_OK) status = open_bucket(bucket, jetstream_.get(), text);
  if (status == NATS_NO_RESPONDERS) {
    return fail(
        "NATS at {} runs without JetStream; start it with \"submix nats\", or nats-server with -js",
        url_);
  }
  if (was_silent(name, status, began)) return fail("{}", silent_store(url_));
  if (status != NATS_OK)
    return fail("NATS at {}: bucket {}: {}", url_, name, natsStatus_GetText(status));
  return buckets_.emplace(text, std::move(bucket)).first->second.get();
}

// The server itself may end during the call, so a call that was cut off early says nothing about
// the store.
bool NatsConnection::was_silent(std::string_view bucket, natsStatus status,
                                std::chrono::steady_clock::time_point began) {
  const bool was_long = std::chrono::steady_clock::now() - began >= kSilence;
  const bool was_cut_off = status == NATS_CONNECTION_CLOSED && (was_long || store_->is_silent());
  const bool is_silent = status == NATS_TIMEOUT || was_cut_off;
  if (is_silent) store_->note_silence(bucket, silent_store(url_));
  if (status == NATS_OK || status == NATS_NOT_FOUND) store_->note_answer(bucket);
  return is_silent;
}

// While another client creates a bucket, a server (2.9) lists the bucket already, but refuses to
// create it. Values written to the bucket then have no subscriber, and reads get no answer.
natsStatus NatsConnection::wait_for_bucket(const std::string& name) {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  bool was_silent = false;
  for (;;) {
    BucketHandle bucket;
    auto status = open_bucket(bucket, impatient_jetstream_.get(), name);
    if (status == NATS_OK) status = try_bucket(bucket.get());
    if (status == NATS_CONNECTION_CLOSED && was_silent)
      return NATS_TIMEOUT;  // a hanging store ends the connection, too
    was_silent = was_silent || status == NATS_TIMEOUT;
    const bool may_pass = status == NATS_ERR || status == NATS_TIMEOUT;
    if (!may_pass || std::chrono::steady_clock::now() > deadline) return status;
    std::this_thread::sleep_for(kPauseBeforeNextTry);
  }
}

Result<std::optional<BucketEntry>> NatsConnection::get(std::string_view bucket_name,
                                                       std::string_view key) {
  const auto store = bucket(bucket_name);
  SUBMIX_TRY(store);
  const auto began = std::chrono::steady_clock::now();
  kvEntry* entry = nullptr;
  const auto status = kvStore_Get(&entry, *store, std::string(key).c_str());
  const EntryHandle handle(entry);
  if (was_silent(bucket_name, status, began))
    return fail("{}: not read: {}", key_subject(bucket_name, key), silent_store(url_));
  if (status == NATS_NOT_FOUND) return std::optional<BucketEntry>();
  if (status != NATS_OK)
    return fail("{}: not read: {}", key_subject(bucket_name, key), natsStatus_GetText(status));
  return to_bucket_entry(entry);
}

Result<void> NatsConnection::remove(std::string_view bucket_name, std::string_view key) {
  SUBMIX_TRY(check_rights(key_subject(bucket_name, key)));
  const auto store = bucket(bucket_name);
  SUBMIX_TRY(store);
  const auto status = kvStore_Purge(*store, std::string(key).c_str(), nullptr);
  if (status == NATS_OK) return {};
  return fail("{}/{}: cannot be taken out of NATS: {}", bucket_name, key,
              natsStatus_GetText(status));
}

tl::expected<std::uint64_t, WriteError> NatsConnection::put(
    std::string_view bucket_name, std::string_view key, std::string_view value,
    std::optional<std::uint64_t> expected_revision) {
  const auto subject = key_subject(bucket_name, key);
  if (const auto allowed = check_rights(subject); !allowed)
    return tl::unexpected(WriteError{allowed.error().message});
  const auto store = bucket(bucket_name);
  if (!store) return tl::unexpected(WriteError{store.error().message});
  // Publishes as kvStore_Update() does; kvStore_Update() itself cannot distinguish a conflict from
  // other failures.
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.ExpectLastSubjectSeq = expected_revision.value_or(0);
  options.ExpectNoMessage = expected_revision && *expected_revision == 0;
  const auto began = std::chrono::steady_clock::now();
  jsPubAck* ack = nullptr;
  auto code = jsErrCode{};
  const auto status = js_Publish(&ack, jetstream_.get(), subject.c_str(), value.data(),
                                 static_cast<int>(value.size()), &options, &code);
  const std::unique_ptr<jsPubAck, FreeBy<jsPubAck_Destroy>> handle(ack);
  if (status != NATS_OK && NatsRefusals::of_process().has(connection_.get(), subject))
    return tl::unexpected(
        WriteError{fmt::format("{}: not written: {}", subject, refusal(rights_))});
  if (was_silent(bucket_name, status, began))
    return tl::unexpected(
        WriteError{fmt::format("{}: not written: {}", subject, silent_store(url_))});
  if (code == JSStreamStoreFailedErr)
    return tl::unexpected(
        WriteError{fmt::format("{}: not written: {}", subject, refusing_store(url_))});
  if (status != NATS_OK) return tl::unexpected(write_failure(status, code, subject, value.size()));
  return ack->Sequence;
}

Result<WatcherHandle> NatsConnection::watch(std::string_view bucket_name, const std::string& key) {
  const auto store = bucket(bucket_name);
  SUBMIX_TRY(store);
  const auto began = std::chrono::steady_clock::now();
  kvWatcher* watcher = nullptr;
  const auto status = kvStore_Watch(&watcher, *store, key.c_str(), nullptr);
  if (was_silent(bucket_name, status, began))
    return fail("{}: not watched: {}", key_subject(bucket_name, key), silent_store(url_));
  if (status != NATS_OK)
    return fail("{}: not watched: {}", key_subject(bucket_name, key), natsStatus_GetText(status));
  return WatcherHandle(watcher);
}

Result<void> NatsConnection::publish(std::string_view subject, std::string_view bytes) {
  const auto status = natsConnection_Publish(connection_.get(), std::string(subject).c_str(),
                                             bytes.data(), static_cast<int>(bytes.size()));
  if (status != NATS_OK)
    return fail("{}: {} bytes not sent: {}", subject, bytes.size(), natsStatus_GetText(status));
  return {};
}

tl::expected<std::string, RequestError> NatsConnection::request(
    std::string_view subject, std::string_view bytes, std::chrono::milliseconds patience) {
  using Kind = RequestError::Kind;
  if (const auto allowed = check_rights(subject); !allowed)
    return tl::unexpected(RequestError{Kind::failed, allowed.error().message});
  natsMsg* reply = nullptr;
  const auto status =
      natsConnection_Request(&reply, connection_.get(), std::string(subject).c_str(), bytes.data(),
                             static_cast<int>(bytes.size()), patience.count());
  const MessageHandle handle(reply);
  if (status == NATS_NO_RESPONDERS)
    return tl::unexpected(RequestError{Kind::absent, "nobody is there"});
  if (status == NATS_TIMEOUT)
    return tl::unexpected(
        RequestError{Kind::silent, fmt::format("no answer within {} ms", patience.count())});
  if (status != NATS_OK)
    return tl::unexpected(RequestError{Kind::failed, natsStatus_GetText(status)});
  return std::string(natsMsg_GetData(reply),
                     static_cast<std::size_t>(natsMsg_GetDataLength(reply)));
}

}  // namespace submix::cluster
