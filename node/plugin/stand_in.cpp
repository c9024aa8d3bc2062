// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/black_frame.hpp"
#include "node/plugin/built_ins.hpp"

#include <string>
#include <utility>

namespace submix::plugin {
namespace {

constexpr std::string_view kReason = "reason";

ParameterDescription reason_description() {
  return {.name = std::string(kReason),
          .type = ParameterType::text,
          .explanation = "Why the slot's own plugin cannot be used",
          .initial = std::string()};
}

/// Reports its reason as its trouble: status and window show the reason at the slot.
class StandIn : public Plugin {
 public:
  explicit StandIn(const Setup& setup)
      : reason_(std::get<std::string>(setup.parameters.at(std::string(kReason)))) {}

  void set(std::string_view, const show::ParameterValue&) override {}
  std::string trouble() const override { return reason_; }

 private:
  const std::string reason_;
};

class PassedOn final : public StandIn {
 public:
  using StandIn::StandIn;
  std::optional<media::Frame> process(Work& work) override { return work.inputs[0]; }
};

class Black final : public StandIn {
 public:
  using StandIn::StandIn;
  std::optional<media::Frame> process(Work& work) override { return black_frame(work); }
};

}  // namespace

Description stand_in_source_description() {
  return {.id = std::string(kStandInSource),
          .kind = Kind::source,
          .explanation = "Black, in place of a source that cannot be used",
          .parameters = {reason_description()},
          .is_listed = false};
}

Result<std::unique_ptr<Plugin>> make_stand_in_source(const Setup& setup) {
  return std::make_unique<Black>(setup);
}

Description stand_in_filter_description() {
  return {.id = std::string(kStandInFilter),
          .kind = Kind::filter,
          .explanation = "Passes its input on, in place of a plugin that cannot be used",
          .parameters = {reason_description()},
          .is_listed = false};
}

Result<std::unique_ptr<Plugin>> make_stand_in_filter(const Setup& setup) {
  return std::make_unique<PassedOn>(setup);
}

}  // namespace submix::plugin
