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

template <int D, class S>
ElementForces<D, S>::ElementForces(const Model& model, const RotationlessMechanism<D, S>& mechanism,
                                   const FlowBook& book, SystemInput inputs) requires std::same_as<S, double>
    : X(mechanism.ground), forces(mechanism.ground + 1), input(std::move(inputs)) {
  compile(model, mechanism, book);
  held.reserve(book.flow_count());
}

template <int D, class S>
void ElementForces<D, S>::compile(const Model& model, const RotationlessMechanism<D, S>& mechanism,
                                  const FlowBook& book) requires std::same_as<S, double> {
  elements = compile_elements(
      ElementContext<D>{model, mechanism, book, input.external.get(), input.held.get(), input.fault.get()});
}

template <int D, class S>
ElementForces<D, S>::ElementForces(int ground) requires(!std::same_as<S, double>)
    : X(ground), forces(ground + 1) {}

template <int D, class S>
void ElementForces<D, S>::push_all(const RotationlessMechanism<D, S>& mechanism,
                                   const ConstrainedPointOf<S>& point, std::span<const S> servo_efforts) {
  forces[mechanism.ground] = {};
  const VecD<D, S> weight = point.force_gain * mechanism.gravity;
  for (int node = 0; node < mechanism.ground; ++node) {
    X.load(point, node);
    NodeForce<D, S>& on = forces[node];
    on.force = mechanism.frames.mass[node] * (X.w[node].phi - weight);
    for (int i = 0; i < D; ++i) on.on_directors[i] = mechanism.frames.E[node][i] * X.w[node].d[i];
    on.moment = SpinD<D, S>{};
  }
  const PairView<D, S> view{point, mechanism, X, servo_efforts};
  for_each_element(elements, [&](auto& element) { element.push(view, ForceSink<D, S>{forces}); });
}

template <int D, class S>
void ElementForces<D, S>::add_flows(const RotationlessMechanism<D, S>& mechanism,
                                    const ConstrainedPointOf<S>& point, std::span<const S> servo_efforts,
                                    double h, const FlowsOf<S>& flows) {
  X.load(point);
  const PairView<D, S> view{point, mechanism, X, servo_efforts};
  for_each_element(elements, [&](auto& element) { element.add_flows(view, h, flows); });
}

template struct ElementForces<2>;
template struct ElementForces<3>;

template ElementForces<2, Pack<4>>::ElementForces(int);
template ElementForces<3, Pack<4>>::ElementForces(int);
template void ElementForces<2, Pack<4>>::push_all(const RotationlessMechanism<2, Pack<4>>&,
                                                  const ConstrainedPointOf<Pack<4>>&,
                                                  std::span<const Pack<4>>);
template void ElementForces<3, Pack<4>>::push_all(const RotationlessMechanism<3, Pack<4>>&,
                                                  const ConstrainedPointOf<Pack<4>>&,
                                                  std::span<const Pack<4>>);
template void ElementForces<2, Pack<4>>::add_flows(const RotationlessMechanism<2, Pack<4>>&,
                                                   const ConstrainedPointOf<Pack<4>>&,
                                                   std::span<const Pack<4>>, double, const FlowsOf<Pack<4>>&);
template void ElementForces<3, Pack<4>>::add_flows(const RotationlessMechanism<3, Pack<4>>&,
                                                   const ConstrainedPointOf<Pack<4>>&,
                                                   std::span<const Pack<4>>, double, const FlowsOf<Pack<4>>&);

template ElementForces<2, Pack<8>>::ElementForces(int);
template ElementForces<3, Pack<8>>::ElementForces(int);
template void ElementForces<2, Pack<8>>::push_all(const RotationlessMechanism<2, Pack<8>>&,
                                                  const ConstrainedPointOf<Pack<8>>&,
                                                  std::span<const Pack<8>>);
template void ElementForces<3, Pack<8>>::push_all(const RotationlessMechanism<3, Pack<8>>&,
                                                  const ConstrainedPointOf<Pack<8>>&,
                                                  std::span<const Pack<8>>);
template void ElementForces<2, Pack<8>>::add_flows(const RotationlessMechanism<2, Pack<8>>&,
                                                   const ConstrainedPointOf<Pack<8>>&,
                                                   std::span<const Pack<8>>, double, const FlowsOf<Pack<8>>&);
template void ElementForces<3, Pack<8>>::add_flows(const RotationlessMechanism<3, Pack<8>>&,
                                                   const ConstrainedPointOf<Pack<8>>&,
                                                   std::span<const Pack<8>>, double, const FlowsOf<Pack<8>>&);

}  // namespace torsor
