#include "torsor/formulation/elements/tendon.h"

#include "torsor/formulation/elements/hold.h"

namespace torsor {
namespace {

template <int D>
LengthMeasure<D> length_of(const ElementContext<D>& context, const Tendon& tendon, bool damped) {
  std::vector<Arm<D>> path;
  for (const Point& point : tendon.path) {
    path.push_back(context.mechanism.frames.point(point.body, point.p_B));
  }
  return {std::move(path), tendon.rest_length, damped};
}

TendonLaw law_on_tree(const TreeContext& context, const Tendon& tendon) {
  return make_tendon_law(tendon, [&](const Point& point) {
    return TendonLaw::Via{context.node(point.body), context.in_node(point)};
  });
}

}  // namespace

template <int D>
TendonMotion TendonElement<D>::motion(const Configuration<D>& X, const Configuration<D>& velocity) const {
  TendonMotion motion;
  const LengthMeasure<D>& path = this->measure;
  for_each_segment(path.path.size(), path.place_in(X), [&](std::size_t i, const VecD<D>& e) {
    const double s = norm(e);
    motion.length += s;
    if (s > 0)
      motion.rate += dot(e, value_at(path.path[i + 1], velocity) - value_at(path.path[i], velocity)) / s;
  });
  motion.tension = this->law.tension(path.value(X), motion.rate);
  return motion;
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonElement<D>>& all) {
  for (const Tendon& tendon : context.model.tendons()) {
    all.push_back({{length_of(context, tendon, tendon.damping > 0),
                    {tendon.stiffness, tendon.damping, tendon.tension_only},
                    -1,
                    -1,
                    context.book.damper(&tendon)}});
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
      all.push_back({length_of(context, tendon, false),
                     {tendon.stiffness, 0, tendon.tension_only},
                     std::move(carriers),
                     flows.springs,
                     flows.acts});
    }
  }
}

void compile(const TreeContext& context, std::vector<TreeTendon>& all) {
  for (const Tendon& tendon : context.model.tendons()) {
    all.push_back({law_on_tree(context, tendon), context.book.damper(&tendon)});
  }
}

void compile(const TreeContext& context, std::vector<TreeCarriedTendon>& all) {
  for (const Controller& controller : context.model.controllers()) {
    if (!controller.compensate_springs) continue;
    const HoldFlows flows = hold_flows(controller, context.book);
    const ControlledChain chain = make_controlled_chain(context.model, controller.point->body);
    for (const Tendon& tendon : context.model.tendons()) {
      TreeCarriedTendon carried{law_on_tree(context, tendon), {}, flows.springs, flows.acts};
      for (const Point& via : tendon.path) {
        carried.carriers.push_back(context.node(via.body == kWorld ? kWorld : chain.carrier[via.body]));
      }
      all.push_back(std::move(carried));
    }
  }
}

template struct TendonElement<2>;
template struct TendonElement<3>;
template void compile(const ElementContext<2>&, std::vector<TendonElement<2>>&);
template void compile(const ElementContext<3>&, std::vector<TendonElement<3>>&);
template void compile(const ElementContext<2>&, std::vector<CarriedTendon<2>>&);
template void compile(const ElementContext<3>&, std::vector<CarriedTendon<3>>&);

}  // namespace torsor
