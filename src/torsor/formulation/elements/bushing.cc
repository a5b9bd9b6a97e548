#include "torsor/formulation/elements/bushing.h"

namespace torsor {
namespace {

template <int D>
std::array<Arm<D>, 3> axes_of(const ElementContext<D>& context, int body, const SE3<double>& frame) {
  return context.axes(body, matrix(frame.rotation));
}

}  // namespace

template <int D>
void compile(const ElementContext<D>& context, std::vector<BushingSlide<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Bushing& bushing : context.model.elements().bushings) {
    const auto axes = axes_of(context, bushing.parent, bushing.in_parent);
    for (int i = 0; i < D; ++i) {
      const double k = bushing.stiffness.translation[i], c = bushing.damping.translation[i];
      if (k == 0 && c == 0) continue;
      BushingSlide<D> slide{};
      Measure<D>& measure = slide.measure.coordinate;
      measure.child = frames.node(bushing.child);
      measure.parent = frames.node(bushing.parent);
      measure.displacement =
          Product<D>{frames.point(bushing.child, bushing.in_child.position),
                     negated(frames.point(bushing.parent, bushing.in_parent.position)), axes[i], 1};
      slide.law = {k, c, 0, false};
      slide.damper = context.book.damper(&bushing);
      all.push_back(slide);
    }
  }
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<BushingTurn<D>>& all) {
  const NodeFrames<D>& frames = context.mechanism.frames;
  for (const Bushing& bushing : context.model.elements().bushings) {
    const Vec3<double>&k = bushing.stiffness.rotation, &damping = bushing.damping.rotation;
    const bool damped = damping.x > 0 || damping.y > 0 || damping.z > 0;
    if (k == Vec3<double>{} && !damped) continue;
    const int child = frames.node(bushing.child), parent = frames.node(bushing.parent);
    const auto a = axes_of(context, bushing.parent, bushing.in_parent),
               b = axes_of(context, bushing.child, bushing.in_child);
    BushingTurn<D> turn{{}, 0, {parent, child, a}, {damping.x, damping.y, damping.z}, -1};
    if (damped) turn.damper = context.book.damper(&bushing);
    const Vec3<double> c = cosine_weights(k);
    for (int i = 0; i < D; ++i) {
      turn.cosines[i] = {b[i], Arm<D>{parent, 0, {}}, a[i], -c[i]};
      turn.offset += c[i];
    }
    all.push_back(turn);
  }
}

void compile(const TreeContext& context, std::vector<TreeBushing>& all) {
  for (const Bushing& bushing : context.model.elements().bushings) {
    if (bushing.stiffness.vanishes() && bushing.damping.vanishes()) continue;
    all.push_back({context.node(bushing.parent), context.node(bushing.child),
                   context.X_NB(bushing.parent) * pose(bushing.in_parent),
                   context.X_NB(bushing.child) * pose(bushing.in_child), bushing.stiffness, bushing.damping,
                   context.book.damper(&bushing)});
  }
}

template void compile(const ElementContext<2>&, std::vector<BushingSlide<2>>&);
template void compile(const ElementContext<3>&, std::vector<BushingSlide<3>>&);
template void compile(const ElementContext<2>&, std::vector<BushingTurn<2>>&);
template void compile(const ElementContext<3>&, std::vector<BushingTurn<3>>&);

}  // namespace torsor
