#include "torsor/model/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "torsor/base/error.h"
#include "torsor/model/expression.h"

namespace torsor {
namespace {

struct Hat {
  double peak, rise, end;
};
struct Table {
  std::vector<std::pair<double, double>> rows;
};
struct RestToRest {
  double t1, t2, t3, rate;
};

template <class T>
JetOf<T> evaluate_kind(double constant, const T&) {
  return {T(constant), T(0.0), T(0.0)};
}

template <class T>
JetOf<T> evaluate_kind(const Hat& hat, const T& t) {
  if (t < 0.0 || t >= hat.end) return {};
  if (t < hat.rise) return {hat.peak * (t / hat.rise), T(hat.peak / hat.rise), T(0.0)};
  const double fall = hat.end - hat.rise;
  return {hat.peak * ((hat.end - t) / fall), T(-hat.peak / fall), T(0.0)};
}

double slope(const Table& table, std::size_t piece) {
  const auto& [t0, v0] = table.rows[piece];
  const auto& [t1, v1] = table.rows[piece + 1];
  return (v1 - v0) / (t1 - t0);
}

template <class T>
JetOf<T> evaluate_kind(const Table& table, const T& t) {
  const auto after = std::upper_bound(table.rows.begin(), table.rows.end(), value_of(t),
                                      [](double time, const auto& row) { return time < row.first; });
  if (after == table.rows.begin()) return {T(table.rows.front().second), T(0.0), T(0.0)};
  if (after == table.rows.end()) return {T(table.rows.back().second), T(0.0), T(0.0)};
  const auto before = after - 1;
  const double rate = slope(table, before - table.rows.begin());
  return {before->second + rate * (t - before->first), T(rate), T(0.0)};
}

/// The blend of (80) over the unit interval: its rate r = 126 x^5 - 420 x^6 + 540 x^7 - 315 x^8 + 70 x^9 goes
/// from 0 to 1 with four vanishing derivatives at both ends; its value ends at 1/2. The second half by
/// r(x) = 1 - r(1 - x), since the polynomial loses three digits near 1.
template <class T>
JetOf<T> blend(const T& x) {
  if (x > 0.5) {
    const JetOf<T> mirror = blend(T(1.0 - x));
    return {x - 0.5 + mirror.value, 1.0 - mirror.rate, mirror.acceleration};
  }
  const T x4 = x * x * x * x, y = 1.0 - x;
  return {x4 * x * x * (21.0 + x * (-60.0 + x * (67.5 + x * (-35.0 + x * 7.0)))),
          x4 * x * (126.0 + x * (-420.0 + x * (540.0 + x * (-315.0 + x * 70.0)))),
          630.0 * x4 * (y * y * y * y)};
}

template <class T>
JetOf<T> evaluate_kind(const RestToRest& p, const T& t) {
  if (t <= 0.0) return {};
  if (t < p.t1) {
    const JetOf<T> s = blend(T(t / p.t1));
    return {p.rate * p.t1 * s.value, p.rate * s.rate, p.rate / p.t1 * s.acceleration};
  }
  const double duration = p.t3 - p.t2;
  if (t >= p.t3) return {T(p.rate * (p.t1 / 2 + (p.t3 - p.t1) - duration / 2)), T(0.0), T(0.0)};
  const T travelled = p.t1 / 2 + (t - p.t1);  // s_2 of (80)
  if (t < p.t2) return {p.rate * travelled, T(p.rate), T(0.0)};
  const JetOf<T> s = blend(T((t - p.t2) / duration));
  return {p.rate * (travelled - duration * s.value), p.rate * (1.0 - s.rate),
          -p.rate / duration * s.acceleration};
}

template <class T>
JetOf<T> evaluate_kind(const Expression& expression, const T& t) {
  return expression.evaluate(t);
}

std::vector<double> breakpoints_of(double) { return {}; }
std::vector<double> breakpoints_of(const Hat& hat) {
  std::vector<double> times{0, hat.rise, hat.end};
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return hat.peak == 0 ? std::vector<double>{} : times;
}
std::vector<double> breakpoints_of(const Table& table) {
  std::vector<double> times;
  double before = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double after = i + 1 < table.rows.size() ? slope(table, i) : 0;
    if (after != before) times.push_back(table.rows[i].first);
    before = after;
  }
  return times;
}
std::vector<double> breakpoints_of(const RestToRest&) { return {}; }
std::vector<double> breakpoints_of(const Expression& expression) { return expression.breakpoints(); }

int smoothness_of(double) { return 2; }
int smoothness_of(const Hat& hat) {
  if (hat.peak == 0) return 2;
  return hat.rise == 0 || hat.rise == hat.end ? -1 : 0;
}
int smoothness_of(const Table& table) { return breakpoints_of(table).empty() ? 2 : 0; }
int smoothness_of(const RestToRest&) { return 2; }
int smoothness_of(const Expression& expression) { return expression.smoothness(); }

bool constant_kind(double) { return true; }
bool constant_kind(const Hat& hat) { return hat.peak == 0; }
bool constant_kind(const Table& table) { return breakpoints_of(table).empty(); }
bool constant_kind(const RestToRest& program) { return program.rate == 0; }
bool constant_kind(const Expression& expression) { return expression.is_constant(); }

void expect(bool holds, const std::string& key, const char* expected, double found) {
  if (!holds) throw ModelError(key, expected, fmt::format("{:g}", found));
}

}  // namespace

struct Program::Node {
  std::variant<double, Hat, Table, RestToRest, Expression> kind;
};

Program::Program(double constant)
    : node_(std::make_shared<const Node>(Node{constant})), varies_(false), constant_(constant) {}
Program::Program(std::shared_ptr<const Node> node)
    : node_(std::move(node)),
      varies_(!std::visit([](const auto& kind) { return constant_kind(kind); }, node_->kind)),
      constant_(varies_ ? 0 : evaluate_node(0).value) {}

Jet Program::evaluate_node(double t) const {
  return std::visit([t](const auto& kind) { return evaluate_kind(kind, t); }, node_->kind);
}
JetOf<Dual<double, 1>> Program::evaluate(const Dual<double, 1>& t) const {
  return std::visit([&](const auto& kind) { return evaluate_kind(kind, t); }, node_->kind);
}
double Program::jerk(double t) const { return evaluate(Dual<double, 1>(t, {1.0})).acceleration.tangent[0]; }
std::vector<double> Program::breakpoints() const {
  return std::visit([](const auto& kind) { return breakpoints_of(kind); }, node_->kind);
}
int Program::smoothness() const {
  return std::visit([](const auto& kind) { return smoothness_of(kind); }, node_->kind);
}
int Program::size() const {
  if (const auto* table = std::get_if<Table>(&node_->kind)) return static_cast<int>(table->rows.size());
  const auto* expression = std::get_if<Expression>(&node_->kind);
  return expression ? expression->size() : 1;
}
int Program::depth() const {
  const auto* expression = std::get_if<Expression>(&node_->kind);
  return expression ? expression->depth() : 0;
}

Program make_hat(double peak, double rise, double end, const std::string& key) {
  expect(std::isfinite(peak), key + ".peak", "a finite number", peak);
  expect(std::isfinite(end) && end > 0, key + ".end", "a time after 0", end);
  expect(rise >= 0 && rise <= end, key + ".rise", "a time between 0 and `end`", rise);
  return Program(std::make_shared<const Program::Node>(Program::Node{Hat{peak, rise, end}}));
}

Program make_table(std::vector<std::pair<double, double>> rows, const std::string& key) {
  if (rows.empty()) throw ModelError(key, "at least one row [t, value]", "none");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row = fmt::format("{}[{}]", key, i);
    expect(std::isfinite(rows[i].first), row, "a finite time", rows[i].first);
    expect(std::isfinite(rows[i].second), row, "a finite value", rows[i].second);
    if (i == 0) continue;
    expect(rows[i - 1].first < rows[i].first, row, "a time after that of the row before", rows[i].first);
    const double rate = slope(Table{{rows[i - 1], rows[i]}}, 0);
    expect(std::isfinite(rate), row, "a finite slope from the row before", rate);
  }
  return Program(std::make_shared<const Program::Node>(Program::Node{Table{std::move(rows)}}));
}

Program make_rest_to_rest(double t1, double t2, double t3, double rate, const std::string& key) {
  expect(std::isfinite(t1) && t1 > 0, key + ".t1", "a time after 0", t1);
  expect(std::isfinite(t2) && t2 >= t1, key + ".t2", "a time not before `t1`", t2);
  expect(std::isfinite(t3) && t3 > t2, key + ".t3", "a time after `t2`", t3);
  expect(std::isfinite(rate), key + ".rate", "a finite number", rate);
  return Program(std::make_shared<const Program::Node>(Program::Node{RestToRest{t1, t2, t3, rate}}));
}

Program make_expression(const std::string& text, std::vector<std::pair<std::string, Program>> named,
                        const std::string& key) {
  return Program(
      std::make_shared<const Program::Node>(Program::Node{Expression(text, std::move(named), key)}));
}

}  // namespace torsor
