// SPDX-License-Identifier: GPL-3.0-or-later
// A frei0r source that misbehaves at its initialisation by its own file's name: crash.so, exit.so,
// hang.so. slow.so takes two seconds to make an instance. Any other name makes a sound plugin.

#include <dlfcn.h>
extern "C" {
#include <frei0r.h>
}
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

volatile int* volatile nowhere = nullptr;
int self = 0;

std::string_view own_name() {
  Dl_info information{};
  ::dladdr(&self, &information);
  const std::string_view file = information.dli_fname;
  return file.substr(file.rfind('/') + 1);
}

}  // namespace

extern "C" {

int f0r_init() {
  if (own_name() == "crash.so") *nowhere = 1;
  if (own_name() == "exit.so") std::exit(3);
  if (own_name() == "hang.so") ::sleep(1000);
  return 1;
}
void f0r_deinit() {}

void f0r_get_plugin_info(f0r_plugin_info_t* info) {
  info->name = "Beginning";
  info->author = "Submix";
  info->plugin_type = F0R_PLUGIN_TYPE_SOURCE;
  info->color_model = F0R_COLOR_MODEL_RGBA8888;
  info->frei0r_version = FREI0R_MAJOR_VERSION;
  info->major_version = 1;
  info->minor_version = 0;
  info->num_params = 0;
  info->explanation = "Begins badly";
}
void f0r_get_param_info(f0r_param_info_t*, int) {}

f0r_instance_t f0r_construct(unsigned, unsigned) {
  if (own_name() == "slow.so") ::sleep(2);
  return &self;
}
void f0r_destruct(f0r_instance_t) {}
void f0r_set_param_value(f0r_instance_t, f0r_param_t, int) {}
void f0r_get_param_value(f0r_instance_t, f0r_param_t, int) {}
void f0r_update(f0r_instance_t, double, const std::uint32_t*, std::uint32_t*) {}

}  // extern "C"
