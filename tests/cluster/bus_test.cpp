// SPDX-License-Identifier: GPL-3.0-or-later
// With a real nats-server.
#include "common/cluster/bus.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/cluster/mailbox.hpp"
#include "tests/support/nats_version.hpp"
#include "tests/support/silent_listener.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

namespace submix::cluster {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::SilentListener;
using testing::SmallDisk;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

std::string url_of(const SilentListener& listener) {
  return "nats://127.0.0.1:" + std::to_string(listener.port());
}

class BusTest : public ::testing::Test {
 protected:
  void SetUp() override { start(); }

  void start() {
    auto server = local::NatsServer::start({folder_ / "nats", "127.0.0.1", port_, key_});
    ASSERT_TRUE(server) << server.error().message;
    port_ = server->port();
    server_.emplace(*std::move(server));
  }
  void stop() { server_.reset(); }

  std::unique_ptr<Bus> connect(Bus::StateCallback on_state = {}) {
    auto bus = Bus::connect(settings(), std::move(on_state));
    EXPECT_TRUE(bus) << bus.error().message;
    return *std::move(bus);
  }
  BusSettings settings() const {
    return {"nats://127.0.0.1:" + std::to_string(port_), "test", key_, 5s};
  }

  const TemporaryFolder folder_;
  std::optional<ShowKey> key_ = ShowKey::random();  // TLS is the harder case
  std::uint16_t port_ = 0;
  std::optional<local::NatsServer> server_;
};

TEST_F(BusTest, GivesBackWhatWasPut) {
  const auto bus = connect();
  EXPECT_FALSE(*bus->get("bucket", "key"));
  const auto revision = bus->put("bucket", "key", std::string("a\0b", 3));
  ASSERT_TRUE(revision) << revision.error().message;
  const auto entry = bus->get("bucket", "key");
  ASSERT_TRUE(entry && *entry);
  EXPECT_EQ((*entry)->value, std::string("a\0b", 3));
  EXPECT_EQ((*entry)->revision, *revision);
  EXPECT_GE(bus->payload_bytes_max(), std::size_t{8'000'000});
}

TEST_F(BusTest, IsWrittenAndReadWhileOthersMakeTheSameBucket) {
  std::vector<std::unique_ptr<Bus>> buses;
  for (int i = 0; i < 4; ++i)
    buses.push_back(connect());
  for (int round = 0; round < 60; ++round) {
    const auto bucket = "bucket" + std::to_string(round);
    std::barrier together(static_cast<std::ptrdiff_t>(buses.size()));
    std::vector<std::jthread> users;
    for (const auto& bus : buses) {
      users.emplace_back([&] {
        together.arrive_and_wait();
        const auto found = bus->get(bucket, "key");
        EXPECT_TRUE(found) << found.error().message;
        const auto written = bus->put(bucket, "key", "value");
        EXPECT_TRUE(written) << written.error().message;
      });
    }
  }
}

TEST_F(BusTest, LetsOneOfTwoWritersWinAndTellsTheOther) {
  const auto first = connect();
  const auto second = connect();
  const auto created = first->put("bucket", "key", "1", 0);
  ASSERT_TRUE(created);
  const auto refused = second->put("bucket", "key", "x", 0);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is_conflict);
  const auto updated = second->put("bucket", "key", "2", *created);
  ASSERT_TRUE(updated);
  const auto stale = first->put("bucket", "key", "3", *created);
  ASSERT_FALSE(stale);
  EXPECT_TRUE(stale.error().is_conflict);
  EXPECT_EQ((*first->get("bucket", "key"))->value, "2");
  EXPECT_TRUE(first->put("bucket", "other", "4", 0));
  EXPECT_TRUE(first->put("bucket", "key", "5"));
}

TEST_F(BusTest, SaysWhyAHugeValueIsNotWritten) {
  const auto bus = connect();
  const auto failed = bus->put("bucket", "key", std::string(9 << 20, 'x'));
  ASSERT_FALSE(failed);
  EXPECT_FALSE(failed.error().is_conflict);
  EXPECT_THAT(failed.error().message, HasSubstr("more than NATS takes"));
}

TEST_F(BusTest, WatchesPresentValuesAndChanges) {
  const auto bus = connect();
  ASSERT_TRUE(bus->put("bucket", "a", "1"));
  Mailbox<BucketEntry> seen;
  const auto watch = bus->watch("bucket", ">", [&](const BucketEntry& entry) { seen.put(entry); });
  EXPECT_EQ(seen.next()->value, "1");
  ASSERT_TRUE(bus->put("bucket", "b", "2"));
  const auto second = seen.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->key, "b");
  EXPECT_EQ(second->value, "2");
}

TEST_F(BusTest, ReconnectsAndWatchesOnAfterTheServerRestarted) {
  Mailbox<Bus::State> states;
  const auto bus = connect([&](Bus::State state) { states.put(state); });
  EXPECT_EQ(states.next(), Bus::State::connected);
  ASSERT_TRUE(bus->put("bucket", "key", "before"));
  Mailbox<std::string> seen;
  Mailbox<std::string> heard;
  const auto watch =
      bus->watch("bucket", "key", [&](const BucketEntry& entry) { seen.put(entry.value); });
  const auto subscription =
      bus->subscribe("news.>", [&](std::string_view bytes) { heard.put(std::string(bytes)); });
  EXPECT_EQ(seen.next(), "before");

  stop();
  EXPECT_EQ(states.next(), Bus::State::lost);
  EXPECT_FALSE(bus->is_connected());
  EXPECT_THAT(why(bus->get("bucket", "key")), HasSubstr("NATS at nats://127.0.0.1"));
  const auto refused = bus->put("bucket", "key", "x");
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().is_conflict);
  bus->publish("news.x", "dropped");

  start();
  EXPECT_EQ(states.next(), Bus::State::connected);
  EXPECT_EQ(seen.next(), "before");  // the present value, again
  ASSERT_TRUE(bus->put("bucket", "key", "after"));
  EXPECT_EQ(seen.next(), "after");
  bus->publish("news.x", "hello");
  EXPECT_EQ(heard.next(), "hello");
}

TEST_F(BusTest, MakesItsBucketsAnewAfterTheServerLostItsState) {
  const auto bus = connect();
  ASSERT_TRUE(bus->put("bucket", "key", "old"));
  Mailbox<std::string> seen;
  const auto watch =
      bus->watch("bucket", "key", [&](const BucketEntry& entry) { seen.put(entry.value); });
  EXPECT_EQ(seen.next(), "old");
  Mailbox<Bus::State> states;
  const auto other = connect([&](Bus::State state) { states.put(state); });
  EXPECT_EQ(states.next(), Bus::State::connected);
  stop();
  std::filesystem::remove_all(folder_ / "nats");
  EXPECT_EQ(states.next(), Bus::State::lost);
  start();
  EXPECT_EQ(states.next(), Bus::State::connected);
  ASSERT_TRUE(other->put("bucket", "key", "new", 0));
  EXPECT_EQ(seen.next(), "new");
}

TEST_F(BusTest, StartsBeforeItsServerDoes) {
  stop();
  auto bus = Bus::start(settings());
  ASSERT_TRUE(bus);
  Mailbox<std::string> seen;
  const auto watch =
      (*bus)->watch("bucket", "key", [&](const BucketEntry& entry) { seen.put(entry.value); });
  start();
  const auto writer = connect();
  ASSERT_TRUE(writer->put("bucket", "key", "1"));
  EXPECT_EQ(seen.next(), "1");
}

TEST_F(BusTest, AnswersRequestsWithBytes) {
  const auto server = connect();
  const auto client = connect();
  const auto service = server->serve("submix.command.left", [](std::string_view bytes) {
    return std::string(bytes) + std::string(2 << 20, '\0');
  });
  // The server learns of the service some time after the client could ask.
  auto reply = client->request("submix.command.left", "hi", 5s);
  for (int i = 0; i < 1000 && !reply; ++i)
    reply = client->request("submix.command.left", "hi", 5s);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->size(), 2U + (2U << 20U));
  EXPECT_EQ(why(client->request("submix.command.right", "hi", 5s)), "nobody is there");
}

TEST_F(BusTest, DoesNotCallBackAfterASubscriptionEnded) {
  const auto bus = connect();
  std::atomic<bool> is_alive = true;
  std::atomic<int> late = 0;
  Mailbox<int> first;
  auto subscription = bus->subscribe("flood", [&](std::string_view) {
    if (!is_alive) ++late;
    first.put(1);
  });
  for (int i = 0; i < 500; ++i)
    bus->publish("flood", "x");
  ASSERT_TRUE(first.next());
  subscription.reset();
  is_alive = false;
  for (int i = 0; i < 500; ++i)
    bus->publish("flood", "x");
  Mailbox<int> second;
  const auto other = bus->subscribe("end", [&](std::string_view) { second.put(1); });
  bus->publish("end", "x");
  EXPECT_TRUE(second.next());
  EXPECT_EQ(late, 0);
}

// The library's reading thread may be about to lock the subscription that ends here.
TEST_F(BusTest, EndsSubscriptionsAndWatchesInAFlood) {
  const auto bus = connect();
  const auto speaker = connect();
  const auto writer = connect();
  // As fast as `bus` reads: behind a server's backlog of many megabytes each subscription would
  // wait for seconds.
  constexpr std::int64_t kUnheardMax = 10'000;
  std::atomic<std::int64_t> unheard = 0;
  const auto hearing = bus->subscribe("flood", [&](const auto&) { --unheard; });
  while (unheard == 0) {  // messages before the server knows the listener are lost
    speaker->publish("flood", "x");
    std::this_thread::sleep_for(1ms);
  }
  const std::jthread speaking([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (unheard >= kUnheardMax) {
        std::this_thread::yield();
        continue;
      }
      ++unheard;
      speaker->publish("flood", "x");
    }
  });
  const std::jthread writing([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      EXPECT_TRUE(writer->put("bucket", "key", "x"));
  });
  const auto wait_for_one_call = [](auto make) {
    std::atomic<bool> was_called = false;
    const auto subscription = make([&](const auto&) {
      was_called = true;
      was_called.notify_one();
    });
    was_called.wait(false);
  };
  for (int i = 0; i < 300; ++i)
    wait_for_one_call([&](auto callback) { return bus->subscribe("flood", callback); });
  for (int i = 0; i < 100; ++i)
    wait_for_one_call([&](auto callback) { return bus->watch("bucket", "key", callback); });
  EXPECT_TRUE(bus->is_connected());
}

TEST_F(BusTest, IsRefusedWithoutTheRightKey) {
  EXPECT_TRUE(connect()->is_connected());
  auto wrong = settings();
  wrong.key = ShowKey::random();
  EXPECT_THAT(why(Bus::connect(wrong)),
              AllOf(HasSubstr("has another key"), HasSubstr("--key FILE")));
  wrong.key.reset();
  EXPECT_THAT(why(Bus::connect(wrong)), HasSubstr("wants a key"));
}

TEST_F(BusTest, TriesOnAfterItWasRefused) {
  stop();
  key_.reset();
  start();
  Mailbox<Bus::State> states;
  auto bus = connect([&](Bus::State state) { states.put(state); });
  EXPECT_EQ(states.next(), Bus::State::connected);
  stop();
  EXPECT_EQ(states.next(), Bus::State::lost);
  key_ = ShowKey::random();
  start();
  for (int i = 0; i < 1000 && bus->last_error().find("wants a key") == std::string::npos; ++i) {
    // Libnats gives up for good after two refusals; the bus must not.
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_THAT(bus->last_error(), HasSubstr("wants a key"));
  std::this_thread::sleep_for(600ms);
  stop();
  key_.reset();
  start();
  EXPECT_EQ(states.next(), Bus::State::connected);
}

TEST(Bus, SaysWhereItDidNotReachNats) {
  const auto bus = Bus::connect({"nats://127.0.0.1:1", "test", {}, 1s});
  ASSERT_FALSE(bus);
  EXPECT_THAT(bus.error().message,
              AllOf(HasSubstr("nats://127.0.0.1:1 cannot be reached"), HasSubstr("--nats URL")));
}

TEST(Bus, SaysThatTheStoreIsSilentWhenItsDiskIsFull) {
  if (!testing::does_nats_hang_on_a_full_disk()) GTEST_SKIP() << "it refuses the write instead";
  const TemporaryFolder folder;
  const SmallDisk disk(folder / "nats");
  if (!disk.is_ready()) GTEST_SKIP() << SmallDisk::kNeeds;
  const auto server = local::NatsServer::start({disk.folder()});
  ASSERT_TRUE(server) << server.error().message;
  const auto writer = Bus::connect({server->url(), "test"});
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE((*writer)->put("bucket", "key", "value"));
  disk.fill();
  const auto written = (*writer)->put("bucket", "key", std::string(100'000, 'x'));
  ASSERT_FALSE(written);
  EXPECT_FALSE(written.error().is_conflict);
  EXPECT_THAT(written.error().message,
              AllOf(HasSubstr(server->url()), HasSubstr("is the disk full")));
  const auto reader = Bus::connect({server->url(), "test"});
  ASSERT_TRUE(reader) << reader.error().message;
  const auto found = (*reader)->get("bucket", "key");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("is the disk full"));
}

TEST(Bus, SaysThatAFullDiskRefusesAWriteAndWritesAgainWhenThereIsRoom) {
  if (testing::does_nats_hang_on_a_full_disk()) GTEST_SKIP() << "it hangs instead";
  const TemporaryFolder folder;
  const SmallDisk disk(folder / "nats");
  if (!disk.is_ready()) GTEST_SKIP() << SmallDisk::kNeeds;
  const auto server = local::NatsServer::start({disk.folder()});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = Bus::connect({server->url(), "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  ASSERT_TRUE((*bus)->put("bucket", "key", "value"));
  disk.fill();
  const std::string large(100'000, 'x');
  const auto written = (*bus)->put("bucket", "large", large);
  ASSERT_FALSE(written);
  EXPECT_FALSE(written.error().is_conflict);
  EXPECT_THAT(written.error().message,
              AllOf(HasSubstr(server->url()), HasSubstr("is the disk full")));
  EXPECT_EQ((*bus)->get("bucket", "key").value()->value, "value") << "it goes on reading";
  EXPECT_FALSE((*bus)->is_store_silent());

  EXPECT_TRUE(std::filesystem::remove(disk.folder() / "filling"));
  EXPECT_TRUE((*bus)->put("bucket", "large", large)) << "without a new start";
}

TEST(Bus, TellsThatItsStoreIsSilentAndThenThatItAnswersAgain) {
  if (!testing::does_nats_hang_on_a_full_disk()) GTEST_SKIP() << "it refuses the write instead";
  const TemporaryFolder folder;
  const SmallDisk disk(folder / "nats");
  if (!disk.is_ready()) GTEST_SKIP() << SmallDisk::kNeeds;
  auto server = local::NatsServer::start({disk.folder()});
  ASSERT_TRUE(server) << server.error().message;
  std::optional<local::NatsServer> running(*std::move(server));
  const auto url = running->url();
  const auto port = running->port();
  Mailbox<Bus::State> states;
  const auto bus = Bus::connect({url, "test"}, [&](Bus::State state) { states.put(state); });
  ASSERT_TRUE(bus) << bus.error().message;
  EXPECT_EQ(states.next(), Bus::State::connected);
  ASSERT_TRUE((*bus)->put("bucket", "key", "value"));
  disk.fill();
  for (int i = 0; i < 3; ++i)
    EXPECT_THAT(why((*bus)->put("bucket", "key", std::string(100'000, 'x'))),
                HasSubstr("is the disk full"))
        << "also where the silent store has ended the connection";
  // A busy machine may notice the end of the connection before the silence.
  const auto is_not_lost = [](Bus::State state) { return state != Bus::State::lost; };
  EXPECT_EQ(states.next_that(is_not_lost), Bus::State::store_silent);
  EXPECT_TRUE((*bus)->is_store_silent());

  running.reset();
  const auto without_server = (*bus)->put("bucket", "key", "value");
  ASSERT_FALSE(without_server);
  EXPECT_THAT(without_server.error().message, HasSubstr("is the disk full"));
  EXPECT_TRUE(std::filesystem::remove(disk.folder() / "filling"));
  auto again = local::NatsServer::start({disk.folder(), "127.0.0.1", port});
  ASSERT_TRUE(again) << again.error().message;
  for (int i = 0; i < 200 && (*bus)->is_store_silent(); ++i) {
    std::this_thread::sleep_for(50ms);
    static_cast<void>((*bus)->get("bucket", "key"));
  }
  const auto is_connected = [](Bus::State state) { return state == Bus::State::connected; };
  EXPECT_TRUE(states.next_that(is_connected));
  EXPECT_FALSE((*bus)->is_store_silent());
  EXPECT_TRUE((*bus)->put("bucket", "key", "value"));
}

TEST_F(BusTest, DoesNotTakeAServerThatHasEndedForASilentStore) {
  const auto bus = connect();
  ASSERT_TRUE(bus->put("bucket", "key", "value"));
  stop();
  EXPECT_FALSE(bus->get("bucket", "key"));
  EXPECT_FALSE(bus->put("bucket", "key", "value"));
  EXPECT_FALSE(bus->is_store_silent());
}

TEST(Bus, NamesEachAddressThatItTried) {
  const auto bus = Bus::connect({"nats://127.0.0.1:1,nats://127.0.0.2:2", "test", {}, 1s});
  ASSERT_FALSE(bus);
  EXPECT_THAT(bus.error().message, AllOf(HasSubstr("nats://127.0.0.1:1 cannot be reached: "),
                                         HasSubstr("nats://127.0.0.2:2 cannot be reached: "),
                                         EndsWith("or say where it is with --nats URL")));
}

TEST(Bus, SaysWhichAddressHasNotAnsweredYet) {
  const SilentListener nobody;  // accepts connections and never sends a byte
  const auto bus = Bus::start({url_of(nobody), "test", {}, 5s});
  ASSERT_TRUE(bus);
  EXPECT_EQ((*bus)->last_error(), "NATS at " + url_of(nobody) + " has not answered yet");
}

TEST_F(BusTest, GoesOnByTheNextAddressWhenTheFirstOneIsGone) {
  const auto other = local::NatsServer::start({folder_ / "other", "127.0.0.1", 0, key_});
  ASSERT_TRUE(other) << other.error().message;
  Mailbox<Bus::State> states;
  auto both = settings();
  both.url += "," + other->url();
  const auto bus = Bus::connect(both, [&](Bus::State state) { states.put(state); });
  ASSERT_TRUE(bus) << bus.error().message;
  EXPECT_EQ(states.next(), Bus::State::connected);
  EXPECT_EQ((*bus)->last_error(), "");
  stop();
  EXPECT_EQ(states.next(), Bus::State::lost);
  EXPECT_EQ(states.next(), Bus::State::connected);
  EXPECT_TRUE((*bus)->put("bucket", "key", "by the other one"));
}

TEST_F(BusTest, TriesTheOthersWhereAnAddressNeverAnswers) {
  const SilentListener nobody;
  auto both = settings();
  both.url = url_of(nobody) + "," + both.url;
  const auto bus = Bus::connect(both);
  ASSERT_TRUE(bus) << bus.error().message;
  EXPECT_TRUE((*bus)->is_connected());
}

TEST(Bus, RefusesAnotherMachineWithoutAKey) {
  for (const std::string url : {"nats://198.18.0.1:4222", "nats://127.0.0.1:4222,nats://rack2"}) {
    EXPECT_THAT(why(Bus::start({url, "test", {}, 1s})), HasSubstr("submix key new FILE"));
  }
}

}  // namespace
}  // namespace submix::cluster
