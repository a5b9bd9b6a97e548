#include "experiments/curves.h"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

Curves over(std::string label, const std::function<Measure(int)>& measure,
            double (*abscissa)(const RunOutcome&)) {
  return [=](Outcomes all) {
    Curve curve{label, {}, {}};
    for (std::size_t run = 0; run < all.size(); ++run) {
      if (!all[run].fault.empty()) continue;
      curve.x.push_back(abscissa(all[run]));
      curve.y.push_back(measure(static_cast<int>(run))(all));
    }
    return std::vector{curve};
  };
}

}  // namespace

Curves over_time(std::vector<int> runs, const Series& series) {
  return [=](Outcomes all) {
    std::vector<Curve> curves;
    for (const int run : runs) {
      const std::vector<Observation>& observations = all[run].record.observations;
      Curve curve{all[run].run.label, {}, {}};
      for (const Observation& o : observations) {
        curve.x.push_back(o.time);
        curve.y.push_back(series(o, observations.front()));
      }
      curves.push_back(std::move(curve));
    }
    return curves;
  };
}

Curves numbers_of(int run, std::vector<std::pair<std::string, Observable>> numbers) {
  return [=](Outcomes all) {
    std::vector<Curve> curves;
    for (const auto& [label, number] : numbers) {
      Curve curve{label, {}, {}};
      for (const Observation& o : all[run].record.observations) {
        curve.x.push_back(o.time);
        curve.y.push_back(number(o));
      }
      curves.push_back(std::move(curve));
    }
    return curves;
  };
}

Curves difference_over_time(std::string label, int run, int reference, const Observable& of) {
  return [=](Outcomes all) {
    const auto &one = all[run].record.observations, &other = all[reference].record.observations;
    Curve curve{label, {}, {}};
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
      curve.x.push_back(one[i].time);
      curve.y.push_back(std::abs(of(one[i]) - of(other[i])));
    }
    return std::vector{curve};
  };
}

Curves paths(int run, std::vector<int> bodies) {
  return [=](Outcomes all) {
    std::vector<Curve> curves;
    for (const int body : bodies) {
      Curve curve{all[run].record.manifest.bodies.at(body), {}, {}};
      for (const Observation& o : all[run].record.observations) {
        curve.x.push_back(o.bodies[body].com.x);
        curve.y.push_back(o.bodies[body].com.y);
      }
      curves.push_back(std::move(curve));
    }
    return curves;
  };
}

Curves over_steps(std::string label, const std::function<Measure(int)>& measure) {
  return over(std::move(label), measure, [](const RunOutcome& outcome) { return outcome.run.step; });
}
Curves over_bodies(std::string label, const std::function<Measure(int)>& measure) {
  return over(std::move(label), measure,
              [](const RunOutcome& outcome) { return static_cast<double>(outcome.model->bodies().size()); });
}

Curves together(std::vector<Curves> all) {
  return [=](Outcomes outcomes) {
    std::vector<Curve> curves;
    for (const Curves& some : all) {
      for (Curve& curve : some(outcomes)) curves.push_back(std::move(curve));
    }
    return curves;
  };
}

Curves published(Curve curve) {
  return [=](Outcomes) { return std::vector{curve}; };
}

Plot energy_error_plot(std::string title, std::vector<int> runs) {
  return {std::move(title),
          "t [s]",
          "|E(t) - E(0)| [J]",
          false,
          true,
          over_time(std::move(runs), [](const Observation& now, const Observation& first) {
            return std::abs(now.total() - first.total());
          })};
}
Plot constraint_plot(std::string title, std::vector<int> runs) {
  return {std::move(title),
          "t [s]",
          "constraint error [m]",
          false,
          true,
          over_time(std::move(runs),
                    [](const Observation& now, const Observation&) { return now.position_error; })};
}
Plot unit_length_plot(std::string title, std::vector<int> runs) {
  return {std::move(title),
          "t [s]",
          "| |u| - 1 |",
          false,
          true,
          over_time(std::move(runs),
                    [](const Observation& now, const Observation&) { return now.unit_length_error; })};
}
Plot order_plot(std::string title) {
  return {std::move(title),
          "step [s]",
          "mean energy error [J]",
          true,
          true,
          over_steps("ours", energy_error_mean)};
}

Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t count = curve.x.size();
  if (count <= most) return curve;
  Curve few{curve.label, {}, {}};
  const auto take = [&](std::size_t i) {
    few.x.push_back(curve.x[i]);
    few.y.push_back(curve.y[i]);
  };
  const std::size_t stretches = (most - 2) / 2;
  take(0);
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto begin = curve.y.begin() + static_cast<long>(1 + s * (count - 2) / stretches);
    const auto end = curve.y.begin() + static_cast<long>(1 + (s + 1) * (count - 2) / stretches);
    const auto [low, high] = std::minmax_element(begin, end);
    const auto [one, other] = std::minmax({low - curve.y.begin(), high - curve.y.begin()});
    take(static_cast<std::size_t>(one));
    if (other != one) take(static_cast<std::size_t>(other));
  }
  take(count - 1);
  return few;
}

}  // namespace torsor
