// Several states at once: forces one state after the other, which are cheap, articulated bodies in one go.

#include "torsor/formulation/joint/joint.hpp"

namespace torsor {

JointStagesWorkspace::JointStagesWorkspace(const Tree& tree)
    : q(tree.coordinate_count),
      v(tree.rate_count),
      effort(tree.rate_count),
      a(tree.rate_count),
      applied(tree.size()),
      dynamics(tree) {}

namespace {

void set_lane(int lane, std::span<const double> from, std::span<Pack4> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i][lane] = from[i];
}

void set_lane(int lane, std::span<const Wrench<double>> from, std::span<Wrench<Pack4>> to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      to[i].moment[k][lane] = from[i].moment[k];
      to[i].force[k][lane] = from[i].force[k];
    }
  }
}

}  // namespace

/// Of at most four states; lanes that are left over repeat the first.
void JointSystem::evaluate_pack(std::span<const double> t, std::span<const double> Q,
                                std::span<const double> V, std::span<double> A, std::span<double> P) {
  const std::size_t coordinates = coordinate_count(), rates = rate_count(), flows = flow_count();
  const int states = static_cast<int>(t.size());
  bool loaded = false;
  for (int lane = 0; lane < Pack4::size; ++lane) {
    const std::size_t i = lane < states ? lane : 0;
    const auto q = Q.subspan(i * coordinates, coordinates), v = V.subspan(i * rates, rates);
    const auto applied = set_forces<double>(plain_, t[i], q, v, P.subspan(i * flows, flows));
    set_lane(lane, q, stages_.q);
    set_lane(lane, v, stages_.v);
    if (acted_on_by_nothing_) continue;  // efforts are zero, as they were made
    set_lane(lane, plain_.effort, stages_.effort);
    set_lane(lane, applied, stages_.applied);
    loaded = !applied.empty();
  }
  forward_dynamics<Pack4>(
      tree_, stages_.dynamics, stages_.q, stages_.v, stages_.effort,
      loaded ? std::span<const Wrench<Pack4>>(stages_.applied) : std::span<const Wrench<Pack4>>(), stages_.a);
  for (int lane = 0; lane < states; ++lane) {
    for (std::size_t i = 0; i < rates; ++i) A[lane * rates + i] = stages_.a[i][lane];
    if (!couplings_.empty()) {
      hold_couplings(Q.subspan(lane * coordinates, coordinates), A.subspan(lane * rates, rates));
    }
  }
}

void JointSystem::evaluate_stages(std::span<const double> t, std::span<const double> Q,
                                  std::span<const double> V, std::span<double> A, std::span<double> P) {
  const std::size_t coordinates = coordinate_count(), rates = rate_count(), flows = flow_count();
  const std::size_t most = frames_ ? 1 : Pack4::size;  // moving frames take one state after the other
  for (std::size_t first = 0; first < t.size(); first += most) {
    const std::size_t count = std::min(most, t.size() - first);
    const auto part = [&](auto list, std::size_t size) { return list.subspan(first * size, count * size); };
    if (count == 1) {
      evaluate(t[first], part(Q, coordinates), part(V, rates), part(A, rates), part(P, flows));
    } else {
      evaluate_pack(t.subspan(first, count), part(Q, coordinates), part(V, rates), part(A, rates),
                    part(P, flows));
    }
  }
}

}  // namespace torsor
