// Poses, twists, accelerations and Jacobians of bodies.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "dynamics.h"
#include "torsor/tree/higher_order_kinematics.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/representation.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

template <class W>
using ScalarOf = typename std::remove_cvref_t<W>::Scalar;

Representation representation_named(const std::string& name) {
  for (const Representation r : kRepresentations) {
    if (name == name_of(r)) return r;
  }
  const std::string text = "representation: expected body, spatial, hybrid or mixed, found '" + name + "'";
  throw nb::value_error(text.c_str());
}

int body_named(const PyDynamics& d, const std::string& name) {
  const int body = d.model->body_index(name);
  if (body < 0) throw nb::value_error("body: expected one that can move, found 'world'");
  return body;
}

template <class W>
auto body_pose(const W& w, std::size_t body) {
  return w.X[w.tree.body_node[body]] * w.tree.X_NB[body];
}

template <class S>
void put(const Twist<S>& V, S* place, std::size_t stride = 1) {
  for (std::size_t i = 0; i < 3; ++i) {
    place[i * stride] = V.angular[int(i)];
    place[(3 + i) * stride] = V.linear[int(i)];
  }
}

nb::object poses(PyDynamics& d, nb::handle q) {
  return evaluate_one<Many::packed, 1>(
      d, {{{q, "q", d.coordinates()}}}, {3, {npy_intp(d.tree.body_node.size()), 4, 4}},
      [](auto& w, const auto& in, const auto& out) {
        using S = ScalarOf<decltype(w)>;
        node_poses<S>(w.tree, in[0], w.X);
        S* next = out[0].data();
        for (std::size_t b = 0; b < w.tree.body_node.size(); ++b) {
          const Pose<S> X = body_pose(w, b);
          for (const S& entry : {X.R.xx, X.R.xy, X.R.xz, X.p.x, X.R.yx, X.R.yy, X.R.yz, X.p.y, X.R.zx, X.R.zy,
                                 X.R.zz, X.p.z, S(0.0), S(0.0), S(0.0), S(1.0)})
            *next++ = entry;
        }
      });
}

nb::object centre_of_mass(PyDynamics& d, nb::handle q) {
  double total = 0;
  for (const Body& body : d.model->bodies()) total += body.mass;
  const Model& model = *d.model;
  return evaluate_one<Many::packed, 1>(d, {{{q, "q", d.coordinates()}}}, {1, {3}},
                                       [&, total](auto& w, const auto& in, const auto& out) {
                                         using S = ScalarOf<decltype(w)>;
                                         node_poses<S>(w.tree, in[0], w.X);
                                         Vec3<S> sum{};
                                         for (std::size_t b = 0; b < w.tree.body_node.size(); ++b) {
                                           const Body& body = model.bodies()[b];
                                           sum += S(body.mass / total) * act(body_pose(w, b), body.com);
                                         }
                                         for (int i = 0; i < 3; ++i) out[0][i] = sum[i];
                                       });
}

nb::object twists(PyDynamics& d, nb::handle q, nb::handle qd, const std::string& name) {
  const Representation representation = representation_named(name);
  return evaluate_one<Many::packed, 2>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}}}, d.bodies(6),
      [=](auto& w, const auto& in, const auto& out) {
        using S = ScalarOf<decltype(w)>;
        forward_kinematics<S>(w.tree, in[0], in[1], w.X, w.V);
        for (std::size_t b = 0; b < w.tree.body_node.size(); ++b) {
          const Twist<S> V_B = to_child(w.tree.X_NB[b], w.V[w.tree.body_node[b]]);
          put(represent(representation, body_pose(w, b), V_B), &out[0][6 * b]);
        }
      });
}

/// Body-fixed derivatives of a node's twist, in its body's frame.
template <class W>
TwistDerivatives<double> body_motion(W& w, std::size_t body, const std::array<std::span<const double>, 4>& in,
                                     Representation representation) {
  const int node = w.tree.body_node[body];
  const TwistDerivatives<double> N =
      twist_derivatives(w.tree, w.X, w.J, in[1], in[2], in[3], node, Representation::body);
  const Pose<double>& X = w.tree.X_NB[body];  // constant: each derivative moves like a twist
  const TwistDerivatives<double> B{to_child(X, N.twist), to_child(X, N.acceleration), to_child(X, N.jerk)};
  return represent(representation, body_pose(w, body), B);
}

nb::object accelerations(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd,
                         const std::string& name) {
  const Representation representation = representation_named(name);
  return evaluate_one<Many::each, 3>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}}, d.bodies(6),
      [=](auto& w, const auto& in, const auto& out) {
        node_poses<double>(w.tree, in[0], w.X);
        spatial_joint_screws<double>(w.tree, w.X, w.J);
        for (std::size_t b = 0; b < w.tree.body_node.size(); ++b)
          put(body_motion(w, b, {in[0], in[1], in[2], w.zero}, representation).acceleration, &out[0][6 * b]);
      });
}

nb::object jerks(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle qddd,
                 const std::string& name) {
  const Representation representation = representation_named(name);
  return evaluate_one<Many::each, 4>(
      d,
      {{{q, "q", d.coordinates()},
        {qd, "qd", d.rates()},
        {qdd, "qdd", d.rates()},
        {qddd, "qddd", d.rates()}}},
      d.bodies(6), [=](auto& w, const auto& in, const auto& out) {
        node_poses<double>(w.tree, in[0], w.X);
        spatial_joint_screws<double>(w.tree, w.X, w.J);
        for (std::size_t b = 0; b < w.tree.body_node.size(); ++b)
          put(body_motion(w, b, {in[0], in[1], in[2], in[3]}, representation).jerk, &out[0][6 * b]);
      });
}

/// Rates of the joints that carry a body.
std::vector<int> chain_rates(const Tree& tree, int body) {
  std::vector<int> rates;
  for (int node = tree.body_node[body]; node > 0; node = tree.nodes[node].parent) {
    for (int i = 0; i < rate_count(tree.nodes[node].joint); ++i) rates.push_back(tree.nodes[node].v + i);
  }
  return rates;
}

nb::object jacobian(PyDynamics& d, nb::handle q, const std::string& body_name, const std::string& name,
                    std::optional<nb::object> point) {
  const Representation representation = representation_named(name);
  const int body = body_named(d, body_name);
  const std::vector<int> rates = chain_rates(d.tree, body);
  Vec3<double> at{};
  if (point) {
    const Input given(*point, "point", {1, {3}});
    if (given.lead_rank()) throw nb::value_error("point: expected shape (3,)");
    at = {given.data()[0], given.data()[1], given.data()[2]};
  }
  const npy_intp n = d.tree.rate_count;
  return evaluate_one<Many::packed, 1>(
      d, {{{q, "q", d.coordinates()}}}, {2, {6, n}}, [&](auto& w, const auto& in, const auto& out) {
        using S = ScalarOf<decltype(w)>;
        node_poses<S>(w.tree, in[0], w.X);
        spatial_joint_screws<S>(w.tree, w.X, w.J);
        Pose<S> X = body_pose(w, body);
        X.p = act(X, at);
        for (S& entry : out[0]) entry = S(0.0);
        for (const int rate : rates)
          put(convert(Representation::spatial, representation, X, w.J[rate]), &out[0][rate], n);
      });
}

nb::object jacobian_derivatives(PyDynamics& d, nb::handle q, const std::string& body_name,
                                const std::string& name) {
  const Representation representation = representation_named(name);
  const int body = body_named(d, body_name);
  const int n = d.tree.rate_count;
  return evaluate_one<Many::each, 1>(
      d, {{{q, "q", d.coordinates()}}}, {3, {6, n, n}}, [=](auto& w, const auto& in, const auto& out) {
        JacobianDerivativesWorkspace workspace(w.tree, 1);
        set_configuration(w.tree, workspace, in[0]);
        const int node = w.tree.body_node[body];
        for (int j = 0; j < n; ++j) {
          for (int k = 0; k < n; ++k) {
            Twist<double> V = jacobian_derivative(w.tree, workspace, representation, node, j, {&k, 1});
            put(V, &out[0][std::size_t(j) * n + k], std::size_t(n) * n);
          }
        }
      });
}

}  // namespace

void bind_kinematics(DynamicsClass& c) {
  c.def("poses", poses, "q"_a,
        nb::sig("def poses(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
        R"(Body frames in the world as 4 x 4 matrices, shape (bodies, 4, 4); positions [m] in the last column.

>>> import torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> tree.poses(tree.neutral()).shape
(7, 4, 4)
)")
      .def("com", centre_of_mass, "q"_a,
           nb::sig("def com(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           R"(Centre of mass of all bodies [m], shape (3,).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> tree.com(np.zeros((10, 7))).shape                               # m
(10, 3)
)")
      .def(
          "twists", twists, "q"_a, "qd"_a, "representation"_a = "body",
          nb::sig(
              "def twists(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, representation: str = "
              "'body') -> numpy.typing.NDArray[numpy.float64]"),
          R"(Twists of the bodies, shape (bodies, 6): angular [rad/s], linear [m/s]. representation: body (both in body axes, of the body origin), spatial (world axes, of the world origin), hybrid (world axes, of the body origin), mixed (angular in body, linear in world axes, of the body origin).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> tree.twists(q, qd, "hybrid").shape
(7, 6)
)")
      .def(
          "accelerations", accelerations, "q"_a, "qd"_a, "qdd"_a, "representation"_a = "body",
          nb::sig(
              "def accelerations(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
              "numpy.typing.ArrayLike, representation: str = 'body') -> numpy.typing.NDArray[numpy.float64]"),
          R"(Time derivatives of twists in the same representation, shape (bodies, 6) [rad/s^2, m/s^2]; hybrid: of the point.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> tree.accelerations(q, qd, qdd, "hybrid").shape
(7, 6)
)")
      .def("jerks", jerks, "q"_a, "qd"_a, "qdd"_a, "qddd"_a, "representation"_a = "body",
           nb::sig("def jerks(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
                   "numpy.typing.ArrayLike, "
                   "qddd: numpy.typing.ArrayLike, representation: str = 'body') -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(Second time derivatives of twists, shape (bodies, 6) [rad/s^3, m/s^3].

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> tree.jerks(q, qd, qdd, 0 * qdd).shape
(7, 6)
)")
      .def("jacobian", jacobian, "q"_a, "body"_a, "representation"_a = "hybrid",
           "point"_a.none() = nb::none(),
           nb::sig("def jacobian(self, q: numpy.typing.ArrayLike, body: str, representation: str = 'hybrid', "
                   "point: "
                   "numpy.typing.ArrayLike | None = None) -> numpy.typing.NDArray[numpy.float64]"),
           R"(J with twist = J qd, shape (6, nv), of a body's origin or of a point [m] in its frame.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd = np.random.default_rng(3).normal(size=(2, 7))
>>> J = tree.jacobian(q, tree.bodies[-1])
>>> bool(np.allclose(J @ qd, tree.twists(q, qd, "hybrid")[-1]))
True
)")
      .def(
          "jacobian_derivatives", jacobian_derivatives, "q"_a, "body"_a, "representation"_a = "spatial",
          nb::sig(
              "def jacobian_derivatives(self, q: numpy.typing.ArrayLike, body: str, representation: str = "
              "'spatial') -> numpy.typing.NDArray[numpy.float64]"),
          R"(Partial derivatives of the Jacobian of the frame that carries the body, shape (6, nv, nv): [:, j, k] is that of column j by coordinate k.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> tree.jacobian_derivatives(np.zeros(7), "link7").shape
(6, 7, 7)
)");
}

}  // namespace torsor::python
