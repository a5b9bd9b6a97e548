#include "experiments/measures.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "torsor/base/norm.h"
#include "torsor/numerics/order_fit.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

Measure of_ledger(int run, double (*number)(const Ledger&)) {
  return [=](Outcomes all) { return number(finished(all, run).record.ledger); };
}

/// Of a number that not every model has.
double required(const std::optional<double>& number) {
  if (!number) throw std::runtime_error("the ledger has no such number for this model");
  return *number;
}

double slope(const Numbers& x, const Numbers& y) {
  if (x.size() < 2) throw std::runtime_error("a line through fewer than two points");
  return fit_line(x, y).slope;
}

Vec3<double> centre(const Model& model, const Observation& o) {
  Vec3<double> sum;
  double mass = 0;
  for (std::size_t b = 0; b < o.bodies.size(); ++b) {
    sum += model.bodies()[b].mass * o.bodies[b].com;
    mass += model.bodies()[b].mass;
  }
  return (1 / mass) * sum;
}

const Observation& last(Outcomes all, int run) { return finished(all, run).record.observations.back(); }

}  // namespace

const RunOutcome& finished(Outcomes outcomes, int run) {
  const RunOutcome& outcome = outcomes[run];
  if (!outcome.fault.empty()) throw std::runtime_error(outcome.fault);
  return outcome;
}

Measure energy_error_max(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.energy_max_error; });
}
Measure energy_error_mean(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.energy_mean_error; });
}
Measure relative_energy_error_max(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.energy_max_error / std::abs(l.energy_initial); });
}
Measure relative_energy_error_end(int run) {
  return of_ledger(run, [](const Ledger& l) {
    return std::abs(l.energy_final - l.energy_initial) / std::abs(l.energy_initial);
  });
}

Measure energy_change_after(int run, double time) {
  return [=](Outcomes all) {
    double change = 0;
    const Observation* start = nullptr;
    for (const Observation& o : finished(all, run).record.observations) {
      if (o.time < time - 1e-9) continue;
      if (!start) start = &o;
      change = larger(change, std::abs(o.total() - start->total()));
    }
    return change;
  };
}

Measure energy_trend(int run) {
  return [=](Outcomes all) {
    const std::vector<Observation>& observations = finished(all, run).record.observations;
    Numbers times, errors;
    double worst = 0;
    for (const Observation& o : observations) {
      times.push_back(o.time / observations.back().time);
      errors.push_back(o.total() - observations.front().total());
      worst = larger(worst, std::abs(errors.back()));
    }
    return worst == 0 ? 0 : std::abs(slope(times, errors)) / worst;
  };
}

Measure balance_residual(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.energy_max_residual / l.energy_scale; });
}
Measure constraint_error(int run) {
  return of_ledger(run, [](const Ledger& l) { return required(l.position_max); });
}
Measure linear_momentum_error(int run) {
  return of_ledger(run, [](const Ledger& l) { return required(l.linear_max_error); });
}
Measure angular_momentum_error(int run) {
  return of_ledger(run, [](const Ledger& l) { return required(l.angular_max_error); });
}
Measure unit_length_error(int run) {
  return of_ledger(run, [](const Ledger& l) { return required(l.unit_length_max_error); });
}

Measure unit_length_error_end(int run, int joint) {
  return [=](Outcomes all) {
    double sum = 0;
    for (const double x : last(all, run).joints[joint].position) sum += x * x;
    return std::abs(std::sqrt(sum) - 1);
  };
}

Measure attitude_norm_error(int run) {
  return largest(run, [](const Observation& o) {
    double worst = 0;
    for (const BodyObservation& b : o.bodies) {
      const SO3<double>& r = b.rotation;
      worst = larger(worst, std::abs(std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z) - 1));
    }
    return worst;
  });
}

Measure evaluations(int run) {
  return of_ledger(run, [](const Ledger& l) { return static_cast<double>(l.evaluations); });
}
Measure wall_seconds(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.wall_seconds; });
}
Measure simulated_time(int run) {
  return of_ledger(run, [](const Ledger& l) { return l.time; });
}

Measure largest(int run, Observable of) {
  return [=](Outcomes all) {
    double most = 0;
    for (const Observation& o : finished(all, run).record.observations) {
      most = larger(most, std::abs(of(o)));
    }
    return most;
  };
}
Measure least(int run, Observable of) {
  return [=](Outcomes all) {
    double value = std::numeric_limits<double>::infinity();
    for (const Observation& o : finished(all, run).record.observations) value = smaller(value, of(o));
    return value;
  };
}
Measure at_end(int run, Observable of) {
  return [=](Outcomes all) { return of(last(all, run)); };
}

Measure centre_moves(int run) {
  return [=](Outcomes all) {
    const RunOutcome& outcome = finished(all, run);
    const Vec3<double> start = centre(*outcome.model, outcome.record.observations.front());
    double most = 0;
    for (const Observation& o : outcome.record.observations) {
      most = larger(most, norm(centre(*outcome.model, o) - start));
    }
    return most;
  };
}

Measure distance_at_end(int run, int reference) {
  return [=](Outcomes all) {
    const Observation &a = last(all, run), &b = last(all, reference);
    double most = 0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      most = larger(most, norm(a.bodies[i].com - b.bodies[i].com));
    }
    return most;
  };
}
Measure difference_at_end(int run, int reference, Observable of) {
  return [=](Outcomes all) { return std::abs(of(last(all, run)) - of(last(all, reference))); };
}

Measure largest_difference(int run, int reference, Observable of) {
  return [=](Outcomes all) {
    const auto &one = finished(all, run).record.observations,
               &other = finished(all, reference).record.observations;
    double most = 0;
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
      most = larger(most, std::abs(of(one[i]) - of(other[i])));
    }
    return most;
  };
}

Measure order(int first, int last_run, const std::function<Measure(int)>& of) {
  return [=](Outcomes all) {
    Numbers steps, errors;
    for (int run = first; run <= last_run; ++run) {
      steps.push_back(std::log(all[run].run.step));
      errors.push_back(std::log(of(run)(all)));
    }
    return slope(steps, errors);
  };
}

Measure energy_order(double least_step, double most_step) {
  return [=](Outcomes all) {
    Numbers steps, errors;
    for (const RunOutcome& outcome : all) {
      const double h = outcome.run.step;
      if (!outcome.fault.empty() || h < least_step - 1e-9 || h > most_step + 1e-9) continue;
      steps.push_back(std::log(h));
      errors.push_back(std::log(outcome.record.ledger.energy_mean_error));
    }
    return slope(steps, errors);
  };
}

Measure distance_order(int first, int last_run, int reference) {
  return order(first, last_run, [=](int run) { return distance_at_end(run, reference); });
}
Measure difference_order(int first, int last_run, int reference, Observable of) {
  return order(first, last_run, [=](int run) { return difference_at_end(run, reference, of); });
}

Measure time_growth(int first, int last_run) {
  return [=](Outcomes all) {
    Numbers bodies, times;
    for (int run = first; run <= last_run; ++run) {
      bodies.push_back(std::log(static_cast<double>(finished(all, run).model->bodies().size())));
      times.push_back(std::log(all[run].record.ledger.wall_seconds));
    }
    return slope(bodies, times);
  };
}

Measure worst_refinement() {
  return [](Outcomes all) {
    double worst = 0, least_above = std::numeric_limits<double>::infinity();
    std::vector<const RunOutcome*> sorted;
    for (const RunOutcome& outcome : all) sorted.push_back(&outcome);
    std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->run.step > b->run.step; });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (!sorted[i]->fault.empty()) throw std::runtime_error(sorted[i]->fault);
      const double error = sorted[i]->record.ledger.energy_mean_error;
      worst = larger(worst, error / least_above);
      least_above = smaller(least_above, error);
    }
    return worst;
  };
}

Measure least_energy_error_mean() {
  return [](Outcomes all) {
    double error = std::numeric_limits<double>::infinity();
    for (const RunOutcome& outcome : all) {
      if (outcome.fault.empty()) error = smaller(error, outcome.record.ledger.energy_mean_error);
    }
    return error;
  };
}
Measure largest_step() {
  return [](Outcomes all) {
    double step = 0;
    for (const RunOutcome& outcome : all) {
      if (outcome.fault.empty()) step = larger(step, outcome.run.step);
    }
    return step;
  };
}

Measure is_refused(int run) {
  return [=](Outcomes all) { return all[run].model ? 0.0 : 1.0; };
}

std::string first_fault(Outcomes outcomes) {
  for (const RunOutcome& outcome : outcomes) {
    if (!outcome.fault.empty()) return outcome.fault;
  }
  return "";
}

Observable joint_coordinate(int joint, int coordinate) {
  return [=](const Observation& o) { return o.joints[joint].position[coordinate]; };
}

}  // namespace torsor
