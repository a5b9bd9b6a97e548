#include "torsor/formulation/rotationless/pack.h"

#include <algorithm>

#include "torsor/base/pack_lanes.h"
#include "torsor/formulation/rotationless/balance.h"
#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {
namespace {

constexpr int kMostBorder = 64;  ///< that DenseLuOf can pivot

template <class P>
using Packer = LanePacker<P::size>;
template <int D, class P>
using Works = typename Packer<P>::template Lanes<RotationlessWork<D>>;

template <class... Element>
struct Kinds {};

/// By name, what packs cannot do yet.
template <int D>
void require_packable(const RotationlessWork<D>& work) {
  if (!work.outputs.empty()) throw NotPackable{"servos"};
  if (work.mechanism.loop_rank < work.mechanism.loop_count) throw NotPackable{"redundant loops"};
  if (work.pattern.sparse || work.kkt.border_size() > kMostBorder) throw NotPackable{"many loops"};
  if (work.book.state_count > 0) throw NotPackable{"muscles"};
  const auto without = [&]<class... Element>(const char* what, Kinds<Element...>) {
    if ((!std::get<std::vector<Element>>(work.elements).empty() || ...)) throw NotPackable{what};
  };
  without("external inputs", Kinds<ExternalEffort<D>, ExternalWrench<D>>{});
  without("controllers", Kinds<CoordinateHold<D>, PointHold<D>, CarriedWeight<D>, CarriedTendon<D>>{});
  without("muscles", Kinds<MuscleElement<D>>{});
  without("laws of one's own", Kinds<OwnCoordinateLaw<D>, OwnLengthLaw<D>, PointLawElement<D>>{});
  for_each_element(work.elements, [](const auto& element) {
    if constexpr (requires { element.measure.wraps; }) {
      if (!element.measure.wraps.empty()) throw NotPackable{"tendons that are wrapped"};
      if (!element.measure.sum.empty()) throw NotPackable{"tendons over joints"};
    }
  });
  if constexpr (D == 3) {
    without("controllers", Kinds<OrientationHold<3>>{});
    without("springs by the law euler321", Kinds<EulerSpring<3>>{});
  }
}

template <int D, class P>
RotationlessMechanism<D, P> packed_mechanism(const Works<D, P>& lanes) {
  RotationlessMechanism<D, P> mechanism;
  typename Packer<P>::template Lanes<RotationlessMechanism<D>> mechanisms;
  for (int i = 0; i < P::size; ++i) mechanisms[i] = &lanes[i]->mechanism;
  Packer<P>{}(mechanism, mechanisms);
  return mechanism;
}

/// The same element of plain numbers.
template <class Packed>
struct PlainElement;
template <template <int, class> class Element, int D, class P>
struct PlainElement<Element<D, P>> {
  using type = Element<D, double>;
};
template <int D, template <int, class> class Measured, template <class> class Law, class P>
struct PlainElement<MeasuredElement<D, Measured<D, P>, Law<P>, P>> {
  using type = MeasuredElement<D, Measured<D, double>, Law<double>, double>;
};

template <int D, class P>
class RotationlessPack final : public PackSystem<P> {
 public:
  RotationlessPack(const Works<D, P>& lanes, std::vector<FreeAxisOf<P>> free_axes)
      : free_axes_(std::move(free_axes)), work_(*lanes[0], packed_mechanism<D, P>(lanes)), step_(work_) {
    pack_elements(lanes);
  }

  bool take(const Works<D, P>& lanes, std::vector<FreeAxisOf<P>> free_axes) {
    const RotationlessWork<D>& like = *lanes[0];
    if (like.pattern != work_.pattern || like.row_pairs.size() != work_.row_pairs.size() ||
        like.mechanism.coordinate_count() != coordinate_count() ||
        like.mechanism.joints.angle_count != angle_count() || !like.book.books_alike(work_.book)) {
      return false;
    }
    work_.mechanism = packed_mechanism<D, P>(lanes);
    pack_elements(lanes);
    work_.forget();
    step_.take_mechanism();
    free_axes_ = std::move(free_axes);
    return true;
  }

  int coordinate_count() const override { return step_.coordinate_count(); }
  int unknown_count() const override { return step_.unknown_count(); }
  int angle_count() const override { return step_.angle_count(); }
  int flow_count() const override { return step_.flow_count(); }
  std::vector<FreeAxisOf<P>> free_axes() const override { return free_axes_; }
  void retract(std::span<const P> x_a, std::span<const P> unknowns, std::span<P> dx,
               std::span<P> x_b) const override {
    step_.retract(x_a, unknowns, dx, x_b);
  }
  void set_increments(std::span<const P> x, std::span<const P> v, double h,
                      std::span<P> unknowns) const override {
    step_.set_increments(x, v, h, unknowns);
  }
  void residual(const ConstrainedPointOf<P>& point, std::span<const P> unknowns, std::span<P> r) override {
    step_.residual(point, unknowns, r);
  }
  typename P::Mask factorise(const ConstrainedPointOf<P>& point, std::span<const P> unknowns) override {
    return step_.factorise(point, unknowns);
  }
  typename P::Mask factorise_and_solve(const ConstrainedPointOf<P>& point, std::span<const P> unknowns,
                                       std::span<P> r) override {
    return step_.factorise(point, unknowns, r);
  }
  void solve(std::span<P> r) override { step_.solve(r); }
  void drop_idle(std::span<P> unknowns) const override { step_.drop_idle(unknowns); }
  void correct(std::span<const P> step, std::span<P> unknowns) const override {
    step_.correct(step, unknowns);
  }
  P size(std::span<const P> unknowns) const override { return step_.size(unknowns); }
  std::vector<P> weights() const override { return step_.weights(); }
  P rounding(std::span<const P> x) const override { return step_.rounding(x); }
  P kinetic_energy(std::span<const P> v) override { return step_.kinetic_energy(v); }
  void add_flows(const ConstrainedPointOf<P>& point, std::span<const P> unknowns, double h,
                 std::span<P> z) override {
    step_.add_flows(point, unknowns, h, z);
  }
  P begin_step(double time, std::span<const P> x, std::span<const P> v, std::span<const P> angles) override {
    return work_.mechanism.loop_count == 0 ? P(1.0) : step_.watch_loops(time, x, v, angles);
  }
  void settle(std::span<P> x, std::span<P> x_lost, std::span<P> angles) const override {
    step_.settle(x, x_lost, angles);
  }
  void balance(double time, std::span<const P> x, std::span<const P> v, std::span<const P> angles,
               PackBalance<P>& balance) override {
    load_configuration<D, P>(x, work_.X.right);
    load_configuration<D, P>(v, work_.X.velocity);
    const EnergyPartsOf<P> energies = loaded_energies(work_, time, v, angles);
    balance.kinetic = energies.kinetic;
    balance.gravity = energies.gravity;
    balance.elastic = energies.elastic;
    balance.position_error = loaded_position_error(work_, angles);
    balance.velocity_error = loaded_velocity_error(work_);
    const NodeFrames<D, P>& frames = work_.mechanism.frames;
    balance.speeds.resize(frames.node_of.size());
    balance.linear_momentum = balance.angular_momentum = {};
    for (std::size_t b = 0; b < balance.speeds.size(); ++b) {
      const int node = frames.node_of[b];
      const LoadedMotion<P> body = loaded_motion(work_, node);
      const Vec3<P> p = frames.mass[node] * body.velocity;
      balance.linear_momentum += p;
      balance.angular_momentum += cross(body.com, p) + body.spin;
      balance.speeds[b] = {body.velocity, body.angular_velocity};
    }
    const auto& tendons = std::get<std::vector<TendonElement<D, P>>>(work_.elements);
    balance.tendons.resize(tendons.size());
    for (std::size_t i = 0; i < tendons.size(); ++i) {
      const TendonMotionOf<P> motion =
          tendon_motion(tendons[i], time, work_.X.right, work_.X.velocity, angles);
      balance.tendons[i] = {motion.length, motion.rate, motion.tension};
    }
  }

 private:
  void pack_elements(const Works<D, P>& lanes) {
    std::size_t packed = 0, plain = 0;
    std::apply([&](auto&... lists) { (pack_list(lanes, lists, packed), ...); }, work_.elements);
    std::apply([&](const auto&... lists) { ((plain += lists.size()), ...); }, lanes[0]->elements);
    if (packed != plain) throw NotPackable{"an element that packs do not know"};
  }
  template <class Packed>
  void pack_list(const Works<D, P>& lanes, std::vector<Packed>& list, std::size_t& count) {
    using Plain = typename PlainElement<Packed>::type;
    typename Packer<P>::template Lanes<std::vector<Plain>> lists;
    for (int i = 0; i < P::size; ++i) lists[i] = &std::get<std::vector<Plain>>(lanes[i]->elements);
    list.clear();  // what elements remember, beside their fields, is of the lanes before
    Packer<P>{}(list, lists);
    for (Packed& element : list) {
      if constexpr (requires { element.measure.size_scratch(); }) element.measure.size_scratch();
    }
    count += list.size();
  }

  std::vector<FreeAxisOf<P>> free_axes_;
  RotationlessWork<D, P> work_;
  RotationlessStep<D, P> step_;
};

/// What a pack is made of.
template <int D, class P>
struct PackedLanes {
  Works<D, P> works;
  std::vector<FreeAxisOf<P>> free_axes;

  explicit PackedLanes(std::span<ConstrainedSystem* const> lanes) {
    std::array<std::vector<FreeAxis>, P::size> own;
    typename Packer<P>::template Lanes<std::vector<FreeAxis>> axes;
    for (std::size_t i = 0; i < works.size(); ++i) {
      // Lanes that nobody asks for repeat the last one.
      auto* lane = dynamic_cast<Rotationless<D>*>(lanes[std::min(i, lanes.size() - 1)]);
      if (!lane) throw NotPackable{"a formulation other than rotationless, or its null-space reduction"};
      works[i] = &lane->work();
      own[i] = lane->free_axes();
      axes[i] = &own[i];
      require_packable(*works[i]);
    }
    Packer<P>{}(free_axes, axes);
  }
};

template <int D, class P>
std::unique_ptr<PackSystem<P>> make_pack(std::span<ConstrainedSystem* const> lanes) {
  PackedLanes<D, P> packed(lanes);
  return std::make_unique<RotationlessPack<D, P>>(packed.works, std::move(packed.free_axes));
}

template <int D, class P>
bool take(RotationlessPack<D, P>* pack, std::span<ConstrainedSystem* const> lanes) {
  if (!pack || !dynamic_cast<Rotationless<D>*>(lanes[0])) return false;
  PackedLanes<D, P> packed(lanes);
  return pack->take(packed.works, std::move(packed.free_axes));
}

}  // namespace

bool is_same_at_all_widths(ConstrainedSystem& lane) {
  const auto is_open = [](auto* system) { return system && system->work().mechanism.loop_count == 0; };
  return is_open(dynamic_cast<Rotationless<2>*>(&lane)) || is_open(dynamic_cast<Rotationless<3>*>(&lane));
}

template <class P>
std::unique_ptr<PackSystem<P>> make_rotationless_pack(std::span<ConstrainedSystem* const> lanes) {
  if (dynamic_cast<Rotationless<2>*>(lanes[0])) return make_pack<2, P>(lanes);
  return make_pack<3, P>(lanes);
}
template std::unique_ptr<PackSystem<Pack<4>>> make_rotationless_pack(std::span<ConstrainedSystem* const>);
template std::unique_ptr<PackSystem<Pack<8>>> make_rotationless_pack(std::span<ConstrainedSystem* const>);

template <class P>
bool take_lanes(PackSystem<P>& pack, std::span<ConstrainedSystem* const> lanes) {
  return take(dynamic_cast<RotationlessPack<2, P>*>(&pack), lanes) ||
         take(dynamic_cast<RotationlessPack<3, P>*>(&pack), lanes);
}
template bool take_lanes(PackSystem<Pack<4>>&, std::span<ConstrainedSystem* const>);
template bool take_lanes(PackSystem<Pack<8>>&, std::span<ConstrainedSystem* const>);

}  // namespace torsor
