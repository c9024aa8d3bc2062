// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries described by another process, however they begin.

#include "node/host/library_probe.hpp"

#include "node/host/library_report.hpp"
#include "node/plugin/catalog.hpp"
#include "node/plugin/wet.hpp"
#include "tests/support/plugin_hosts.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace submix::host {
namespace {

using ::testing::HasSubstr;

std::vector<plugin::ProbeResult> probe_libraries(const std::filesystem::path& program,
                                                 const std::vector<std::filesystem::path>& files,
                                                 std::chrono::milliseconds timeout = kProbeTimeout,
                                                 const std::stop_token& stop = {}) {
  const auto probe = library_prober(program, files, timeout, stop);
  std::vector<plugin::ProbeResult> results;
  for (const auto& file : files)
    results.push_back(probe(file));
  return results;
}

/// Libraries that begin as their names say.
class LibraryProbe : public ::testing::Test {
 protected:
  std::filesystem::path library(const std::string& name) const {
    auto file = folder_ / (name + ".so");
    std::filesystem::copy_file(SUBMIX_TEST_BEGINNING, file);
    return file;
  }
  static bool is_loaded_here(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    const std::string all(std::istreambuf_iterator<char>(maps), {});
    return all.find(name) != std::string::npos;
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(LibraryProbe, TellsOfEachWhatItIsOrHowItBegan) {
  const auto found = probe_libraries(
      SUBMIX_PLUGIN_HOST,
      {library("one"), library("crash"), library("two"), library("exit"), library("three")});
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].found.value().id, "frei0r/one");
  EXPECT_THAT(why(found[1].found), HasSubstr("crash.so: is refused: the process that probed it"));
  EXPECT_EQ(found[2].found.value().kind, plugin::Kind::source);
  EXPECT_THAT(why(found[3].found),
              HasSubstr("exit.so: is refused: the process that probed it ended by itself"));
  EXPECT_EQ(found[4].found.value().author, "Submix");
  EXPECT_FALSE(is_loaded_here(folder_.path().string()));
}

TEST_F(LibraryProbe, KnowsWhatMayPass) {
  const auto here =
      probe_libraries(SUBMIX_PLUGIN_HOST, {library("crash"), library("exit"), folder_ / "no.so"});
  EXPECT_FALSE(here[0].may_pass);
  EXPECT_FALSE(here[1].may_pass);
  EXPECT_TRUE(here[2].may_pass) << "it, or what it needs, may be there later";
  EXPECT_TRUE(probe_libraries("/nowhere/submix-plugin-host", {library("one")})[0].may_pass);
  EXPECT_TRUE(
      probe_libraries(SUBMIX_PLUGIN_HOST, {library("hang")}, std::chrono::milliseconds(300))[0]
          .may_pass);
}

TEST_F(LibraryProbe, RefusesOneThatHangs) {
  const auto found =
      probe_libraries(SUBMIX_PLUGIN_HOST, {library("hang")}, std::chrono::milliseconds(500));
  EXPECT_THAT(why(found.at(0).found),
              HasSubstr("hang.so: is refused: it did not describe itself within 500 ms"));
}

TEST_F(LibraryProbe, GivesUpOneThatHangsWhenItIsAskedToStop) {
  std::stop_source stop;
  std::vector<plugin::ProbeResult> found;
  std::jthread prober([&] {
    found = probe_libraries(SUBMIX_PLUGIN_HOST, {library("hang"), library("one")},
                            std::chrono::hours(1), stop.get_token());
  });
  while (testing::plugin_hosts_of_this().at_work.empty())
    std::this_thread::yield();
  stop.request_stop();
  prober.join();
  ASSERT_EQ(found.size(), 2U);
  for (const auto& each : found) {
    EXPECT_THAT(why(each.found), HasSubstr("it was not probed: the node stops"));
    EXPECT_TRUE(each.may_pass);
  }
}

TEST_F(LibraryProbe, SaysWhyItCannotLookAtAny) {
  const auto found =
      probe_libraries("/nowhere/submix-plugin-host", {library("one"), library("two")});
  EXPECT_THAT(why(found.at(1).found), HasSubstr("/nowhere/submix-plugin-host cannot be started"));
}

TEST_F(LibraryProbe, SeesWhatALibraryInThisProcessSees) {
  std::vector<std::filesystem::path> files;
  for (const auto* name : {"glow", "RGB", "cairogradient", "curves", "xfade0r", "tehroxx0r"})
    files.emplace_back(std::string("/usr/lib/frei0r-1/") + name + ".so");
  const auto found = probe_libraries(SUBMIX_PLUGIN_HOST, files);
  const plugin::Catalog here;
  for (const auto& [description, may_pass] : found) {
    ASSERT_TRUE(description) << description.error().message;
    auto seen = *description;
    plugin::add_wet(seen);  // the catalog's own
    EXPECT_EQ(encode(seen), encode(**here.describe(seen.id))) << seen.id;
  }
}

TEST_F(LibraryProbe, LetsACatalogSayWhatIsRefusedAndNoticeAnotherFile) {
  const auto file = library("crash");
  (void)library("sound");
  plugin::Catalog catalog({folder_.path()});
  catalog.probe_libraries_with(
      [](const auto& files) { return library_prober(SUBMIX_PLUGIN_HOST, files); });
  ASSERT_EQ(catalog.list().size(), 1U);
  EXPECT_EQ(catalog.list()[0].id, "frei0r/sound");
  ASSERT_EQ(catalog.refusals().size(), 1U);
  EXPECT_EQ(catalog.refusals()[0].id, "frei0r/crash");
  EXPECT_THAT(why(catalog.describe("frei0r/crash")), HasSubstr("is refused"));

  std::filesystem::copy_file("/usr/lib/frei0r-1/glow.so", file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ((*catalog.describe("frei0r/crash"))->kind, plugin::Kind::filter);
  EXPECT_EQ(catalog.list().size(), 2U);
}

plugin::Description any_description() {
  plugin::Description description{.id = "frei0r/any", .kind = plugin::Kind::mixer2};
  description.explanation = "Anything";
  description.parameters = {
      {.name = "a", .initial = 0.5},
      {.name = "b", .type = plugin::ParameterType::text, .initial = std::string("x")},
      {.name = "c", .type = plugin::ParameterType::color, .initial = std::vector<double>{0, 1, 0}}};
  return description;
}

TEST(LibraryReport, ComesThrough) {
  const auto bytes = encode(Result<plugin::Description>(any_description()));
  const auto again = decode_report(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(encode(again), bytes);
  EXPECT_EQ(again->parameters[2].name, "c");
  EXPECT_EQ(why(decode_report(encode(fail("no such library")))), "no such library");
}

TEST(LibraryReport, OfAnInitialValueThatCannotBeIsNone) {
  for (const show::ParameterValue& value : std::initializer_list<show::ParameterValue>{
           std::numeric_limits<double>::quiet_NaN(), 2.0, true, std::string("0.5"),
           std::vector<double>{0.5}}) {
    auto description = any_description();
    description.parameters[0].initial = value;
    EXPECT_THAT(why(decode_report(encode(description))), HasSubstr("are no report"))
        << value.index();
  }
}

TEST(LibraryReport, ThatIsCutOrGarbledIsNone) {
  const auto bytes = encode(Result<plugin::Description>(any_description()));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THAT(why(decode_report(std::span(bytes).first(length))), HasSubstr("are no report"))
        << length;
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    auto garbled = bytes;
    garbled[random() % garbled.size()] = static_cast<std::byte>(random());
    // It ends in any case, and reads nothing beyond the bytes.
    static_cast<void>(decode_report(garbled));
  }
}

}  // namespace
}  // namespace submix::host
