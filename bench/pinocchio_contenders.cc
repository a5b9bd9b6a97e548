// The same mechanisms in Pinocchio, called as its documentation advises: data made once, Eigen vectors passed
// as they are, each algorithm in both of its conventions.

#include <cmath>
#include <memory>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <stdexcept>

#include "bench/contender.h"

namespace torsor::bench {
namespace {

using Eigen::VectorXd;

/// pinocchio::Data holds four tensors of n^3 numbers for second derivatives: half a gigabyte at n = 256, 34
/// at 1024.
constexpr std::size_t kMostRates = 256;

Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen(const Sym3<double>& m) {
  return (Eigen::Matrix3d() << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz).finished();
}
pinocchio::SE3 eigen(const SE3<double>& X) {
  const auto& r = X.rotation;
  return {Eigen::Quaterniond(r.w, r.x, r.y, r.z).toRotationMatrix(), eigen(X.position)};
}

/// Revolute joints on principal axes get Pinocchio's specialised types.
pinocchio::JointModel joint_model(const Joint& joint) {
  switch (joint.type) {
    case JointType::revolute:
      if (joint.axis == Vec3<double>{1, 0, 0}) return pinocchio::JointModelRX();
      if (joint.axis == Vec3<double>{0, 1, 0}) return pinocchio::JointModelRY();
      if (joint.axis == Vec3<double>{0, 0, 1}) return pinocchio::JointModelRZ();
      return pinocchio::JointModelRevoluteUnaligned(eigen(joint.axis));
    case JointType::spherical:
      return pinocchio::JointModelSpherical();
    case JointType::free:
      return pinocchio::JointModelFreeFlyer();
    default:
      throw std::logic_error("bench: no such joint among the mechanisms");
  }
}

pinocchio::Model pinocchio_model(const ModelDescription& model) {
  pinocchio::Model result;
  result.gravity.linear() = eigen(model.gravity);
  std::vector<pinocchio::JointIndex> carrier(model.bodies.size());
  for (const Joint& joint : model.joints) {
    const pinocchio::JointIndex parent = joint.parent == kWorld ? 0 : carrier[joint.parent];
    carrier[joint.child] = result.addJoint(parent, joint_model(joint), eigen(joint.in_parent), joint.name);
    const Body& body = model.bodies[joint.child];
    const pinocchio::Inertia inertia(body.mass, eigen(body.com), eigen(body.inertia));
    result.appendBodyToJoint(carrier[joint.child], inertia, pinocchio::SE3::Identity());
  }
  return result;
}

/// Where Pinocchio keeps each of our coordinates: its quaternions end with w, and of a free joint its
/// positions, velocities and forces come before the angular parts.
std::vector<int> coordinate_order(const ModelDescription& model) {
  std::vector<int> order;
  for (const Joint& joint : model.joints) {
    const int k = static_cast<int>(order.size());
    if (joint.type == JointType::free)
      order.insert(order.end(), {k + 6, k + 3, k + 4, k + 5, k, k + 1, k + 2});
    else if (joint.type == JointType::spherical)
      order.insert(order.end(), {k + 3, k, k + 1, k + 2});
    else
      order.push_back(k);
  }
  return order;
}
std::vector<int> rate_order(const ModelDescription& model) {
  std::vector<int> order;
  for (const Joint& joint : model.joints) {
    const int k = static_cast<int>(order.size());
    if (joint.type == JointType::free)
      order.insert(order.end(), {k + 3, k + 4, k + 5, k, k + 1, k + 2});
    else if (joint.type == JointType::spherical)
      order.insert(order.end(), {k, k + 1, k + 2});
    else
      order.push_back(k);
  }
  return order;
}

std::vector<VectorXd> reordered(const std::vector<std::vector<double>>& states,
                                const std::vector<int>& order) {
  std::vector<VectorXd> result;
  for (const auto& state : states) {
    VectorXd x(state.size());
    for (std::size_t k = 0; k < state.size(); ++k) x[order[k]] = state[k];
    result.push_back(x);
  }
  return result;
}

struct Bench {
  Bench(const ModelDescription& m, const States& states)
      : model(pinocchio_model(m)),
        data(model),
        rates(rate_order(m)),
        q(reordered(states.q, coordinate_order(m))),
        qd(reordered(states.qd, rates)),
        qdd(reordered(states.qdd, rates)),
        effort(reordered(states.effort, rates)) {}

  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<int> rates;
  std::vector<VectorXd> q, qd, qdd, effort;

  std::vector<double> ours(const VectorXd& x) const {
    std::vector<double> result;
    for (int k : rates) result.push_back(x[k]);
    return result;
  }
  template <class Derived>
  std::vector<double> ours_by_rows(const Eigen::MatrixBase<Derived>& D) const {
    std::vector<double> result;
    for (int i : rates)
      for (int k : rates) result.push_back(D(i, k));
    return result;
  }
  /// Pinocchio fills the upper triangle of mass matrices and their inverses.
  template <class Derived>
  std::vector<double> ours_from_upper(const Eigen::MatrixBase<Derived>& M) const {
    std::vector<double> result;
    for (int i : rates)
      for (int k : rates) result.push_back(M(std::min(i, k), std::max(i, k)));
    return result;
  }
};

/// `evaluate(bench, i)` computes state i, `blocks(bench)` fetches the result from bench.data.
template <class Evaluate, class Fetch>
Contender contender(const std::shared_ptr<Bench>& bench, const std::string& variant, Algorithm algorithm,
                    Evaluate evaluate, Fetch blocks) {
  const auto run = [=](int calls) {
    for (std::size_t i = 0; calls > 0; --calls) {
      evaluate(*bench, i);
      keep_results();
      if (++i == bench->q.size()) i = 0;
    }
  };
  return {"pinocchio", variant, algorithm, 1, run, [=](int i) {
            evaluate(*bench, i);
            return blocks(*bench);
          }};
}

/// Both work in the world frame. That of RNEA gives the mass matrix besides.
void add_derivatives(const std::shared_ptr<Bench>& bench, std::vector<Contender>& all) {
  all.push_back(contender(
      bench, "world", Algorithm::inverse_dynamics_derivatives,
      [](Bench& b, std::size_t i) {
        pinocchio::computeRNEADerivatives(b.model, b.data, b.q[i], b.qd[i], b.qdd[i]);
      },
      [](const Bench& b) {
        return Blocks{b.ours_by_rows(b.data.dtau_dq), b.ours_by_rows(b.data.dtau_dv)};
      }));
  all.push_back(contender(
      bench, "world", Algorithm::forward_dynamics_derivatives,
      [](Bench& b, std::size_t i) {
        pinocchio::computeABADerivatives(b.model, b.data, b.q[i], b.qd[i], b.effort[i]);
      },
      [](const Bench& b) {
        return Blocks{b.ours_by_rows(b.data.ddq_dq), b.ours_by_rows(b.data.ddq_dv),
                      b.ours_from_upper(b.data.Minv)};
      }));
}

}  // namespace

[[gnu::visibility("default")]] std::vector<Contender> pinocchio_contenders(const ModelDescription& model,
                                                                           const States& states) {
  if (rate_order(model).size() > kMostRates) return {};
  const auto bench = std::make_shared<Bench>(model, states);
  std::vector<Contender> all;
  all.push_back(contender(
      bench, "local", Algorithm::inverse_dynamics,
      [](Bench& b, std::size_t i) { pinocchio::rnea(b.model, b.data, b.q[i], b.qd[i], b.qdd[i]); },
      [](const Bench& b) { return Blocks{b.ours(b.data.tau)}; }));
  for (const auto convention : {pinocchio::Convention::LOCAL, pinocchio::Convention::WORLD}) {
    const std::string name = convention == pinocchio::Convention::LOCAL ? "local" : "world";
    all.push_back(contender(
        bench, name, Algorithm::forward_dynamics,
        [=](Bench& b, std::size_t i) {
          pinocchio::aba(b.model, b.data, b.q[i], b.qd[i], b.effort[i], convention);
        },
        [](const Bench& b) { return Blocks{b.ours(b.data.ddq)}; }));
    all.push_back(contender(
        bench, name, Algorithm::mass_matrix,
        [=](Bench& b, std::size_t i) { pinocchio::crba(b.model, b.data, b.q[i], convention); },
        [](const Bench& b) { return Blocks{b.ours_from_upper(b.data.M)}; }));
  }
  if (bench->model.nv <= kMostRatesOfDerivatives) add_derivatives(bench, all);
  return all;
}

[[gnu::visibility("default")]] std::string pinocchio_version() { return PINOCCHIO_VERSION; }
[[gnu::visibility("default")]] bool eigen_vectorizes() {
#ifdef EIGEN_VECTORIZE
  return true;
#else
  return false;
#endif
}

}  // namespace torsor::bench
