// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace submix::metrics {

/// Where a MetricsServer listens. Loopback, unless an address is named: metrics tell much about a
/// show, to everybody who reaches them.
struct MetricsAddress {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port

  friend bool operator==(const MetricsAddress&, const MetricsAddress&) = default;
};

/// Reads "9464", "198.18.0.1:9464" or "[::1]:9464".
[[nodiscard]] Result<MetricsAddress> parse_metrics_address(std::string_view text);

/// Answers GET /metrics over HTTP with a text, for Prometheus.
///
/// Threads  Owns the thread `metrics`, on which `text` is called.
/// Errors   start(): the address cannot be listened at. The server closes clients that are slow or
///          send too much, and those beyond sixteen.
class MetricsServer {
 public:
  [[nodiscard]] static Result<std::unique_ptr<MetricsServer>> start(
      const MetricsAddress& at, std::function<std::string()> text);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  /// "http://127.0.0.1:9464/metrics"
  [[nodiscard]] std::string url() const;

 private:
  class Service;
  explicit MetricsServer(std::unique_ptr<Service> service);

  std::unique_ptr<Service> service_;
};

}  // namespace submix::metrics
