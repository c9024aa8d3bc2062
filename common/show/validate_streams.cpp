// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/circles.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "common/show/validate.hpp"
#include "common/show/validate_parts.hpp"

#include <arpa/inet.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace submix::show {
namespace {

bool is_address(const std::string& text) {
  unsigned char address[sizeof(in6_addr)];
  return ::inet_pton(AF_INET, text.c_str(), address) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), address) == 1;
}

constexpr std::size_t kCongestionBytesMax = 15;  // the kernel's limit
constexpr std::size_t kStandbyBytesMax = 1024;   // far beyond any sensible path

bool is_congestion_name(const std::string& text) {
  constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  return !text.empty() && text.size() <= kCongestionBytesMax &&
         text.find_first_not_of(kCharacters) == std::string::npos;
}

class StreamValidation {
 public:
  StreamValidation(const Show& show, Problems& problems) : show_(show), problems_(problems) {}

  void run() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < show_.streams.size() && !is_full(problems_); ++i) {
      const auto& stream = show_.streams[i];
      const auto path = fmt::format("stream[{}]", i);
      const auto title = fmt::format("stream \"{}\"", stream.name);
      check_name(problems_, path, title, stream.name, taken);
      check_end(path + ".from", title, stream.from, kStreamOutPlugin);
      check_end(path + ".to", title, stream.to, kStreamInPlugin);
      check_wiring(path, title, stream);
      check_transport(path, title, stream);
    }
    check_stream_circle();
  }

 private:
  void complain(std::string path, std::string text) {
    problems_.push_back({std::move(path), std::move(text)});
  }

  void check_end(const std::string& path, const std::string& title, const Port& port,
                 std::string_view plugin) {
    const auto* submix = show_.find_submix(port.submix);
    const auto* slot = show_.find_slot(port);
    if (submix == nullptr) {
      complain(path,
               fmt::format("{}: \"{}\": submix \"{}\" is not in the show{}", title, to_string(port),
                           port.submix, did_you_mean(port.submix, names_of(show_.submixes))));
    } else if (slot == nullptr) {
      complain(path, fmt::format("{}: \"{}\": submix \"{}\" has no slot \"{}\"{}", title,
                                 to_string(port), port.submix, port.slot,
                                 did_you_mean(port.slot, names_of(submix->slots))));
    } else if (slot->plugin != plugin) {
      complain(
          path,
          fmt::format(
              "{}: \"{}\" is a \"{}\" slot, but a stream runs from a \"{}\" slot to a \"{}\" slot",
              title, to_string(port), slot->plugin, kStreamOutPlugin, kStreamInPlugin));
    }
  }

  void check_wiring(const std::string& path, const std::string& title, const Stream& stream) {
    if (!fed_.insert(to_string(stream.to)).second) {
      complain(path + ".to",
               fmt::format("{}: \"{}\" is wired twice; an input takes one stream, so add another "
                           "\"{}\" slot for this one",
                           title, to_string(stream.to), kStreamInPlugin));
    }
    if (++receivers_[to_string(stream.from)] == kReceiversMax + 1) {
      complain(
          path + ".from",
          fmt::format(
              "{}: \"{}\" has more than {} receivers; let a submix that receives it pass it on",
              title, to_string(stream.from), kReceiversMax));
    }
  }

  void check_transport(const std::string& path, const std::string& title, const Stream& stream) {
    const auto links =
        stream.routes.empty() ? stream.link_count : static_cast<int>(stream.routes.size());
    if (links < 1 || links > kLinksMax) {
      complain(path + ".links", fmt::format("{}: {} links are not within 1 to {}; write links = 2",
                                            title, links, kLinksMax));
    }
    if (stream.pause_budget.count() < 0 || stream.pause_budget > kPauseBudgetMax) {
      complain(
          path + ".pause_budget_ms",
          fmt::format("{}: pause_budget_ms {} is not within 0 to {}; write pause_budget_ms = 500",
                      title, stream.pause_budget.count(), kPauseBudgetMax.count()));
    }
    if (stream.standby.size() > kStandbyBytesMax || !is_plain_text(stream.standby)) {
      complain(
          path + ".standby",
          fmt::format(
              "{}: standby {} is no file name of at most {} letters; write standby = \"break.png\"",
              title, is_plain_text(stream.standby) ? in_quotes(stream.standby.substr(0, 60)) : "?",
              kStandbyBytesMax));
    }
    if (!is_congestion_name(stream.congestion)) {
      complain(
          path + ".congestion",
          fmt::format(
              "{}: congestion {} is no name of a TCP congestion control: 1 to {} of a-z, 0-9, "
              "'-' and '_'; write congestion = \"cubic\"",
              title,
              is_plain_text(stream.congestion) ? in_quotes(stream.congestion.substr(0, 60)) : "?",
              kCongestionBytesMax));
    }
    for (const auto& route : stream.routes) {
      for (const auto* address : {&route.from, &route.to}) {
        if (is_address(*address)) continue;
        complain(
            path + ".links",
            fmt::format("{}: link address {} is not an IP address; write links = [{{ from = "
                        "\"10.0.0.1\", to = \"10.0.0.2\" }}]",
                        title, is_plain_text(*address) ? in_quotes(address->substr(0, 60)) : "?"));
      }
    }
  }

  void check_stream_circle() {
    Graph readers;
    for (const auto& stream : show_.streams)
      readers[stream.from.submix].push_back(stream.to.submix);
    if (const auto circle = find_circle(readers); !circle.empty()) {
      complain(
          "stream",
          fmt::format(
              "streams run in a circle: {}; each would wait for the other. Put what a returning "
              "picture is for into a submix of its own",
              circle));
    }
  }

  const Show& show_;
  Problems& problems_;
  std::set<std::string> fed_;                     // inputs that a stream feeds already
  std::map<std::string, std::size_t> receivers_;  // for each output
};

}  // namespace

void check_streams(const Show& show, Problems& problems) {
  StreamValidation(show, problems).run();
}

}  // namespace submix::show
