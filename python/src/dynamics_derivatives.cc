// Derivatives of the equations of motion, linearisation and modes.

#include <nanobind/stl/complex.h>
#include <nanobind/stl/vector.h>

#include "dynamics.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

using Three = std::array<Input, 3>;

nb::object inverse_derivatives(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd) {
  return named_tuple(
      "InverseDynamicsDerivatives",
      evaluate<Many::each, 3, 3>(
          d, Three{{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}},
          {d.rates(), d.rate_matrix(), d.rate_matrix()}, [](auto& w, const auto& in, const auto& out) {
            inverse_dynamics_derivatives<double>(
                w.tree, w.template get<InverseDynamicsDerivativesWorkspace<double>>(), in[0], in[1], in[2],
                out[0], out[1], out[2]);
          }));
}

nb::object forward_derivatives(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle effort) {
  return named_tuple(
      "ForwardDynamicsDerivatives",
      evaluate<Many::each, 3, 4>(
          d, Three{{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {effort, "effort", d.rates()}}},
          {d.rates(), d.rate_matrix(), d.rate_matrix(), d.rate_matrix()},
          [](auto& w, const auto& in, const auto& out) {
            forward_dynamics_derivatives(w.tree, w.template get<ForwardDynamicsDerivativesWorkspace>(), in[0],
                                         in[1], in[2], out[0], out[1], out[2], out[3]);
          }));
}

nb::object second_derivatives(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd) {
  const Tail cube = d.rate_cube();
  return named_tuple(
      "InverseDynamicsSecondDerivatives",
      evaluate<Many::each, 3, 4>(
          d, Three{{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}},
          {cube, cube, cube, cube}, [](auto& w, const auto& in, const auto& out) {
            inverse_dynamics_second_derivatives(w.tree, w.template get<SecondDerivativesWorkspace>(), in[0],
                                                in[1], in[2], {out[0], out[1], out[2], out[3]});
          }));
}

nb::object rates(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle qddd,
                 nb::handle qdddd) {
  return named_tuple("EffortRates",
                     evaluate<Many::each, 5, 3>(
                         d,
                         {{{q, "q", d.coordinates()},
                           {qd, "qd", d.rates()},
                           {qdd, "qdd", d.rates()},
                           {qddd, "qddd", d.rates()},
                           {qdddd, "qdddd", d.rates()}}},
                         {d.rates(), d.rates(), d.rates()}, [](auto& w, const auto& in, const auto& out) {
                           inverse_dynamics_rates(w.tree, w.template get<InverseDynamicsRatesWorkspace>(),
                                                  in[0], in[1], in[2], in[3], in[4], out[0], out[1], out[2]);
                         }));
}

nb::object linearised(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle effort) {
  const npy_intp n = d.tree.rate_count;
  return named_tuple(
      "Linearisation",
      evaluate<Many::each, 3, 3>(
          d, Three{{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {effort, "effort", d.rates()}}},
          {Tail{2, {2 * n, 2 * n}}, Tail{2, {2 * n, n}}, d.rates()},
          [](auto& w, const auto& in, const auto& out) {
            Linearisation& result = w.template get<Linearisation>();
            linearise(w.tree, w.template get<LinearisationWorkspace>(), in[0], in[1], in[2], result);
            std::copy(result.A.entries.begin(), result.A.entries.end(), out[0].begin());
            std::copy(result.B.entries.begin(), result.B.entries.end(), out[1].begin());
            std::copy(result.qdd.begin(), result.qdd.end(), out[2].begin());
          }));
}

nb::list modes_of(nb::handle matrix) {
  const nb::object array =
      nb::steal(require(PyArray_FROMANY(matrix.ptr(), NPY_DOUBLE, 2, 2, NPY_ARRAY_CARRAY_RO)));
  auto* a = reinterpret_cast<PyArrayObject*>(array.ptr());
  const npy_intp n = PyArray_DIM(a, 0);
  if (n != PyArray_DIM(a, 1)) {
    const std::string text = "A: expected a square matrix, found shape " + shape_text({PyArray_DIMS(a), 2});
    throw nb::value_error(text.c_str());
  }
  Matrix A(static_cast<int>(n), static_cast<int>(n));
  const auto* data = static_cast<const double*>(PyArray_DATA(a));
  for (npy_intp i = 0; i < n * n; ++i) {
    if (!std::isfinite(data[i])) throw nb::value_error("A: expected finite numbers");
  }
  A.entries.assign(data, data + n * n);
  std::vector<Mode> all;
  {
    nb::gil_scoped_release release;
    all = modes(A);
  }
  const nb::object type = nb::module_::import_("torsor._tuples").attr("Mode");
  nb::list result;
  for (const Mode& mode : all)
    result.append(type(mode.eigenvalue, mode.frequency, mode.damping_ratio, mode.shape));
  return result;
}

nb::object sensitivity(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd) {
  std::vector<int> nodes;
  for (std::size_t j = 0; j < d.tree.joint_node.size(); ++j) {
    if (d.tree.joint_node[j] >= 0) nodes.push_back(d.tree.joint_first_node[j]);
  }
  return evaluate_one<Many::each, 3>(
      d, Three{{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}},
      {3, {d.tree.rate_count, npy_intp(nodes.size()), kPlacementDirections}},
      [&](auto& w, const auto& in, const auto& out) {
        const std::size_t row = std::size_t(kPlacementDirections) * w.tree.size();
        std::vector<double> all(row * w.tree.rate_count);
        effort_sensitivity(w.tree, w.template get<GeometricSensitivityWorkspace>(), in[0], in[1], in[2], all);
        auto next = out[0].begin();
        for (int i = 0; i < w.tree.rate_count; ++i) {
          for (const int node : nodes) {
            next = std::copy_n(all.begin() + std::ptrdiff_t(i * row + kPlacementDirections * node),
                               kPlacementDirections, next);
          }
        }
      });
}

}  // namespace

void bind_derivatives(DynamicsClass& c) {
  c.def("inverse_dynamics_derivatives", inverse_derivatives, "q"_a, "qd"_a, "qdd"_a,
        nb::sig("def inverse_dynamics_derivatives(self, q: numpy.typing.ArrayLike, qd: "
                "numpy.typing.ArrayLike, qdd: "
                "numpy.typing.ArrayLike) -> torsor._tuples.InverseDynamicsDerivatives"),
        R"((effort, by_q, by_qd): efforts (nv,) and their partial derivatives (nv, nv), exact, O(n depth).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(2).normal(size=(3, 7))
>>> by_q, h = tree.inverse_dynamics_derivatives(q, qd, qdd).by_q, 1e-6
>>> moved = [tree.inverse_dynamics(tree.retract(q, s * h * np.eye(7)[0]), qd, qdd) for s in (1, -1)]
>>> bool(np.allclose(by_q[:, 0], (moved[0] - moved[1]) / (2 * h), atol=1e-6))
True
)")
      .def(
          "forward_dynamics_derivatives", forward_derivatives, "q"_a, "qd"_a, "effort"_a,
          nb::sig(
              "def forward_dynamics_derivatives(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, "
              "effort: numpy.typing.ArrayLike) -> torsor._tuples.ForwardDynamicsDerivatives"),
          R"((qdd, by_q, by_qd, by_effort): accelerations (nv,) and their partial derivatives (nv, nv); the last is M^-1.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> by_effort = tree.forward_dynamics_derivatives(q, qd, qdd).by_effort
>>> bool(np.allclose(by_effort @ tree.mass_matrix(q), np.eye(7)))
True
)")
      .def(
          "inverse_dynamics_second_derivatives", second_derivatives, "q"_a, "qd"_a, "qdd"_a,
          nb::sig("def inverse_dynamics_second_derivatives(self, q: numpy.typing.ArrayLike, qd: "
                  "numpy.typing.ArrayLike, qdd: numpy.typing.ArrayLike) -> "
                  "torsor._tuples.InverseDynamicsSecondDerivatives"),
          R"((by_q_q, by_q_qd, by_qd_qd, by_q_qdd), each (nv, nv, nv): effort i, first variable j, second variable k.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> second = tree.inverse_dynamics_second_derivatives(q, qd, qdd)
>>> bool(np.allclose(second.by_qd_qd, second.by_qd_qd.swapaxes(1, 2)))
True
)")
      .def(
          "inverse_dynamics_rates", rates, "q"_a, "qd"_a, "qdd"_a, "qddd"_a, "qdddd"_a,
          nb::sig(
              "def inverse_dynamics_rates(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
              "numpy.typing.ArrayLike, qddd: numpy.typing.ArrayLike, qdddd: numpy.typing.ArrayLike) -> "
              "torsor._tuples.EffortRates"),
          R"((effort, first, second): efforts and their first and second time derivative along a motion, each (nv,).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> rates = tree.inverse_dynamics_rates(q, qd, qdd, 0 * q, 0 * q)
>>> bool(np.allclose(rates.effort, tree.inverse_dynamics(q, qd, qdd)))
True
)")
      .def("linearise", linearised, "q"_a, "qd"_a, "effort"_a,
           nb::sig("def linearise(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, effort: "
                   "numpy.typing.ArrayLike) -> torsor._tuples.Linearisation"),
           R"((A, B, qdd) with d/dt (x, y) = A (x, y) + B u about a state: A (2 nv, 2 nv), B (2 nv, nv).

>>> import torsor as ts
>>> tree = ts.load("pendulum").dynamics()
>>> A, B, qdd = tree.linearise([0.0], [0.0], tree.gravity_forces([0.0]))
>>> A.shape, B.shape
((2, 2), (2, 1))
)")
      .def_static(
          "modes", modes_of, "A"_a,
          nb::sig("def modes(A: numpy.typing.ArrayLike) -> list[torsor._tuples.Mode]"),
          R"(Modes of a square matrix, slowest first: eigenvalue [1/s], frequency [Hz], damping ratio, shape.

>>> import torsor as ts
>>> mode = ts.Dynamics.modes([[0, 1], [-4, 0]])[0]                     # an oscillator of 2 rad/s
>>> round(mode.frequency, 4), round(abs(mode.damping_ratio), 4)
(0.3183, 0.0)
)")
      .def(
          "geometric_sensitivity", sensitivity, "q"_a, "qd"_a, "qdd"_a,
          nb::sig(
              "def geometric_sensitivity(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
              "numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
          R"(Sensitivity of the efforts to small errors of joint placements, shape (nv, joints, 6): rotations about, then translations along x, y, z of the joint frame [N m/rad, N m/m].

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> tree.geometric_sensitivity(q, qd, qdd).shape
(7, 7, 6)
)");
}

}  // namespace torsor::python
