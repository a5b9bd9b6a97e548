#include "torsor/result/modes_answer.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "torsor/assembly/assembly.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/text_table.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/modes.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/numerics/dense.h"
#include "torsor/result/json_configuration.h"
#include "torsor/result/mat_file.h"
#include "torsor/result/output_file.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

struct ModesPlace {
  ReducedConfiguration at;
  std::vector<double> v;
  double t = 0;
  std::vector<double> states{};  ///< of elements
};

double time_of(const std::string& at) {
  double t = 0;
  const char *first = at.data() + 2, *last = at.data() + at.size();
  const auto [end, fault] = std::from_chars(first, last, t);
  if (!at.starts_with("t=") || fault != std::errc() || end != last || !std::isfinite(t)) {
    throw ModelError("--at", "start, equilibrium, or t=SECONDS", in_quotes(at));
  }
  return t;
}

/// States of elements where a run stands.
std::vector<double> observed_states(const ReducedMechanism& mechanism, Stepper& stepper) {
  Observation now = stepper.make_observation();
  stepper.observe(now);
  std::vector<double> z(mechanism.elements().flow_count());
  for (std::size_t i = 0; i < now.muscles.size(); ++i) {
    const TreeMuscle& muscle = mechanism.elements().muscles()[i];
    z[muscle.state] = now.muscles[i].activation;
    if (muscle.law.has_share()) z[muscle.state + 1] = muscle.law.share_of_fibre(now.muscles[i].fibre_length);
  }
  return z;
}

ModesPlace find_place(const ReducedMechanism& mechanism, const Model& model, const std::string& where) {
  const double t = model.initial().time;
  if (where == "start") {
    Assembly start = assemble(model);
    ReducedConfiguration at = mechanism.configure(start.q);
    std::vector<double> states = mechanism.start_states(at, t);
    return {std::move(at), start.qd, t, std::move(states)};
  }
  if (where == "equilibrium") {
    const ReducedMechanism resting(model.with_resting_muscles());
    const auto at = nearest_equilibrium(resting, resting.configure(assemble(model).q), t);
    if (!at) {
      throw ModelError("initial", "a start from which the mechanism comes to rest",
                       "one from which no rest position was found; --at start takes the start itself");
    }
    ReducedConfiguration there = mechanism.configure(at->q);
    std::vector<double> states = resting.start_states(there, t);
    return {std::move(there), mechanism.rest(t).v, t, std::move(states)};
  }
  const double until = time_of(where);
  if (until < t) {
    throw ModelError("--at", fmt::format("a time of {:g} s or more, that of the start", t), in_quotes(where));
  }
  const Settings settings = resolve_settings(model, {});
  const std::unique_ptr<Stepper> stepper = make_stepper(model);
  RunSettings run = settings.run;
  run.duration = until - t;
  if (run.duration > 0) {
    const Record record = simulate(*stepper, run, {}, false);
    if (record.failure) throw StepFailure(*record.failure);
  }
  const StepperState state = stepper->state();
  ReducedConfiguration at = mechanism.configure(state.q);
  Eigen::VectorXd rates(at.dof());
  for (int i = 0; i < at.dof(); ++i) rates[i] = state.qd[at.independent[i]];
  std::vector<double> v = mechanism.rates(at, rates);
  return {std::move(at), std::move(v), state.time, observed_states(mechanism, *stepper)};
}

Json json_of_complex(const std::complex<double>& z) { return {z.real(), z.imag()}; }

/// Real parts, and imaginary ones where there are any, by joint or body.
Json shape_json(const Model& model, const SmallMotion& mode, bool imaginary) {
  const auto part = [&](const std::complex<double>& z) { return imaginary ? z.imag() : z.real(); };
  Json joints = Json::object(), bodies = Json::object();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    Json list = Json::array();
    for (int i = model.rate_offset(static_cast<int>(j)); i < model.rate_offset(static_cast<int>(j) + 1);
         ++i) {
      list.push_back(part(mode.shape[i]));
    }
    if (!list.empty()) joints[model.joints()[j].name] = list.size() == 1 ? list[0] : list;
  }
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    const auto vector = [&](const Vec3<std::complex<double>>& v) {
      return json_of(Vec3<double>{part(v.x), part(v.y), part(v.z)});
    };
    bodies[model.bodies()[b].name] = {{"turn", vector(mode.bodies[b].angular)},
                                      {"shift", vector(mode.bodies[b].linear)}};
  }
  return {{"joints", joints}, {"bodies", bodies}};
}

Json modes_json(const Model& model, const SmallMotions& small, const std::string& where) {
  Json json;
  json["model"] = model.name();
  json["at"] = where;
  json["time"] = small.time;
  json["q"] = json_of_coordinates(model, small.q);
  json["symmetric"] = small.symmetric;
  json["steady"] = small.steady;
  json["modes"] = Json::array();
  for (const SmallMotion& mode : small.modes) {
    const bool is_real = small.symmetric || mode.s.imag() == 0;
    json["modes"].push_back({{"frequency", mode.frequency()},
                             {"natural_frequency", mode.natural()},
                             {"damping_ratio", mode.damping_ratio()},
                             {"eigenvalue", json_of_complex(mode.s)},
                             {"shape", shape_json(model, mode, false)},
                             {"shape_imaginary", is_real ? Json(nullptr) : shape_json(model, mode, true)}});
  }
  json["states"] = small.states;
  json["inputs"] = small.inputs;
  json["outputs"] = small.outputs;
  for (const auto& [name, matrix] : {std::pair<const char*, const Matrix&>{"mass", small.M},
                                     {"damping", small.D},
                                     {"stiffness", small.K},
                                     {"A", small.A},
                                     {"B", small.B},
                                     {"C", small.C},
                                     {"D", small.D_out}}) {
    json[name] = json_rows(eigen(matrix));
  }
  return json;
}

std::string modes_mat(const Model& model, const SmallMotions& small) {
  const auto count = static_cast<Eigen::Index>(small.modes.size());
  Eigen::MatrixXd frequency(count, 1), damping(count, 1);
  Eigen::MatrixXcd eigenvalues(count, 1), shapes(model.rate_count(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const SmallMotion& mode = small.modes[i];
    frequency(i, 0) = mode.frequency();
    damping(i, 0) = mode.damping_ratio();
    eigenvalues(i, 0) = mode.s;
    shapes.col(i) = Eigen::VectorXcd::Map(mode.shape.data(), shapes.rows());
  }
  std::vector<std::string> rates;
  for (int i = 0; i < model.rate_count(); ++i) rates.push_back(rate_name(model, i));
  return mat_file({{"A", eigen(small.A)},
                   {"B", eigen(small.B)},
                   {"C", eigen(small.C)},
                   {"D", eigen(small.D_out)},
                   {"states", small.states},
                   {"inputs", small.inputs},
                   {"outputs", small.outputs},
                   {"mass", eigen(small.M)},
                   {"damping", eigen(small.D)},
                   {"stiffness", eigen(small.K)},
                   {"frequencies", frequency},
                   {"damping_ratios", damping},
                   {"eigenvalues", eigenvalues},
                   {"shapes", shapes},
                   {"rates", rates}});
}

/// The rates that move most, with their share and sign.
std::string movers(const ReducedMechanism& mechanism, const SmallMotions& small, const SmallMotion& mode) {
  const Eigen::VectorXd scales = rate_scales(mechanism, small.length);
  std::vector<int> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(mode.shape[a]) * scales[a] > std::abs(mode.shape[b]) * scales[b] * (1 + 1e-9);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, order.size()); ++i) {
    const std::complex<double> z = mode.shape[order[i]];
    if (std::abs(z) * scales[order[i]] < 1e-3) break;
    text += fmt::format("{}{} {:.3g}", i > 0 ? ", " : "", rate_name(mechanism.model(), order[i]),
                        std::abs(z.imag()) > 1e-9 ? std::abs(z) : z.real());
    if (std::abs(z.imag()) > 1e-9)
      text += fmt::format(" at {:.0f} deg", std::round(std::arg(z) * 180 / std::numbers::pi) + 0.0);  // no -0
  }
  return text;
}

std::string modes_text(const ReducedMechanism& mechanism, const SmallMotions& small,
                       const std::string& where) {
  std::string text = fmt::format("{}, at {} (t = {:g} s)\n", mechanism.model().name(), where, small.time);
  if (!small.steady) {
    text += "it accelerates there: modes are those of the moment, and change as it moves on\n";
  }
  std::vector<std::vector<std::string>> rows{
      {"  mode", "frequency [Hz]", "damping ratio", "eigenvalue [1/s]", "moves"}};
  int number = 0;
  for (const SmallMotion& mode : small.modes) {
    rows.push_back({fmt::format("  {}", ++number), number_text(mode.frequency()),
                    fmt::format("{:.6g}", mode.damping_ratio()),
                    fmt::format("{:.6g} {} {:.6g}i", mode.s.real(), mode.s.imag() < 0 ? "-" : "+",
                                std::abs(mode.s.imag())),
                    movers(mechanism, small, mode)});
  }
  for (const std::string& line : aligned(rows)) text += line + "\n";
  for (const SmallMotion& mode : small.modes) {
    if (small.steady && mode.s.real() > 1e-9 * std::abs(small.modes.back().s)) {
      text += "eigenvalues with a real part above 0 grow: it does not stay there\n";
      break;
    }
  }
  return text;
}

}  // namespace

SmallMotions small_motions_at(const Model& model, const std::string& where) {
  const ReducedMechanism mechanism(model);
  const ModesPlace place = find_place(mechanism, model, where);
  return small_motions(mechanism, place.at, place.v, place.t, place.states);
}

Answer answer_modes(const Model& model, const ModesOptions& options, bool json, int indent) {
  const bool is_mat = options.out.ends_with(".mat");
  if (!options.out.empty() && !is_mat && !options.out.ends_with(".json")) {
    throw ModelError("--out", "a file that ends in .json or .mat", in_quotes(options.out));
  }
  const SmallMotions small = small_motions_at(model, options.at);
  if (!options.out.empty()) {
    write_text_file(options.out, is_mat ? modes_mat(model, small)
                                        : json_text(modes_json(model, small, options.at), 1) + "\n");
  }
  return {json ? json_text(modes_json(model, small, options.at), indent)
               : modes_text(ReducedMechanism(model), small, options.at)};
}

}  // namespace torsor
