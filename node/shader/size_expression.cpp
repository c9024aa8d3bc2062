// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/size_expression.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace submix::shader {
namespace {

constexpr int kDepthMax = 32;

struct Call {
  std::string_view name;
  std::size_t arguments;
  double (*compute)(const std::vector<double>&);
};

constexpr std::array<Call, 8> kCalls{{
    {"floor", 1, [](const std::vector<double>& of) { return std::floor(of[0]); }},
    {"ceil", 1, [](const std::vector<double>& of) { return std::ceil(of[0]); }},
    {"round", 1, [](const std::vector<double>& of) { return std::round(of[0]); }},
    {"abs", 1, [](const std::vector<double>& of) { return std::abs(of[0]); }},
    {"sqrt", 1, [](const std::vector<double>& of) { return std::sqrt(of[0]); }},
    {"min", 2, [](const std::vector<double>& of) { return std::fmin(of[0], of[1]); }},
    {"max", 2, [](const std::vector<double>& of) { return std::fmax(of[0], of[1]); }},
    {"pow", 2, [](const std::vector<double>& of) { return std::pow(of[0], of[1]); }},
}};

/// Reads an expression from left to right, by recursive descent.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Variables& variables)
      : text_(text), rest_(text), variables_(variables) {}

  Result<double> read() {
    auto value = sum();
    SUBMIX_TRY(value);
    skip_spaces();
    if (!rest_.empty()) return wrong();
    return value;
  }

 private:
  Result<double> sum() {
    auto value = product();
    SUBMIX_TRY(value);
    for (;;) {
      const bool is_plus = take('+');
      if (!is_plus && !take('-')) return value;
      const auto other = product();
      SUBMIX_TRY(other);
      *value += is_plus ? *other : -*other;
    }
  }

  Result<double> product() {
    auto value = factor();
    SUBMIX_TRY(value);
    for (;;) {
      const char sign = take('*') ? '*' : take('/') ? '/' : take('%') ? '%' : ' ';
      if (sign == ' ') return value;
      const auto other = factor();
      SUBMIX_TRY(other);
      if (sign == '*') *value *= *other;
      if (sign == '/') *value /= *other;
      if (sign == '%') *value = std::fmod(*value, *other);
    }
  }

  Result<double> factor() {
    if (++depth_ > kDepthMax) return fail("\"{}\": deeper than {}", text_, kDepthMax);
    auto value = signed_or_plain();
    --depth_;
    return value;
  }

  Result<double> signed_or_plain() {
    if (take('-')) return factor().map([](double value) { return -value; });
    if (take('+')) return factor();
    if (take('(')) {
      auto value = sum();
      if (value && !take(')')) return wrong();
      return value;
    }
    if (take('$')) return variable();
    if (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front())) != 0)
      return call();
    return number();
  }

  Result<double> number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return wrong();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  Result<double> variable() {
    const auto name = take_name();
    const auto value = variables_(name);
    if (!value) return fail("\"{}\": \"${}\" is unknown", text_, name);
    return *value;
  }

  Result<double> call() {
    const auto name = take_name();
    const auto* known = std::ranges::find(kCalls, name, &Call::name);
    if (known == kCalls.end() || !take('(')) return fail("\"{}\": \"{}\" is unknown", text_, name);
    std::vector<double> arguments;
    do {
      auto argument = sum();
      SUBMIX_TRY(argument);
      arguments.push_back(*argument);
    } while (take(','));
    if (!take(')') || arguments.size() != known->arguments) return wrong();
    return known->compute(arguments);
  }

  std::string_view take_name() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '_'))
      ++length;
    const auto name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return name;
  }

  bool take(char wanted) {
    skip_spaces();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    skip_spaces();
    return true;
  }

  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }

  [[nodiscard]] tl::unexpected<Error> wrong() const {
    return fail("\"{}\": is not understood at character {}", text_,
                text_.size() - rest_.size() + 1);
  }

  const std::string_view text_;
  std::string_view rest_;
  const Variables& variables_;
  int depth_ = 0;
};

}  // namespace

Result<double> compute(std::string_view expression, const Variables& variables) {
  return ExpressionReader(expression, variables).read();
}

}  // namespace submix::shader
