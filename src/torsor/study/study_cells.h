#pragma once
// Cells of the tables that studies print.

#include <fmt/format.h>

#include <optional>
#include <string>

#include "torsor/numerics/order_fit.h"

namespace torsor {

inline std::string text_cell(const std::string& text) { return fmt::format("{:>13}", text); }

inline std::string error_cell(const std::optional<double>& error) {
  return text_cell(error ? fmt::format("{:.2e}", *error) : std::string("-"));
}

inline std::string order_cell(const OrderFit& fit) {
  if (fit.order) return text_cell(fmt::format("{:.2f}", *fit.order));
  return text_cell(fit.at_floor ? "round-off" : "-");
}

}  // namespace torsor
