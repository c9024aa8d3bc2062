// SPDX-License-Identifier: GPL-3.0-or-later
// A frei0r filter that misbehaves on demand. At one second of its stream it does what its parameter
// "deed" names; "crash@2.5" names another time, and "slow" applies to every frame. Otherwise it
// copies its input, with "level" in the first pixel's red. The second pixel's red counts how often
// a parameter was set, if "count" asks for it.

#include <fcntl.h>
extern "C" {
#include <frei0r.h>
}
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>

namespace {

constexpr double kWhen = 1.0;
constexpr useconds_t kSlowFrame = 80'000;  // of a show's 33 ms
constexpr std::ptrdiff_t kHugePagePixels = (2 << 20) / 4;
constexpr double kNear = 0.004;  // less than half a frame's time

struct Instance {
  std::size_t pixels = 0;
  std::string deed;
  double when = kWhen;
  std::string file;
  double level = 0;
  int times_set = 0;
};

struct Pictures {
  std::size_t pixels;
  const std::uint32_t* input;
  std::uint32_t* output;
};

volatile std::uint32_t seen = 0;  // keeps the compiler from removing the reads
volatile bool never = false;
volatile int* volatile nowhere = nullptr;

// An endless recursion that no compiler turns into a loop.
std::uint32_t fall(std::uint32_t depth) {
  volatile char room[4096];
  room[depth % sizeof(room)] = static_cast<char>(depth);
  if (never) return 0;
  return fall(depth + 1) + static_cast<std::uint32_t>(room[0]);
}

void compute_without_end() {
  for (;;)
    seen = seen + 1;
}

// Longer than a raised thread may compute without a pause, and shorter than a hang.
void compute_for_long() {
  const auto computed_ms = [] {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
  };
  const auto end_ms = computed_ms() + 800;
  while (computed_ms() < end_ms) {
  }
}

void leak_all_descriptors() {
  while (::open("/etc/ld.so.cache", O_RDONLY) >= 0) {
  }
  std::abort();
}

void leak_all_there_is() {
  for (;;) {
    volatile char* const block = static_cast<char*>(std::malloc(std::size_t{64} << 20U));
    if (block == nullptr) std::abort();
    block[0] = 1;
  }
}

// Tries a forbidden deed. Returns errno or 0.
int attempt(std::string_view deed, const std::string& file) {
  int result = -1;
  errno = 0;
  if (deed == "write") result = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  if (deed == "read") result = ::open(file.c_str(), O_RDONLY);
  if (deed == "unlink") result = ::unlink(file.c_str());
  if (deed == "socket") result = ::socket(AF_INET, SOCK_STREAM, 0);
  if (deed == "fork") result = ::fork();
  if (deed == "exec") result = ::execl("/bin/true", "true", nullptr);
  if (deed == "signal") result = ::kill(::getppid(), 0);
  if (deed == "owner")
    result = ::fcntl(::open("/usr", O_RDONLY | O_DIRECTORY), F_SETOWN, ::getppid());
  return result < 0 ? errno : 0;
}

void misbehave(std::string_view deed, const Pictures& pictures) {
  if (deed == "crash") *nowhere = 1;
  if (deed == "abort") std::abort();
  if (deed == "exit") std::exit(0);
  if (deed == "compute") compute_without_end();
  if (deed == "long") compute_for_long();
  if (deed == "sleep") ::sleep(1000);
  if (deed == "overflow") seen = fall(0);
  if (deed == "leak") leak_all_there_is();
  if (deed == "descriptors") leak_all_descriptors();
  if (deed == "write-behind") std::fill_n(pictures.output, pictures.pixels + 1024, 0xFFU);
  if (deed == "write-before") std::fill_n(pictures.output - 1024, 1024, 0xFFU);
  if (deed == "write-far-before") {
    for (auto* pixel = pictures.output; pixel != pictures.output - kHugePagePixels;)
      *--pixel = 0xFFU;
  }
  if (deed == "read-behind") seen = pictures.input[pictures.pixels + 512];
  if (deed == "write-input") const_cast<std::uint32_t*>(pictures.input)[0] = 7;
  if (deed == "unprotect-input") {
    auto* const page = const_cast<std::uint32_t*>(pictures.input);
    if (::mprotect(page, 4096, PROT_READ | PROT_WRITE) == 0) page[0] = 7;
  }
  if (deed == "throw") throw 7;
}

double number(f0r_param_t value) {
  return *static_cast<double*>(value);
}

std::string text(f0r_param_t value) {
  return *static_cast<f0r_param_string*>(value);
}

void set_deed(Instance& self, const std::string& text) {
  const auto at = text.find('@');
  self.deed = text.substr(0, at);
  self.when = at == std::string::npos ? kWhen : std::strtod(text.c_str() + at + 1, nullptr);
}

}  // namespace

extern "C" {

int f0r_init() {
  return 1;
}
void f0r_deinit() {}

void f0r_get_plugin_info(f0r_plugin_info_t* info) {
  info->name = "Deeds";
  info->author = "Submix";
  info->plugin_type = F0R_PLUGIN_TYPE_FILTER;
  info->color_model = F0R_COLOR_MODEL_RGBA8888;
  info->frei0r_version = FREI0R_MAJOR_VERSION;
  info->major_version = 1;
  info->minor_version = 0;
  info->num_params = 3;
  info->explanation = "Misbehaves on demand";
}

void f0r_get_param_info(f0r_param_info_t* info, int index) {
  info->name = index == 0 ? "deed" : index == 1 ? "file" : "level";
  info->type = index == 2 ? F0R_PARAM_DOUBLE : F0R_PARAM_STRING;
  info->explanation = "";
}

f0r_instance_t f0r_construct(unsigned width, unsigned height) {
  if (width == 16) return nullptr;  // pretends that the picture is too small
  return new Instance{.pixels = std::size_t{width} * height, .deed = {}, .file = {}};
}
void f0r_destruct(f0r_instance_t instance) {
  delete static_cast<Instance*>(instance);
}

void f0r_set_param_value(f0r_instance_t instance, f0r_param_t value, int index) {
  auto& self = *static_cast<Instance*>(instance);
  ++self.times_set;
  if (index == 0) set_deed(self, text(value));
  if (index == 1) self.file = text(value);
  if (index == 2) self.level = number(value);
}

void f0r_get_param_value(f0r_instance_t instance, f0r_param_t value, int index) {
  auto& self = *static_cast<Instance*>(instance);
  static char empty[] = "";
  if (index == 2) {
    *static_cast<double*>(value) = self.level;
  } else {
    *static_cast<f0r_param_string*>(value) = empty;
  }
}

void f0r_update(f0r_instance_t instance, double time, const std::uint32_t* input,
                std::uint32_t* output) {
  const auto& self = *static_cast<Instance*>(instance);
  std::copy_n(input, self.pixels, output);
  output[0] = static_cast<std::uint32_t>(std::lround(self.level * 255));
  if (self.deed == "slow") ::usleep(kSlowFrame);
  if (std::abs(time - self.when) > kNear || self.deed.empty()) return;
  misbehave(self.deed, {self.pixels, input, output});
  output[1] = static_cast<std::uint32_t>(self.deed == "count" ? self.times_set
                                                              : attempt(self.deed, self.file));
}

}  // extern "C"
