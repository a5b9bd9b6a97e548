#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "torsor/study/sampling_study.h"
#include "torsor/study/study_cells.h"

namespace torsor {
namespace {

void print_points(std::ostream& out, const SamplingStudy& study) {
  out << text_cell("period [s]") << text_cell("step [s]");
  for (const Ledger::Sampling& controller : study.points.front().controllers) {
    out << "  created by " << controller.name << " [J]";
  }
  out << "  gain, last quarter [J]  verdict\n";
  std::vector<const SamplingPoint*> points;
  for (const SamplingPoint& point : study.points) points.push_back(&point);
  std::sort(points.begin(), points.end(),
            [](const SamplingPoint* a, const SamplingPoint* b) { return a->period < b->period; });
  for (const SamplingPoint* point : points) {
    out << text_cell(fmt::format("{:.6g}", point->period)) << text_cell(fmt::format("{:.4g}", point->step));
    for (const Ledger::Sampling& controller : point->controllers) {
      out << fmt::format("{:>{}.4g}", controller.created, controller.name.size() + 17);
    }
    out << fmt::format("{:>24}  {}\n", point->failure.empty() ? fmt::format("{:.3g}", point->growth) : "-",
                       !point->failure.empty() ? "gains energy: " + point->failure
                       : point->is_passive()   ? "passive"
                                               : "gains energy");
  }
}

void print_largest(std::ostream& out, const SamplingStudy& study) {
  if (!study.largest) {
    out << "The closed loop gains energy at every period tried: take smaller ones, or more friction.\n";
  } else if (!study.smallest) {
    out << fmt::format("The closed loop is passive at every period tried, up to {:.6g} s.\n", *study.largest);
  } else {
    out << fmt::format("largest period without gain of energy: {:.6g} s (at {:.6g} s it gains)\n",
                       *study.largest, *study.smallest);
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const SamplingStudy& study) {
  out << fmt::format("{}: sampled control up to t = {:g} s, {}\n", study.model, study.duration, study.method);
  print_points(out, study);
  print_largest(out, study);
  for (const SamplingBound& bound : study.bounds) {
    out << fmt::format("{}: b >= K T/2 + B (Colgate, Schenkel) with K = {:g}, B = {:g}, friction b = {:g} ",
                       bound.controller, bound.stiffness, bound.damping, bound.friction);
    out << (bound.period > 0
                ? fmt::format("holds up to T = {:.6g} s, whatever passive is coupled to the joint\n",
                              bound.period)
                : std::string("holds at no period\n"));
  }
  return out;
}

}  // namespace torsor
