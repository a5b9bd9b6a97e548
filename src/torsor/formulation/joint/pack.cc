#include "torsor/formulation/joint/pack.h"

#include <algorithm>

#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/tree/collocation.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

template <class P>
using Packer = LanePacker<P::size>;
template <class P>
using Systems = std::array<const JointSystem*, P::size>;

void require_packable(const JointSystem& lane) {
  if (!lane.couplings().empty()) throw NotPackable{"couplings"};
  if (!lane.is_recursive()) throw NotPackable{"dynamics by moving frames"};
}

template <class P>
TreeOf<P> packed_tree(const Systems<P>& lanes) {
  typename Packer<P>::template Lanes<TreeOf<double>> trees;
  for (int i = 0; i < P::size; ++i) trees[i] = &lanes[i]->tree();
  TreeOf<P> tree;
  Packer<P>{}(tree, trees);
  return tree;
}

/// The same element in packs, and of plain numbers.
template <class Plain, class P>
struct PackedElement {
  using type = void;
};
template <template <class> class Element, class P>
struct PackedElement<Element<double>, P> {
  using type = Element<P>;
};
template <class Packed>
struct PlainElement;
template <template <class> class Element, class P>
struct PlainElement<Element<P>> {
  using type = Element<double>;
};

template <class Element>
bool is_wrapped(const std::vector<Element>& list) {
  if constexpr (requires(Element e) { e.path.law.wraps; }) {
    return std::any_of(list.begin(), list.end(), [](const Element& e) { return !e.path.law.wraps.empty(); });
  }
  return false;
}

/// One lane, as elements of plain numbers see and load it.
struct LaneScratch {
  explicit LaneScratch(const JointSystem& like)
      : q(like.coordinate_count()),
        v(like.rate_count()),
        effort(like.rate_count()),
        p(like.flow_count()),
        z(like.flow_count()),
        begin_rates(like.flow_count()),
        X_W(like.tree().size()),
        V(like.tree().size()),
        applied(like.tree().size()) {}

  std::vector<double> q, v, effort, p, z, begin_rates;
  std::vector<Pose<double>> X_W;
  std::vector<Twist<double>> V;
  std::vector<Wrench<double>> applied;
};

template <template <class> class Vec, class P, class Use>
void for_each_entry(Vec<P>& packed, Vec<double>& plain, Use&& use) {
  P* const packs = reinterpret_cast<P*>(&packed);
  double* const numbers = reinterpret_cast<double*>(&plain);
  for (std::size_t k = 0; k < sizeof(plain) / sizeof(double); ++k) use(packs[k], numbers[k]);
}

template <class P>
class JointPack final : public PackTreeSystem<P> {
 public:
  JointPack(const Systems<P>& lanes, int count)
      : lanes_(lanes),
        count_(count),
        tree_(packed_tree<P>(lanes)),
        elements_(lanes[0]->elements()),
        has_quaternions_(tree_.coordinate_count > tree_.rate_count),
        X_W_(tree_.size()),
        V_(tree_.size()),
        applied_(tree_.size()),
        effort_(tree_.rate_count),
        dynamics_(tree_),
        lane_(*lanes[0]) {
    std::apply([&](auto&... list) { (pack_list(list), ...); }, lists_);
    std::apply([&](const auto&... list) { (require_as_many(list), ...); }, elements_.lists);
  }

  int coordinate_count() const override { return tree_.coordinate_count; }
  int rate_count() const override { return tree_.rate_count; }
  int flow_count() const override { return elements_.flow_count(); }
  int state_count() const override { return elements_.state_count; }
  void retract(std::span<const P> q0, std::span<const P> increment, std::span<P> q1) const override {
    torsor::retract<P>(tree_, q0, increment, q1);
    if (has_quaternions_) normalize<P>(tree_, q1);
  }
  void chart_rate(std::span<const P> xi, std::span<const P> v, std::span<P> xi_rate) const override {
    torsor::chart_rate<P>(tree_, xi, v, xi_rate);
  }
  void collocate(const StageStepOf<P>& step, std::span<const P> V, std::span<P> Q,
                 std::span<P> dq) const override {
    torsor::collocate<P>(tree_, step.h, step.lean, step.b, step.q0, V, Q, dq, step.unit_quaternions);
  }
  void hold_states(const ElementStatesOf<P>& states) override { states_ = states; }
  void evaluate(double t, std::span<const P> q, std::span<const P> v, std::span<P> a,
                std::span<P> p) override {
    std::fill(effort_.begin(), effort_.end(), P(0.0));
    std::fill(p.begin(), p.end(), P(0.0));
    const std::size_t sources = elements_.work_count();
    const TreeView<P> view{lanes_[0]->tree(), P(t), q, v, X_W_, V_};
    const TreeSink<P> sink{effort_, applied_, p.first(sources), p.subspan(sources), p};
    apply<false>(view, sink);
    if (elements_.need_poses) {
      forward_kinematics<P>(tree_, q, v, X_W_, V_);
      std::fill(applied_.begin(), applied_.end(), Wrench<P>{});
      apply<true>(view, sink);
    }
    for (int i = 0; any_in_lanes_ && i < count_; ++i) apply_in_lane(i, t, view, sink);
    forward_dynamics<P>(
        tree_, dynamics_, q, v, effort_,
        elements_.need_poses ? std::span<const Wrench<P>>(applied_) : std::span<const Wrench<P>>(), a);
  }

 private:
  template <class Packed>
  void pack_list(std::vector<Packed>& list) {
    using Plain = typename PlainElement<Packed>::type;
    typename Packer<P>::template Lanes<std::vector<Plain>> lists;
    for (int i = 0; i < P::size; ++i) {
      lists[i] = &std::get<std::vector<Plain>>(lanes_[i]->elements().lists);
      if (is_wrapped(*lists[i]) != is_wrapped(*lists[0])) {
        throw NotPackable{"mechanisms that are not built alike"};
      }
    }
    if (!is_wrapped(*lists[0])) Packer<P>{}(list, lists);
  }
  template <class Plain>
  void require_as_many(const std::vector<Plain>& list) {
    for (const JointSystem* lane : lanes_) {
      if (std::get<std::vector<Plain>>(lane->elements().lists).size() != list.size()) {
        throw NotPackable{"mechanisms that are not built alike"};
      }
    }
    any_in_lanes_ |= !list.empty() && !is_packed<Plain>();
  }
  template <class Plain>
  bool is_packed() const {
    using Packed = typename PackedElement<Plain, P>::type;
    if constexpr (std::is_void_v<Packed>) {
      return false;
    } else {
      return !std::get<std::vector<Packed>>(lists_).empty();
    }
  }

  template <bool kWithPoses>
  void apply(const TreeView<P>& view, const TreeSink<P>& sink) const {
    for_each_element(lists_, [&]<class Element>(const Element& element) {
      if constexpr (Element::kNeedsPoses == kWithPoses) element.apply(view, sink);
    });
  }
  /// What packs do not know, in lane i.
  void apply_in_lane(int i, double t, const TreeView<P>& packed, const TreeSink<P>& sink) {
    const JointElements& elements = lanes_[i]->elements();
    LaneScratch& w = lane_;
    load_lane(i, packed);
    const std::size_t sources = elements.work_count();
    const std::span<double> p(w.p);
    const TreeView<double> view{lanes_[i]->tree(), t, w.q, w.v, w.X_W, w.V, states_in_lane(i)};
    const TreeSink<double> loads{w.effort, w.applied, p.first(sources), p.subspan(sources), p};
    for_each_element(elements.lists, [&]<class Element>(const Element& element) {
      if (!is_packed<Element>()) element.apply(view, loads);
    });
    for (std::size_t k = 0; k < w.effort.size(); ++k) sink.effort[k][i] += w.effort[k];
    for (std::size_t k = 0; k < w.p.size(); ++k) sink.rates[k][i] += w.p[k];
    for (std::size_t k = 0; elements.need_poses && k < w.applied.size(); ++k) {
      for_each_entry(sink.applied[k], w.applied[k], [i](P& pack, double number) { pack[i] += number; });
    }
  }
  void load_lane(int i, const TreeView<P>& view) {
    LaneScratch& w = lane_;
    for (std::size_t k = 0; k < w.q.size(); ++k) w.q[k] = view.q[k][i];
    for (std::size_t k = 0; k < w.v.size(); ++k) w.v[k] = view.v[k][i];
    for (auto* list : {&w.effort, &w.p}) std::fill(list->begin(), list->end(), 0.0);
    if (!elements_.need_poses) return;
    const auto take = [i](const P& pack, double& number) { number = pack[i]; };
    for (std::size_t k = 0; k < w.X_W.size(); ++k) {
      for_each_entry(X_W_[k], w.X_W[k], take);
      for_each_entry(V_[k], w.V[k], take);
    }
    std::fill(w.applied.begin(), w.applied.end(), Wrench<double>{});
  }
  ElementStates states_in_lane(int i) {
    LaneScratch& w = lane_;
    for (std::size_t k = 0; k < states_.z.size(); ++k) w.z[k] = states_.z[k][i];
    for (std::size_t k = 0; k < states_.begin_rates.size(); ++k) w.begin_rates[k] = states_.begin_rates[k][i];
    return {std::span(w.z).first(states_.z.size()), states_.gain,
            std::span(w.begin_rates).first(states_.begin_rates.size()), states_.step, states_.begin};
  }

  Systems<P> lanes_;
  int count_;  ///< of lanes that somebody asks for
  TreeOf<P> tree_;
  const JointElements& elements_;  ///< of the first lane
  PackTreeElementLists<P> lists_;
  bool any_in_lanes_ = false;
  bool has_quaternions_;
  ElementStatesOf<P> states_;
  std::vector<Pose<P>> X_W_;
  std::vector<Twist<P>> V_;
  std::vector<Wrench<P>> applied_;
  std::vector<P> effort_;
  ForwardDynamicsWorkspace<P> dynamics_;
  LaneScratch lane_;
};

}  // namespace

template <class P>
std::unique_ptr<PackTreeSystem<P>> make_joint_pack(std::span<JointSystem* const> lanes) {
  Systems<P> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = lanes[std::min(i, lanes.size() - 1)];  // lanes that nobody asks for repeat the last one
    require_packable(*all[i]);
  }
  return std::make_unique<JointPack<P>>(all, static_cast<int>(lanes.size()));
}
template std::unique_ptr<PackTreeSystem<Pack<4>>> make_joint_pack(std::span<JointSystem* const>);
template std::unique_ptr<PackTreeSystem<Pack<8>>> make_joint_pack(std::span<JointSystem* const>);

}  // namespace torsor
