// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/show_edit.hpp"

#include "common/show/edit.hpp"
#include "common/show/text.hpp"

#include <string_view>
#include <vector>

namespace submix::model {
namespace {

std::string text_of(const show::ParameterValue& value) {
  struct Print {
    std::string operator()(bool on) const { return on ? "on" : "off"; }
    std::string operator()(double number) const { return fmt::format("{:.3g}", number); }
    std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
    std::string operator()(const std::vector<double>& numbers) const {
      std::string text;
      for (const double number : numbers)
        text += fmt::format("{}{:.2g}", text.empty() ? "" : ", ", number);
      return fmt::format("[{}]", text);
    }
  };
  return std::visit(Print{}, value);
}

struct Title {
  std::string operator()(const AssignSubmix& edit) const {
    if (edit.node.empty()) return fmt::format("run {} nowhere", edit.submix);
    return fmt::format("run {} on {}", edit.submix, edit.node);
  }
  std::string operator()(const SetParameter& edit) const {
    const auto value = edit.value ? text_of(*edit.value) : std::string("reset");
    return fmt::format("{}.{}: {} {}", edit.slot.submix, edit.slot.slot, edit.name, value);
  }
  std::string operator()(const SetBypass& edit) const {
    return fmt::format("{}.{}: bypass {}", edit.slot.submix, edit.slot.slot, edit.is_bypassed ? "on" : "off");
  }
  std::string operator()(const SetLinks& edit) const {
    return fmt::format("{}: {} {}", edit.stream, edit.count, edit.count == 1 ? "link" : "links");
  }
  std::string operator()(const SetPolicy& edit) const {
    const auto budget =
        edit.pause_budget ? fmt::format(", pause budget {} ms", edit.pause_budget->count()) : std::string();
    return fmt::format("{}: policy {}{}", edit.stream, show::to_string(edit.policy), budget);
  }
};

// Which thing an edit changes.
struct Target {
  using Path = std::vector<std::string_view>;

  Path operator()(const AssignSubmix& edit) const { return {"assign", edit.submix}; }
  Path operator()(const SetParameter& edit) const {
    return {"set", edit.slot.submix, edit.slot.slot, edit.name};
  }
  Path operator()(const SetBypass& edit) const { return {"bypass", edit.slot.submix, edit.slot.slot}; }
  Path operator()(const SetLinks& edit) const { return {"links", edit.stream}; }
  Path operator()(const SetPolicy& edit) const { return {"policy", edit.stream}; }
};

tl::unexpected<Error> no_submix(std::string_view name) {
  return fail("the show has no submix \"{}\" any more", name);
}
tl::unexpected<Error> no_stream(std::string_view name) {
  return fail("the show has no stream \"{}\" any more", name);
}
tl::unexpected<Error> no_slot(const show::Port& port) {
  return fail("the show has no slot \"{}.{}\" any more", port.submix, port.slot);
}

struct Present {
  const show::Show& show;

  Result<Edit> operator()(const AssignSubmix& edit) const {
    const auto* submix = show.find_submix(edit.submix);
    if (submix == nullptr) return no_submix(edit.submix);
    return AssignSubmix{edit.submix, submix->node};
  }
  Result<Edit> operator()(const SetParameter& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    const auto found = slot->parameters.find(edit.name);
    SetParameter now{edit.slot, edit.name, std::nullopt};
    if (found != slot->parameters.end()) now.value = found->second;
    return now;
  }
  Result<Edit> operator()(const SetBypass& edit) const {
    const auto* slot = show.find_slot(edit.slot);
    if (slot == nullptr) return no_slot(edit.slot);
    return SetBypass{edit.slot, slot->is_bypassed};
  }
  Result<Edit> operator()(const SetLinks& edit) const {
    const auto* stream = show.find_stream(edit.stream);
    if (stream == nullptr) return no_stream(edit.stream);
    return SetLinks{edit.stream, stream->link_count, stream->routes};
  }
  Result<Edit> operator()(const SetPolicy& edit) const {
    const auto* stream = show.find_stream(edit.stream);
    if (stream == nullptr) return no_stream(edit.stream);
    return SetPolicy{edit.stream, stream->policy, stream->pause_budget};
  }
};

struct Apply {
  show::Show& show;

  Result<void> operator()(const AssignSubmix& edit) const {
    return show::assign(show, edit.submix, edit.node);
  }
  Result<void> operator()(const SetParameter& edit) const {
    if (!edit.value) return show::clear_parameter(show, edit.slot, edit.name);
    return show::set_parameter(show, edit.slot, edit.name, *edit.value);
  }
  Result<void> operator()(const SetBypass& edit) const {
    return show::set_bypassed(show, edit.slot, edit.is_bypassed);
  }
  Result<void> operator()(const SetLinks& edit) const {
    return show::set_links(show, edit.stream, edit.count, edit.routes);
  }
  Result<void> operator()(const SetPolicy& edit) const {
    return show::set_policy(show, edit.stream, edit.policy, edit.pause_budget);
  }
};

}  // namespace

std::string title(const Edit& edit) {
  return std::visit(Title{}, edit);
}

bool is_same_target(const Edit& a, const Edit& b) {
  return std::visit(Target{}, a) == std::visit(Target{}, b);
}

Result<Edit> present(const show::Show& show, const Edit& edit) {
  return std::visit(Present{show}, edit);
}

Result<void> apply(show::Show& show, const Edit& edit) {
  return std::visit(Apply{show}, edit);
}

}  // namespace submix::model
