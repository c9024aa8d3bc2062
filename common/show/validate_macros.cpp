// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/circles.hpp"
#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/nearest.hpp"
#include "common/show/validate.hpp"
#include "common/show/validate_parts.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace submix::show {
namespace {

std::string count_of(std::size_t count, std::string_view plugin) {
  return fmt::format("{} \"{}\" slot{}", count, plugin, count == 1 ? "" : "s");
}

class MacroValidation {
 public:
  MacroValidation(const Show& show, Problems& problems) : show_(show), problems_(problems) {}

  void run() {
    check_output_chain();
    for (std::size_t i = 0; i < show_.submixes.size(); ++i) {
      for (std::size_t k = 0; k < show_.submixes[i].slots.size(); ++k)
        check_place(i, k);
    }
    if (is_full(problems_)) return;  // the list of users is incomplete: size_of() might not end
    if (const auto circle = find_circle(users_); !circle.empty()) {
      return complain("submix",
                      fmt::format("submixes stand inside each other in a circle: {}; take one of "
                                  "them out of the other",
                                  circle));
    }
    for (std::size_t i = 0; i < show_.submixes.size(); ++i)
      check_size(i);
  }

 private:
  void complain(std::string path, std::string text) {
    problems_.push_back({std::move(path), std::move(text)});
  }

  void check_output_chain() {
    const auto& name = show_.output_chain;
    if (name.empty()) return;
    const auto* chain = show_.find_submix(name);
    if (chain == nullptr) {
      return complain("show.output_chain",
                      fmt::format("show: output_chain: submix \"{}\" is not in the show{}", name,
                                  did_you_mean(name, names_of(show_.submixes))));
    }
    if (const auto fault = output_fault(*chain); !fault.empty())
      complain("show.output_chain", fmt::format("show: output_chain: {}", fault));
    const auto inputs = slots_of_plugin(*chain, kStreamInPlugin).size();
    if (inputs == 1) return;
    complain("show.output_chain",
             fmt::format("show: output_chain: submix \"{}\" has {}; a chain has one", name,
                         count_of(inputs, kStreamInPlugin)));
  }

  // Why a slot that stands for `macro` would have no picture. Empty: it has a picture.
  static std::string output_fault(const Submix& macro) {
    const auto outputs = slots_of_plugin(macro, kStreamOutPlugin);
    if (outputs.size() != 1) {
      return fmt::format(
          "submix \"{}\" has {}; a submix that stands in a slot has one, whose input is the slot's "
          "picture",
          macro.name, count_of(outputs.size(), kStreamOutPlugin));
    }
    const auto resolved =
        resolve_inputs(macro, static_cast<std::size_t>(outputs.front() - macro.slots.data()), 1);
    return resolved ? std::string()
                    : fmt::format("submix \"{}\": {}", macro.name, resolved.error().message);
  }

  void check_place(std::size_t i, std::size_t k) {
    const auto& submix = show_.submixes[i];
    const auto& slot = submix.slots[k];
    const auto name = macro_of(slot);
    if (!slot.plugin.starts_with(kMacroPrefix) || is_full(problems_)) return;
    const auto path = fmt::format("submix[{}].slot[{}]", i, k);
    const auto title = fmt::format("submix \"{}\", slot \"{}\"", submix.name, slot.name);
    const auto* macro = show_.find_submix(name);
    if (macro == nullptr) {
      return complain(path + ".plugin",
                      fmt::format("{}: plugin \"{}\": submix \"{}\" is not in the show{}", title,
                                  slot.plugin, name, did_you_mean(name, names_of(show_.submixes))));
    }
    users_[submix.name].push_back(macro->name);
    check_ports(*macro, path, title, submix, k);
    for (const auto& [parameter, value] : slot.parameters)
      check_parameter(*macro, path + ".parameters", title, parameter);
    for (const auto& [parameter, oscillator] : slot.oscillators)
      check_parameter(*macro, path + ".oscillators", title, parameter);
  }

  void check_ports(const Submix& macro, const std::string& path, const std::string& title,
                   const Submix& submix, std::size_t k) {
    if (const auto fault = output_fault(macro); !fault.empty())
      complain(path + ".plugin",
               fmt::format("{}: plugin \"{}\": {}", title, submix.slots[k].plugin, fault));
    const auto inputs = slots_of_plugin(macro, kStreamInPlugin).size();
    if (const auto resolved = resolve_inputs(submix, k, inputs); !resolved)
      complain(path + ".inputs", fmt::format("{}: {}", title, resolved.error().message));
  }

  void check_parameter(const Submix& macro, const std::string& path, const std::string& title,
                       const std::string& parameter) {
    const auto dot = std::min(parameter.find('.'), parameter.size());
    const auto inner = parameter.substr(0, dot);
    if (has_named(macro.slots, inner) && dot + 1 < parameter.size()) return;
    if (is_full(problems_)) return;
    const auto names = names_of(macro.slots);
    complain(
        fmt::format("{}.{}", path, parameter),
        fmt::format(
            "{}: parameter \"{}\" does not name a slot of submix \"{}\"{} and its parameter; write "
            "\"{}.Amount\" = 0.5",
            title, parameter, macro.name, did_you_mean(inner, names),
            names.empty() ? "blur" : names.front()));
  }

  // A few submixes that each use the next one twice would expand to millions of slots.
  void check_size(std::size_t i) {
    const auto& submix = show_.submixes[i];
    const auto shown = std::count_if(submix.slots.begin(), submix.slots.end(), is_shown_at);
    const auto* chain = show_.find_submix(show_.output_chain);
    const auto of_chain = chain == nullptr ? 0 : static_cast<std::size_t>(shown) * size_of(*chain);
    const auto slots = size_of(submix) + of_chain;
    if (slots <= kSlotsMax || submix.slots.size() > kSlotsMax) return;
    complain(
        fmt::format("submix[{}]", i),
        fmt::format(
            "submix \"{}\": {} slots, with those of the submixes that stand in it{}, are more than "
            "{}; take some out",
            submix.name, slots >= kCountMax ? "over a thousand" : fmt::format("{}", slots),
            of_chain > 0 ? " and of the output chain" : "", kSlotsMax));
  }

  std::size_t size_of(const Submix& submix) {
    if (const auto known = sizes_.find(submix.name); known != sizes_.end()) return known->second;
    std::size_t size = 0;
    for (const auto& slot : submix.slots) {
      const auto* macro = show_.find_submix(macro_of(slot));
      size = std::min(kCountMax, size + (macro == nullptr ? 1 : size_of(*macro)));
    }
    return sizes_[submix.name] = size;
  }

  static constexpr std::size_t kCountMax = 1001;

  const Show& show_;
  Problems& problems_;
  Graph users_;
  std::map<std::string, std::size_t> sizes_;
};

}  // namespace

bool check_macros(const Show& show, Problems& problems) {
  if (is_full(problems)) return false;
  const auto before = problems.size();
  MacroValidation(show, problems).run();
  return problems.size() == before;
}

}  // namespace submix::show
