#include "torsor/formulation/elements/load.h"

namespace torsor {

template <int D>
void compile(const ElementContext<D>& context, std::vector<LoadElement<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Load& load : context.model.loads()) {
    const bool is_force = load.kind == Load::Kind::force;
    all.push_back({is_force,
                   is_force ? frames.point(load.at.body, load.at.p_B)
                            : frames.direction(load.at.body, Vec3<double>{1, 0, 0}),
                   context.axes(load.in_body_axes ? load.at.body : kWorld, Mat3<double>::identity()),
                   load.components, context.book.source(&load)});
  }
}

void compile(const TreeContext& context, std::vector<TreeLoad>& all) {
  for (const Load& load : context.model.loads()) {
    all.push_back({load.kind, context.node(load.at.body), context.in_node(load.at),
                   context.X_NB(load.at.body).R, load.in_body_axes, load.components,
                   context.book.source(&load)});
  }
}

template void compile(const ElementContext<2>&, std::vector<LoadElement<2>>&);
template void compile(const ElementContext<3>&, std::vector<LoadElement<3>>&);

}  // namespace torsor
