#include "torsor/formulation/elements/all.h"

namespace torsor {
namespace {

template <int D>
ElementListsD<D> compile_elements(const ElementContext<D>& context) {
  ElementListsD<D> lists;
  std::apply([&](auto&... list) { (compile(context, list), ...); }, lists);
  return lists;
}

}  // namespace

template <int D>
ElementForces<D>::ElementForces(const Model& model, const RotationlessMechanism<D>& mechanism,
                                const FlowBook& book, SystemInput inputs)
    : elements(compile_elements(ElementContext<D>{model, mechanism, book, inputs.external.get(),
                                                  inputs.held.get(), inputs.fault.get()})),
      X(mechanism.ground),
      forces(mechanism.ground + 1),
      input(std::move(inputs)) {
  held.reserve(book.flow_count());
}

template <int D>
void ElementForces<D>::push_all(const RotationlessMechanism<D>& mechanism, const ConstrainedPoint& point,
                                std::span<const double> servo_efforts) {
  X.load(point);
  forces[mechanism.ground] = {};
  const VecD<D> weight = point.force_gain * mechanism.gravity;
  for (int node = 0; node < mechanism.ground; ++node) {
    NodeForce<D>& on = forces[node];
    on.force = mechanism.frames.mass[node] * (X.w[node].phi - weight);
    for (int i = 0; i < D; ++i) on.on_directors[i] = mechanism.frames.E[node][i] * X.w[node].d[i];
    on.moment = SpinD<D>{};
  }
  const PairView<D> view{point, mechanism, X, servo_efforts};
  for_each_element(elements, [&](auto& element) { element.push(view, ForceSink<D>{forces}); });
}

template <int D>
void ElementForces<D>::add_flows(const RotationlessMechanism<D>& mechanism, const ConstrainedPoint& point,
                                 std::span<const double> servo_efforts, double h, const Flows& flows) {
  X.load(point);
  const PairView<D> view{point, mechanism, X, servo_efforts};
  for_each_element(elements, [&](auto& element) { element.add_flows(view, h, flows); });
}

template struct ElementForces<2>;
template struct ElementForces<3>;

}  // namespace torsor
