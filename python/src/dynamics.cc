// The class torsor.Dynamics: what it is of, and its configurations.

#include "dynamics.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"
#include "torsor/tree/configuration.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

const Model& require_tree(const Model& model, bool cut_loops) {
  if (cut_loops || model.topology().is_tree()) return model;
  const int joint = model.topology().loop_joints.front();
  throw ModelError("joints." + model.joints()[joint].name,
                   "a model without loops (evaluate() has them), or dynamics(cut_loops=True)",
                   "a joint that closes a loop");
}

nb::object neutral(const PyDynamics& d) {
  const npy_intp size = d.tree.coordinate_count;
  nb::object q = nb::steal(require(PyArray_SimpleNew(1, &size, NPY_DOUBLE)));
  auto* data = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(q.ptr())));
  set_neutral(d.tree, {data, std::size_t(size)});
  return q;
}

nb::object retract_states(PyDynamics& d, nb::handle q, nb::handle increment) {
  return evaluate_one<Many::packed, 2>(d, {{{q, "q", d.coordinates()}, {increment, "increment", d.rates()}}},
                                       d.coordinates(), [](auto& w, const auto& in, const auto& out) {
                                         using S = typename std::remove_cvref_t<decltype(w)>::Scalar;
                                         retract<S>(w.tree, in[0], in[1], out[0]);
                                       });
}

nb::object difference(PyDynamics& d, nb::handle q0, nb::handle q1) {
  return evaluate_one<Many::packed, 2>(d, {{{q0, "q0", d.coordinates()}, {q1, "q1", d.coordinates()}}},
                                       d.rates(), [](auto& w, const auto& in, const auto& out) {
                                         using S = typename std::remove_cvref_t<decltype(w)>::Scalar;
                                         configuration_difference<S>(w.tree, in[0], in[1], out[0]);
                                       });
}

nb::object normalized(PyDynamics& d, nb::handle q) {
  return evaluate_one<Many::each, 1>(d, {{{q, "q", d.coordinates()}}}, d.coordinates(),
                                     [](auto& w, const auto& in, const auto& out) {
                                       std::copy(in[0].begin(), in[0].end(), out[0].begin());
                                       normalize(w.tree, out[0]);
                                     });
}

std::vector<std::string> body_names(const PyDynamics& d) {
  std::vector<std::string> names;
  for (const Body& body : d.model->bodies()) names.push_back(body.name);
  return names;
}

std::vector<std::string> joint_names(const PyDynamics& d) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < d.model->joints().size(); ++j) {
    if (d.tree.joint_node[j] >= 0) names.push_back(d.model->joints()[j].name);
  }
  return names;
}

void set_threads(PyDynamics& d, int threads) {
  if (threads < 1 || threads > 1024) throw nb::value_error("threads: expected 1 to 1024");
  d.threads = threads;
}

constexpr const char* kClassText =
    R"(Kinematics and dynamics of a model's tree at any state; made by ``model.dynamics()``.

    M(q) qdd + C(q, qd) qd + g(q) = effort

Every function takes one state, arrays of shape (nq,) and (nv,), or many at once, (N, nq) and (N, nv). Many states are
computed in packs of eight, on all cores, without the interpreter lock. An argument that has no axis N is used for all
states. Arrays may have any memory layout and any real type; float64 in C order is not copied. The order of q and of
rates is that of the model file's joints. Twists and wrenches have the angular part first. Rates of a spherical joint
are the child's angular velocity in its own axes, of a free joint its twist; derivatives with respect to q are along
these, too. Tendons, springs and other elements of the model are not included; ``model.evaluate`` includes them.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(0).normal(size=(3, tree.nv))
>>> effort = tree.inverse_dynamics(q, qd, qdd)                      # N m
>>> bool(np.allclose(tree.forward_dynamics(q, qd, effort), qdd))
True
>>> tree.inverse_dynamics(np.zeros((1000, 7)), qd, qdd).shape
(1000, 7)
)";

}  // namespace

PyDynamics::PyDynamics(const PyModel& m, bool cut_loops)
    : model(&require_tree(m.model, cut_loops)),
      tree(make_tree(m.model)),
      single(tree),
      threads(std::max(1u, std::thread::hardware_concurrency())) {}

void bind_dynamics(nb::module_& module) {
  DynamicsClass dynamics(module, "Dynamics", kClassText);
  dynamics.def(nb::init<const PyModel&, bool>(), "model"_a, "cut_loops"_a = false, nb::keep_alive<1, 2>())
      .def_prop_ro(
          "nq", [](const PyDynamics& d) { return d.tree.coordinate_count; }, "Number of coordinates.")
      .def_prop_ro(
          "nv", [](const PyDynamics& d) { return d.tree.rate_count; }, "Number of rates.")
      .def_prop_ro("bodies", body_names, "Names of the bodies, in the order of all arrays.")
      .def_prop_ro("joints", joint_names, "Names of the joints, in the order of q.")
      .def_prop_rw(
          "threads", [](const PyDynamics& d) { return d.threads; }, set_threads,
          "Number of threads for many states, by default one for each core.")
      .def("neutral", neutral, nb::sig("def neutral(self) -> numpy.typing.NDArray[numpy.float64]"),
           R"(The configuration of zeros and unit quaternions, shape (nq,).

>>> import torsor as ts
>>> ts.load("free_body").dynamics().neutral()
array([1., 0., 0., 0., 0., 0., 0.])
)")
      .def(
          "retract", retract_states, "q"_a, "increment"_a,
          nb::sig("def retract(self, q: numpy.typing.ArrayLike, increment: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(q exp(increment), joint by joint: the configuration after a motion by rates times time; shape (nq,).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("free_body").dynamics()
>>> tree.retract(tree.neutral(), [0, 0, 0, 1, 2, 3])           # moved by (1, 2, 3) m
array([1., 0., 0., 0., 1., 2., 3.])
)")
      .def("difference", difference, "q0"_a, "q1"_a,
           nb::sig("def difference(self, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(The increment that takes q0 to q1, log(q0^-1 q1), shape (nv,): the inverse of retract.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> bool(np.allclose(tree.difference(q, tree.retract(q, qd)), qd))
True
)")
      .def("normalize", normalized, "q"_a,
           nb::sig("def normalize(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           R"(q with its quaternions brought to unit length, shape (nq,).

>>> import torsor as ts
>>> ts.load("free_body").dynamics().normalize([2, 0, 0, 0, 1, 1, 1])
array([1., 0., 0., 0., 1., 1., 1.])
)");
  bind_equations(dynamics);
  bind_derivatives(dynamics);
  bind_kinematics(dynamics);
}

}  // namespace torsor::python
