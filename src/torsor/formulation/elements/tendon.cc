#include "torsor/formulation/elements/tendon.h"

#include "torsor/formulation/elements/hold.h"

namespace torsor {

template <int D>
LengthMeasure<D> length_of(const ElementContext<D>& context, const Tendon& tendon, const Program& rest,
                           bool damped) {
  std::vector<Arm<D>> path;
  path.reserve(tendon.path.size());
  for (const Point& point : tendon.path) {
    path.push_back(context.mechanism.frames.point(point.body, point.p_B));
  }
  LengthMeasure<D> measure(std::move(path), rest, damped);
  for (const CoordinateTerm& term : tendon.joints) {
    measure.sum.terms.push_back(
        {context.mechanism.joints.coordinates[term.joint][term.coordinate], term.factor, term.joint});
  }
  for (const Wrap& wrap : tendon.wraps) {
    measure.wrap(wrap.segment, wrap.law, context.mechanism.frames.point(wrap.at.body, wrap.at.p_B),
                 context.axes(wrap.at.body, matrix(wrap.rotation)));
  }
  return measure;
}

TreePath law_on_tree(const TreeContext& context, const Tendon& tendon) {
  TreePath path{make_tendon_law(tendon, [&](const Point& point) {
    return TendonLaw::Via{context.node(point.body), context.in_node(point)};
  })};
  for (std::size_t i = 0; i < path.law.wraps.size(); ++i) {
    path.law.wraps[i].R = context.X_NB(tendon.wraps[i].at.body).R * path.law.wraps[i].R;
  }
  for (const CoordinateTerm& term : tendon.joints) {
    path.terms.push_back({context.model.coordinate_offset(term.joint) + term.coordinate,
                          context.model.rate_offset(term.joint) + term.coordinate, term.factor});
  }
  return path;
}

TreePath path_on_tree(const TreeContext& context, const Tendon& tendon) {
  TreePath path = law_on_tree(context, tendon);
  path.law.stiffness = path.law.damping = 0;
  path.law.rest_length = path.law.motor = 0.0;
  return path;
}

template <int D, class S>
TendonMotionOf<S> tendon_motion(const TendonElement<D, S>& tendon, double t, const Configuration<D, S>& X,
                                const Configuration<D, S>& velocity,
                                std::span<const std::type_identity_t<S>> angles) {
  TendonMotionOf<S> motion;
  const LengthMeasure<D, S>& path = tendon.measure;
  if constexpr (std::same_as<S, double>) {  // packs have straight ones alone
    motion.length = path.sum.value(X, angles);
    motion.rate = path.sum.rate_at_state(X, velocity);
    for (const WrappedSegment<D>& wrap : path.wraps) {
      const auto at = wrap.place(path.arm_in(X));
      const auto length = wrap.length(at.ends());
      motion.length += length.value;
      for (int i = 0; i < wrap.kArms; ++i) {
        motion.rate += dot(at.gradient(length.gradient, i), value_at(path.arms[wrap.arms[i]], velocity));
      }
    }
  }
  for_each_segment(path.path.size(), path.place_in(X), [&](std::size_t i, const VecD<D, S>& e) {
    if (path.wrapped[i] >= 0) return;
    const S s = norm(e);
    motion.length += s;
    if (may_skip(!(s > 0.0))) return;
    const VecD<D, S> apart = value_at(path.path[i + 1], velocity) - value_at(path.path[i], velocity);
    motion.rate += select(s > 0.0, S(dot(e, apart) / s), S(0.0));
  });
  const JetOf<S> rest = path.rest.evaluate(t);
  motion.tension = tendon.law.tension(motion.length - rest.value, motion.rate - rest.rate, t);
  return motion;
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonElement<D>>& all) {
  all.reserve(context.model.tendons().size());
  for (const Tendon& tendon : context.model.tendons()) {
    all.push_back(
        {length_of(context, tendon, tendon.rest_length, tendon.damping > 0 || !tendon.tension.vanishes()),
         {{tendon.stiffness, tendon.damping, tendon.tension_only}, tendon.tension},
         -1,
         context.book.source(&tendon),
         context.book.damper(&tendon)});
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<CarriedTendon<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_springs) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (const Tendon& tendon : context.model.tendons()) {
      std::vector<int> carriers;
      for (const Point& via : tendon.path) {
        carriers.push_back(frames.node(via.body == kWorld ? kWorld : chain.carrier[via.body]));
      }
      all.push_back({length_of(context, tendon, tendon.rest_length, false),
                     {tendon.stiffness, 0, tendon.tension_only},
                     std::move(carriers),
                     flows.springs,
                     flows.acts});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreeTendon>& all) {
  for (const Tendon& tendon : context.model.tendons()) {
    all.push_back({law_on_tree(context, tendon), context.book.source(&tendon), context.book.damper(&tendon)});
  }
}

void compile(const TreeContext& context, std::vector<TreeCarriedTendon>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_springs) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (const Tendon& tendon : context.model.tendons()) {
      TreeCarriedTendon carried{law_on_tree(context, tendon).law, {}, flows.springs, flows.acts};
      for (const Point& via : tendon.path) {
        carried.carriers.push_back(context.node(via.body == kWorld ? kWorld : chain.carrier[via.body]));
      }
      all.push_back(std::move(carried));
    }
  }
}

template LengthMeasure<2> length_of(const ElementContext<2>&, const Tendon&, const Program&, bool);
template LengthMeasure<3> length_of(const ElementContext<3>&, const Tendon&, const Program&, bool);
template TendonMotionOf<double> tendon_motion(const TendonElement<2, double>&, double,
                                              const Configuration<2, double>&,
                                              const Configuration<2, double>&, std::span<const double>);
template TendonMotionOf<double> tendon_motion(const TendonElement<3, double>&, double,
                                              const Configuration<3, double>&,
                                              const Configuration<3, double>&, std::span<const double>);
template TendonMotionOf<Pack<4>> tendon_motion(const TendonElement<2, Pack<4>>&, double,
                                               const Configuration<2, Pack<4>>&,
                                               const Configuration<2, Pack<4>>&, std::span<const Pack<4>>);
template TendonMotionOf<Pack<4>> tendon_motion(const TendonElement<3, Pack<4>>&, double,
                                               const Configuration<3, Pack<4>>&,
                                               const Configuration<3, Pack<4>>&, std::span<const Pack<4>>);
template TendonMotionOf<Pack<8>> tendon_motion(const TendonElement<2, Pack<8>>&, double,
                                               const Configuration<2, Pack<8>>&,
                                               const Configuration<2, Pack<8>>&, std::span<const Pack<8>>);
template TendonMotionOf<Pack<8>> tendon_motion(const TendonElement<3, Pack<8>>&, double,
                                               const Configuration<3, Pack<8>>&,
                                               const Configuration<3, Pack<8>>&, std::span<const Pack<8>>);
template void compile(const ElementContext<2>&, std::vector<TendonElement<2>>&);
template void compile(const ElementContext<3>&, std::vector<TendonElement<3>>&);
template void compile(const ElementContext<2>&, std::vector<CarriedTendon<2>>&);
template void compile(const ElementContext<3>&, std::vector<CarriedTendon<3>>&);

}  // namespace torsor
