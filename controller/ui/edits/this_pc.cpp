// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/this_pc.hpp"

#include "common/base/host_name.hpp"
#include "common/base/machine_id.hpp"
#include "controller/model/view/machine_use.hpp"

namespace submix::ui {

const model::NodeView& this_pc() {
  static const auto kPc = [] {
    model::NodeView pc;
    pc.host = host_name();
    pc.machine = machine_id();
    return pc;
  }();
  return kPc;
}

bool is_on_this_pc(const model::NodeView& node) {
  return model::are_on_one_machine(node, this_pc());
}

}  // namespace submix::ui
