// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/built_ins.hpp"

namespace submix::plugin {
namespace {

class Null final : public Plugin {
 public:
  std::optional<media::Frame> process(Work& work) override { return work.inputs[0]; }
  void set(std::string_view, const show::ParameterValue&) override {}
};

}  // namespace

Description null_description() {
  return {.id = "null",
          .kind = Kind::output,
          .explanation = "Passes its input on and does nothing with it"};
}

Result<std::unique_ptr<Plugin>> make_null(const Setup&) {
  return std::make_unique<Null>();
}

}  // namespace submix::plugin
