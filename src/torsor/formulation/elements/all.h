#pragma once
// All kinds of elements, in directors and on trees: the lists over which forces, derivatives, flows and
// observation go.

#include <tuple>

#include "torsor/formulation/elements/bushing.h"
#include "torsor/formulation/elements/drag.h"
#include "torsor/formulation/elements/effort.h"
#include "torsor/formulation/elements/external.h"
#include "torsor/formulation/elements/hold.h"
#include "torsor/formulation/elements/joint_limits.h"
#include "torsor/formulation/elements/joint_spring.h"
#include "torsor/formulation/elements/load.h"
#include "torsor/formulation/elements/muscle.h"
#include "torsor/formulation/elements/own_law.h"
#include "torsor/formulation/elements/point_law.h"
#include "torsor/formulation/elements/rotor.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/formulation/elements/tendon_effort.h"
#include "torsor/formulation/elements/tendon_limits.h"

namespace torsor {

template <class... Element>
using ListsOf = std::tuple<std::vector<Element>...>;
/// Of rotations in space.
template <int D>
using SpatialLists =
    std::conditional_t<D == 3, ListsOf<LogSpring<3>, SpinDamper<3>, EulerSpring<3>, OrientationHold<3>>,
                       ListsOf<>>;

/// In the order in which forces add up.
template <int D>
using PlainElementLists = decltype(std::tuple_cat(
    std::declval<ListsOf<TendonElement<D>, CoordinateSpring<D>>>(), std::declval<SpatialLists<D>>(),
    std::declval<
        ListsOf<LoadElement<D>, Effort<D>, TendonEffort<D>, CoordinateHold<D>, PointHold<D>, CarriedWeight<D>,
                CarriedTendon<D>, ExternalEffort<D>, ExternalWrench<D>, DragElement<D>, CoordinateStop<D>,
                CoordinateFriction<D>, BushingSlide<D>, BushingTurn<D>, MuscleElement<D>, OwnCoordinateLaw<D>,
                OwnLengthLaw<D>, LengthStop<D>, LengthFriction<D>, RotorElement<D>, PointLawElement<D>>>()));

/// Those that packs of mechanisms have, in the same order (rotationless/pack.cc).
template <class S>
using SpatialPackLists = ListsOf<LogSpring<3, S>, SpinDamper<3, S>>;
template <int D, class S>
using PackElementLists = decltype(std::tuple_cat(
    std::declval<ListsOf<TendonElement<D, S>, CoordinateSpring<D, S>>>(),
    std::declval<std::conditional_t<D == 3, SpatialPackLists<S>, ListsOf<>>>(),
    std::declval<ListsOf<LoadElement<D, S>, Effort<D, S>, TendonEffort<D, S>, DragElement<D, S>,
                         CoordinateStop<D, S>, CoordinateFriction<D, S>, BushingSlide<D, S>,
                         BushingTurn<D, S>, LengthStop<D, S>, LengthFriction<D, S>, RotorElement<D, S>>>()));

template <int D, class S>
struct ElementListsType {
  using type = PackElementLists<D, S>;
};
template <int D>
struct ElementListsType<D, double> {
  using type = PlainElementLists<D>;
};
template <int D, class S = double>
using ElementListsD = typename ElementListsType<D, S>::type;

/// Those on trees: on rates alone first.
using TreeElementLists =
    ListsOf<TreeEffort, TreeSpring, TreeCoordinateHold, TreeStop, TreeFriction, TreeLoad, TreeTendon,
            TreePointHold, TreeOrientationHold, TreeCarriedWeight, TreeCarriedTendon, TreeExternalEffort,
            TreeExternalWrench, TreeDrag, TreeBushing, TreeTendonEffort, TreeMuscle, TreeOwnCoordinate,
            TreeOwnLength, TreeLengthStop, TreeLengthFriction, TreePointLaw>;

/// Those that packs of trees have; what is not here, or goes round something, packs evaluate lane by lane.
template <class S>
using PackTreeElementLists =
    ListsOf<TreeEffortOf<S>, TreeSpringOf<S>, TreeFrictionOf<S>, TreeLoadOf<S>, TreeTendonOf<S>,
            TreeDragOf<S>, TreeBushingOf<S>, TreeTendonEffortOf<S>, TreeLengthFrictionOf<S>>;

/// Hands each element to `use`, kind after kind.
template <class Lists, class Use>
void for_each_element(Lists&& lists, Use&& use) {
  std::apply(
      [&](auto&... list) {
        const auto each = [&](auto& elements) {
          for (auto& element : elements) use(element);
        };
        (each(list), ...);
      },
      lists);
}

/// All that acts, at a pair of configurations.
template <int D, class S = double>
struct ElementForces {
  ElementForces(const Model& model, const RotationlessMechanism<D, S>& mechanism, const FlowBook& book,
                SystemInput input) requires std::same_as<S, double>;
  explicit ElementForces(int ground) requires(!std::same_as<S, double>);  ///< elements follow, lane by lane
  /// Elements anew, of another model.
  void compile(const Model& model, const RotationlessMechanism<D, S>& mechanism,
               const FlowBook& book) requires std::same_as<S, double>;

  /// Inertia, weights and elements; the pair is that of the point. Efforts of servos are times the force gain.
  void push_all(const RotationlessMechanism<D, S>& mechanism, const ConstrainedPointOf<S>& point,
                std::span<const S> servo_efforts);
  /// Adds what the elements do in a step of length h.
  void add_flows(const RotationlessMechanism<D, S>& mechanism, const ConstrainedPointOf<S>& point,
                 std::span<const S> servo_efforts, double h, const FlowsOf<S>& flows);

  ElementListsD<D, S> elements;
  MotionPair<D, S> X;
  std::vector<NodeForce<D, S>> forces;  ///< by node
  std::vector<S> held;                  ///< states of elements, with the flows before them
  SystemInput input;                    ///< that elements point into
};

}  // namespace torsor
