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
using ElementListsD = decltype(std::tuple_cat(
    std::declval<ListsOf<TendonElement<D>, CoordinateSpring<D>>>(), std::declval<SpatialLists<D>>(),
    std::declval<
        ListsOf<LoadElement<D>, Effort<D>, TendonEffort<D>, CoordinateHold<D>, PointHold<D>, CarriedWeight<D>,
                CarriedTendon<D>, ExternalEffort<D>, ExternalWrench<D>, DragElement<D>, CoordinateStop<D>,
                CoordinateFriction<D>, BushingSlide<D>, BushingTurn<D>, MuscleElement<D>, OwnCoordinateLaw<D>,
                OwnLengthLaw<D>, LengthStop<D>, LengthFriction<D>, RotorElement<D>>>()));

/// Those on trees: on rates alone first.
using TreeElementLists =
    ListsOf<TreeEffort, TreeSpring, TreeCoordinateHold, TreeStop, TreeFriction, TreeLoad, TreeTendon,
            TreePointHold, TreeOrientationHold, TreeCarriedWeight, TreeCarriedTendon, TreeExternalEffort,
            TreeExternalWrench, TreeDrag, TreeBushing, TreeTendonEffort, TreeMuscle, TreeOwnCoordinate,
            TreeOwnLength, TreeLengthStop, TreeLengthFriction>;

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
template <int D>
struct ElementForces {
  ElementForces(const Model& model, const RotationlessMechanism<D>& mechanism, const FlowBook& book,
                SystemInput input);

  /// Inertia, weights and elements; the pair is that of the point. Efforts of servos are times the force gain.
  void push_all(const RotationlessMechanism<D>& mechanism, const ConstrainedPoint& point,
                std::span<const double> servo_efforts);
  /// Adds what the elements do in a step of length h.
  void add_flows(const RotationlessMechanism<D>& mechanism, const ConstrainedPoint& point,
                 std::span<const double> servo_efforts, double h, const Flows& flows);

  ElementListsD<D> elements;
  MotionPair<D> X;
  std::vector<NodeForce<D>> forces;  ///< by node
  std::vector<double> held;          ///< states of elements, with the flows before them
  SystemInput input;                 ///< that elements point into
};

}  // namespace torsor
