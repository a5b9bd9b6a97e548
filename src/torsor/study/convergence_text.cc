#include <fmt/format.h>

#include <ostream>

#include "torsor/study/convergence_study.h"
#include "torsor/study/study_cells.h"

namespace torsor {
namespace {

void print_curve(std::ostream& out, const ConvergenceCurve& curve) {
  out << '\n' << curve.label << '\n';
  if (!curve.refusal.empty()) {
    out << "  cannot: " << curve.refusal << '\n';
    return;
  }
  out << text_cell("step [s]");
  for (const StudyQuantity quantity : study_quantities()) out << text_cell(name_of(quantity));
  out << text_cell("wall [s]") << '\n';
  for (const ConvergencePoint& point : curve.points) {
    out << text_cell(fmt::format("{:g}", point.step));
    if (!point.failure.empty()) {
      out << "  " << point.failure << '\n';
      continue;
    }
    for (const auto& error : point.errors) out << error_cell(error);
    out << text_cell(fmt::format("{:.3g}", point.wall_seconds)) << '\n';
  }
  out << text_cell("order");
  for (const OrderFit& fit : curve.orders) out << order_cell(fit);
  out << '\n';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ConvergenceStudy& study) {
  out << fmt::format("{}: convergence up to t = {:g} s, states compared at {} time{}\n", study.model,
                     study.grid.duration, study.grid.parts, study.grid.parts == 1 ? "" : "s");
  out << "reference: " << study.reference;
  if (study.trusted_to.position > 0) {
    out << fmt::format(", trusted to {:.1e} (velocities {:.1e})", study.trusted_to.position,
                       study.trusted_to.velocity);
  }
  out << '\n';
  if (!(study.trusted_to.position <= 1e-3)) {
    out << "The reference itself is uncertain: the motion amplifies errors. Take a shorter --duration.\n";
  }
  for (const ConvergenceCurve& curve : study.curves) print_curve(out, curve);
  return out;
}

}  // namespace torsor
