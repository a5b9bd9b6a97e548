#pragma once
// The class torsor.Dynamics, in parts.

#include <nanobind/nanobind.h>

#include "evaluate.h"

namespace torsor::python {

using DynamicsClass = nanobind::class_<PyDynamics>;

void bind_equations(DynamicsClass& dynamics);
void bind_derivatives(DynamicsClass& dynamics);
void bind_kinematics(DynamicsClass& dynamics);

/// An instance of one of the named tuples of torsor/_tuples.py.
template <std::size_t N>
nanobind::object named_tuple(const char* name, std::array<nanobind::object, N> arrays) {
  const nanobind::object type = nanobind::module_::import_("torsor._tuples").attr(name);
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return type(std::move(arrays[I])...); }
  (std::make_index_sequence<N>());
}

}  // namespace torsor::python
