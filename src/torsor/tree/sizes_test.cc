// Every public function of the tree, called with each of its lists too short and too long by one.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/model/model.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/christoffel.h"
#include "torsor/tree/collocation.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/discrete_lagrangian.h"
#include "torsor/tree/dynamic_stiffness.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/geometric_sensitivity.h"
#include "torsor/tree/higher_order_kinematics.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/jacobian_derivatives.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/linearisation.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/moving_frame.h"
#include "torsor/tree/reference/inverse_dynamics_forms.h"
#include "torsor/tree/reference/momentum_form.h"
#include "torsor/tree/reference/spatial_forward_dynamics.h"
#include "torsor/tree/regressor.h"
#include "torsor/tree/second_derivatives.h"
#include "torsor/tree/time_derivatives.h"

namespace torsor {
namespace {

/// Lists by name, all of the right size but one.
class Lists {
 public:
  Lists(std::string wrong, int by) : wrong_(std::move(wrong)), by_(by) {}

  std::span<double> numbers(const std::string& name, std::size_t size) { return list(numbers_, name, size); }
  std::span<Pose<double>> poses(const std::string& name, std::size_t size) {
    return list(poses_, name, size);
  }
  std::span<Twist<double>> twists(const std::string& name, std::size_t size) {
    return list(twists_, name, size);
  }
  std::span<Wrench<double>> wrenches(const std::string& name, std::size_t size) {
    return list(wrenches_, name, size);
  }
  std::vector<std::string> names;

 private:
  template <class T>
  std::span<T> list(std::map<std::string, std::vector<T>>& all, const std::string& name, std::size_t size) {
    names.push_back(name);
    std::vector<T>& values = all[name];
    values.resize(size + (name == wrong_ ? by_ : 0));
    return values;
  }
  std::string wrong_;
  int by_;
  std::map<std::string, std::vector<double>> numbers_;
  std::map<std::string, std::vector<Pose<double>>> poses_;
  std::map<std::string, std::vector<Twist<double>>> twists_;
  std::map<std::string, std::vector<Wrench<double>>> wrenches_;
};

struct Call {
  const char* name;
  std::function<void(const Tree&, Lists&)> make;
};

const std::vector<Call>& calls() {
  using L = Lists&;
  using T = const Tree&;
  const auto q = [](T t, L l, const char* name = "q") {
    const std::span<double> values = l.numbers(name, t.coordinate_count);
    if (values.size() == std::size_t(t.coordinate_count)) set_neutral(t, values);
    return values;
  };
  const auto v = [](T t, L l, const char* name) { return l.numbers(name, t.rate_count); };
  const auto m = [](T t, L l, const char* name) { return l.numbers(name, t.matrix_size()); };
  const auto cube = [](T t, L l, const char* name) {
    return l.numbers(name, t.matrix_size() * t.rate_count);
  };
  const auto X = [](T t, L l) { return l.poses("X_WN", t.size()); };
  const auto V = [](T t, L l, const char* name) { return l.twists(name, t.size()); };
  const auto F = [](T t, L l, const char* name) { return l.wrenches(name, t.size()); };
  static const std::vector<Call> all{
      {"node_poses", [=](T t, L l) { node_poses<double>(t, q(t, l), X(t, l)); }},
      {"forward_kinematics",
       [=](T t, L l) { forward_kinematics<double>(t, q(t, l), v(t, l, "qd"), X(t, l), V(t, l, "V_N")); }},
      {"spatial_joint_screws",
       [=](T t, L l) { spatial_joint_screws<double>(t, X(t, l), l.twists("J", t.rate_count)); }},
      {"retract", [=](T t, L l) { retract<double>(t, q(t, l, "q0"), v(t, l, "increment"), q(t, l, "q1")); }},
      {"chart_rate",
       [=](T t, L l) { chart_rate<double>(t, v(t, l, "xi"), v(t, l, "v"), v(t, l, "xi_rate")); }},
      {"configuration_difference",
       [=](T t, L l) {
         configuration_difference<double>(t, q(t, l, "q0"), q(t, l, "q1"), v(t, l, "increment"));
       }},
      {"unit_length_error", [=](T t, L l) { unit_length_error(t, q(t, l)); }},
      {"normalize", [=](T t, L l) { normalize(t, q(t, l)); }},
      {"set_neutral", [=](T t, L l) { set_neutral(t, q(t, l)); }},
      {"rotor_energy", [=](T t, L l) { rotor_energy<double>(t, v(t, l, "qd")); }},
      {"kinetic_energy", [=](T t, L l) { kinetic_energy<double>(t, V(t, l, "V_N")); }},
      {"gravity_potential", [=](T t, L l) { gravity_potential<double>(t, X(t, l)); }},
      {"momentum", [=](T t, L l) { momentum<double>(t, X(t, l), V(t, l, "V_N")); }},
      {"inverse_dynamics",
       [=](T t, L l) {
         InverseDynamicsWorkspace<double> w(t);
         inverse_dynamics<double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"), F(t, l, "applied"),
                                  v(t, l, "effort"));
       }},
      {"forward_dynamics",
       [=](T t, L l) {
         ForwardDynamicsWorkspace<double> w(t);
         forward_dynamics<double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "effort"), F(t, l, "applied"),
                                  v(t, l, "qdd"));
       }},
      {"mass_matrix",
       [=](T t, L l) {
         MassMatrixWorkspace<double> w(t);
         mass_matrix<double>(t, w, q(t, l), m(t, l, "M"));
       }},
      {"coriolis_matrix",
       [=](T t, L l) {
         CoriolisWorkspace<double> w(t);
         coriolis_matrix<double>(t, w, q(t, l), v(t, l, "qd"), m(t, l, "C"));
       }},
      {"christoffel_symbols",
       [=](T t, L l) {
         ChristoffelWorkspace w(t);
         christoffel_symbols(t, w, q(t, l), cube(t, l, "Gamma"));
       }},
      {"binet_christoffel_symbols",
       [=](T t, L l) {
         ChristoffelWorkspace w(t);
         binet_christoffel_symbols(t, w, q(t, l), cube(t, l, "Gamma"));
       }},
      {"contract_christoffel",
       [=](T t, L l) {
         const std::vector<double> qd(t.rate_count);
         contract_christoffel(cube(t, l, "Gamma"), qd, m(t, l, "C"));
       }},
      {"inverse_dynamics_regressor",
       [=](T t, L l) {
         RegressorWorkspace<double> w(t);
         inverse_dynamics_regressor<double>(
             t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"),
             l.numbers("Y", kInertialParameters * t.rate_count * t.body_node.size()));
       }},
      {"set_inertial_parameters",
       [=](T, L l) { set_inertial_parameters({}, l.numbers("pi", kInertialParameters)); }},
      {"moving_frame_matrices",
       [=](T t, L l) {
         MovingFrameWorkspace<double> w(t);
         moving_frame_matrices<double>(t, w, q(t, l), v(t, l, "qd"));
       }},
      {"moving_frame_dynamics",
       [=](T t, L l) {
         MovingFrameWorkspace<double> w(t);
         moving_frame_dynamics<double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "effort"), F(t, l, "applied"),
                                       v(t, l, "qdd"));
       }},
      {"inverse_dynamics_rates",
       [=](T t, L l) {
         InverseDynamicsRatesWorkspace w(t);
         inverse_dynamics_rates(t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"), v(t, l, "qddd"),
                                v(t, l, "qdddd"), v(t, l, "Q"), v(t, l, "Q_rate"), v(t, l, "Q_acceleration"));
       }},
      {"inverse_dynamics_second_derivatives",
       [=](T t, L l) {
         SecondDerivativesWorkspace w(t);
         inverse_dynamics_second_derivatives(
             t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"),
             {cube(t, l, "by_q_q"), cube(t, l, "by_q_qd"), cube(t, l, "by_qd_qd"), cube(t, l, "by_q_qdd")});
       }},
      {"inverse_dynamics_derivatives",
       [=](T t, L l) {
         InverseDynamicsDerivativesWorkspace<double> w(t);
         inverse_dynamics_derivatives<double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"), v(t, l, "effort"),
                                              m(t, l, "by_q"), m(t, l, "by_qd"));
       }},
      {"forward_dynamics_derivatives",
       [=](T t, L l) {
         ForwardDynamicsDerivativesWorkspace w(t);
         forward_dynamics_derivatives(t, w, q(t, l), v(t, l, "qd"), v(t, l, "effort"), v(t, l, "qdd"),
                                      m(t, l, "by_q"), m(t, l, "by_qd"), m(t, l, "by_effort"));
       }},
      {"linearise",
       [=](T t, L l) {
         LinearisationWorkspace w(t);
         Linearisation result(t);
         linearise(t, w, q(t, l), v(t, l, "qd"), v(t, l, "effort"), result);
       }},
      {"lagrangian_derivatives",
       [=](T t, L l) {
         LagrangianWorkspace<double> w(t);
         lagrangian_derivatives<double>(t, w, q(t, l), v(t, l, "v"), F(t, l, "applied"), v(t, l, "p"),
                                        v(t, l, "dL_dq"));
       }},
      {"end_momenta",
       [=](T t, L l) {
         end_momenta<double>(t, 0.1, v(t, l, "xi"), v(t, l, "p"), v(t, l, "f"), v(t, l, "p0"), v(t, l, "p1"));
       }},
      {"DynamicStiffness::factorise",
       [=](T t, L l) {
         const std::vector<double> none(t.rate_count);
         DynamicStiffness stiffness(t, none, none, 1);
         const std::vector<Complex> sigma{Complex(0.1)};
         stiffness.factorise(t, q(t, l), v(t, l, "v"), v(t, l, "a"), sigma);
       }},
      {"placement_screws",
       [=](T t, L l) { placement_screws(t, X(t, l), l.twists("screws", 6 * t.nodes.size())); }},
      {"effort_sensitivity",
       [=](T t, L l) {
         GeometricSensitivityWorkspace w(t);
         effort_sensitivity(t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"),
                            l.numbers("by_placement", 6 * t.nodes.size() * t.rate_count));
       }},
      {"twist_derivatives of one node",
       [=](T t, L l) {
         twist_derivatives(t, X(t, l), l.twists("J", t.rate_count), v(t, l, "qd"), v(t, l, "qdd"),
                           v(t, l, "qddd"), 1, Representation::body);
       }},
      {"twist_derivatives",
       [=](T t, L l) {
         HigherOrderWorkspace w(t, 2);
         twist_derivatives(t, w, q(t, l), l.numbers("rates", 3 * t.rate_count), Representation::body,
                           l.twists("V", 3 * t.nodes.size()));
       }},
      {"joint_rates", [=](T t, L l) { joint_rates(t, q(t, l), V(t, l, "V_N"), v(t, l, "qd")); }},
      {"joint_accelerations",
       [=](T t, L l) {
         joint_accelerations(t, q(t, l), V(t, l, "V_N"), V(t, l, "V_N_rate"), v(t, l, "qdd"));
       }},
      {"set_configuration",
       [=](T t, L l) {
         JacobianDerivativesWorkspace w(t, 2);
         set_configuration(t, w, q(t, l));
       }},
      {"collocate",
       [=](T t, L l) {
         const std::vector<double> b{0.5, 0.5};
         collocate(t, 0.1, l.numbers("lean", 4), b, q(t, l, "q0"), l.numbers("V", 2 * t.rate_count),
                   l.numbers("Q", 2 * t.coordinate_count), q(t, l, "dq"));
       }},
      {"inverse_dynamics_in",
       [=](T t, L l) {
         InverseDynamicsFormWorkspace<double> w(t);
         inverse_dynamics_in<Representation::spatial, double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "qdd"),
                                                              F(t, l, "applied"), v(t, l, "effort"));
       }},
      {"node_momenta",
       [=](T t, L l) {
         MomentumFormWorkspace<double> w(t);
         node_momenta<double>(t, w, q(t, l), v(t, l, "qd"), F(t, l, "Pi"));
       }},
      {"momentum_form",
       [=](T t, L l) {
         MomentumFormWorkspace<double> w(t);
         momentum_form<double>(t, w, q(t, l), F(t, l, "Pi"), v(t, l, "effort"), F(t, l, "applied"),
                               v(t, l, "qd"), F(t, l, "Pi_rate"));
       }},
      {"spatial_forward_dynamics", [=](T t, L l) {
         SpatialForwardDynamicsWorkspace<double> w(t);
         spatial_forward_dynamics<double>(t, w, q(t, l), v(t, l, "qd"), v(t, l, "effort"), F(t, l, "applied"),
                                          v(t, l, "qdd"));
       }}};
  return all;
}

TEST(Sizes, AreCheckedByEveryFunctionInEveryBuild) {
  const Tree tree = make_tree(Model(reference::all_joints()));
  for (const Call& call : calls()) {
    Lists right("", 0);
    EXPECT_NO_THROW(call.make(tree, right)) << call.name;
    for (const std::string& name : right.names) {
      for (const int by : {-1, 1}) {
        Lists wrong(name, by);
        try {
          call.make(tree, wrong);
          ADD_FAILURE() << call.name << " takes a list " << name << " of the wrong size";
        } catch (const SizeError& error) {
          EXPECT_EQ(error.argument, name) << call.name;
          EXPECT_EQ(error.found, error.expected + by) << call.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace torsor
