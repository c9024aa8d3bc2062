// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/mapped_memory.hpp"

#include "common/base/descriptor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace submix::media {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kHuge = MappedMemory::kHugePageBytes;
constexpr std::size_t kBytes = 3 * kHuge + 300'000;

Descriptor memory_file(std::size_t bytes) {
  Descriptor file(::memfd_create("test", MFD_CLOEXEC));
  EXPECT_EQ(::ftruncate(file.get(), static_cast<off_t>(bytes)), 0);
  return file;
}

bool is_resident(const std::uint8_t* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  EXPECT_EQ(::mincore(const_cast<std::uint8_t*>(data), bytes, pages.data()), 0);
  return std::all_of(pages.begin(), pages.end(),
                     [](unsigned char flags) { return (flags & 1U) != 0; });
}

/// The kernel's figures for the memory area around `place`: "VmFlags", "ShmemPmdMapped", ...
std::map<std::string, std::string> area_at(const std::uint8_t* place) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(place);
  std::ifstream areas("/proc/self/smaps");
  std::map<std::string, std::string> fields;
  bool is_inside = false;
  for (std::string line; std::getline(areas, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_inside = begin <= wanted && wanted < end;
      continue;
    }
    const auto colon = line.find(':');
    if (is_inside && colon != std::string::npos)
      fields[line.substr(0, colon)] = line.substr(colon + 1) + " ";
  }
  return fields;
}

std::string setting(const std::string& name) {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/" + name);
  std::string text;
  std::getline(file, text);
  const auto begin = text.find('[');
  return begin == std::string::npos ? "" : text.substr(begin + 1, text.find(']') - begin - 1);
}

/// True: this kernel joins a file's pages to a huge page on request; since Linux 6.1.
bool joins_pages_on_demand() {
  constexpr int kCollapse = 25;  // MADV_COLLAPSE
  const auto file = memory_file(2 * kHuge);
  const auto memory = MappedMemory::writable(file.get(), 2 * kHuge);
  return memory && ::madvise(memory->data(), kHuge, kCollapse) == 0;
}

TEST(MappedMemory, IsZeroAndThereFromTheBeginning) {
  const auto memory = MappedMemory::own(kBytes);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_EQ(memory->size_bytes(), kBytes);
  EXPECT_TRUE(is_resident(memory->data(), kBytes));
  EXPECT_TRUE(
      std::all_of(memory->data(), memory->data() + kBytes, [](auto byte) { return byte == 0; }));
}

TEST(MappedMemory, HasPagesLaterWhereItIsTouched) {
  const auto memory = MappedMemory::own(kBytes, Pages::later);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_FALSE(is_resident(memory->data(), kHuge));
  memory->data()[kHuge] = 77;
  const auto touched = memory->touch(kHuge - 1, 2);
  ASSERT_TRUE(touched) << touched.error().message;
  EXPECT_TRUE(is_resident(memory->data() + kHuge - 4096, 2 * 4096));
  EXPECT_EQ(memory->data()[kHuge], 77) << "what was written stays";
  EXPECT_FALSE(is_resident(memory->data() + 2 * kHuge, kHuge));
}

TEST(MappedMemory, OfAFileIsThereForWritingAndForReading) {
  const auto file = memory_file(kBytes);
  const auto written = MappedMemory::writable(file.get(), kBytes);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(is_resident(written->data(), kBytes));
  written->data()[kBytes - 1] = 77;
  const auto read = MappedMemory::readable(file.get(), kBytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->data()[kBytes - 1], 77);
}

TEST(MappedMemory, AsksForHugePagesForAllThatFillsSomeAndForNoMore) {
  if (setting("enabled").empty()) GTEST_SKIP() << "this kernel has no transparent huge pages";
  const auto memory = MappedMemory::own(kBytes);
  ASSERT_TRUE(memory);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % kHuge, 0U);
  EXPECT_THAT(area_at(memory->data())["VmFlags"], HasSubstr(" hg "));
  EXPECT_THAT(area_at(memory->data() + 3 * kHuge - 1)["VmFlags"], HasSubstr(" hg "));
  EXPECT_THAT(area_at(memory->data() + 3 * kHuge)["VmFlags"], HasSubstr(" nh "));
}

TEST(MappedMemory, OfAFileHasHugePagesUnlessTheSystemDeniesThem) {
  const auto granted = setting("shmem_enabled");
  const bool is_joined_by_itself =
      granted == "advise" || granted == "always" || granted == "within_size" || granted == "force";
  if (granted.empty() || granted == "deny" || (!is_joined_by_itself && !joins_pages_on_demand()))
    GTEST_SKIP() << "shmem_enabled is \"" << granted << '"';
  const auto file = memory_file(kBytes);
  const auto written = MappedMemory::writable(file.get(), kBytes);
  ASSERT_TRUE(written);
  written->join_pages(kBytes);
  const auto read = MappedMemory::readable(file.get(), kBytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->data()[0], 0);  // mapped as it is read
  EXPECT_THAT(area_at(written->data())["ShmemPmdMapped"], Not(HasSubstr(" 0 kB")));
  EXPECT_THAT(area_at(read->data())["ShmemPmdMapped"], Not(HasSubstr(" 0 kB")));
}

TEST(MappedMemory, ThatIsNotToBeHadIsAnErrorWithTheSize) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 60;
  const auto memory = MappedMemory::own(kTooMuch);
  ASSERT_FALSE(memory);
  EXPECT_THAT(memory.error().message, HasSubstr("1152921504606846976 bytes"));
}

}  // namespace
}  // namespace submix::media
