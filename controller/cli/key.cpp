// SPDX-License-Identifier: GPL-3.0-or-later
// submix key new, submix key show
#include "common/cluster/show_key.hpp"

#include "controller/cli/commands.hpp"

#include <fmt/format.h>

#include <ostream>

namespace submix::cli {

int run_key_new(Context& context, const KeyOptions& options) {
  const auto written = cluster::ShowKey::random().write_new(options.file);
  if (!written) return failed(context, written.error().message);
  context.out << fmt::format(
      "{}: a new key, for you alone to read. Copy it to each PC of the show, and name it there:\n"
      "  submix nats --key {} --listen ADDRESS   submix-node --key {} …   submix-controller --key "
      "{} …\n",
      options.file, options.file, options.file, options.file);
  context.out << std::flush;
  return kOk;
}

int run_key_show(Context& context, const KeyOptions& options) {
  const auto key = cluster::ShowKey::read(options.file);
  if (!key) return failed(context, key.error().message);
  context.out << key->text() << std::endl;
  return kOk;
}

}  // namespace submix::cli
