#pragma once
// Efforts and wrenches that others set before each step, constant over it: an own controller, a learner, and the
// efforts that sampled controllers hold.

#include <memory>

#include "torsor/formulation/elements/effort.h"
#include "torsor/formulation/external_input.h"
#include "torsor/model/controlled_chain.h"

namespace torsor {

/// Hands the held efforts to `use(controller, joint, rate of the joint, effort)`.
template <class Use>
void for_each_held(const Model& model, const HeldEfforts* held, Use&& use) {
  for (std::size_t c = 0; held && c < held->size(); ++c) {
    const Controller& controller = model.controllers()[c];
    if (!controller.holds_loads()) continue;
    const double* effort = (*held)[c].data();
    for (int joint : driven_joints(model, controller)) {
      for (int i = 0; i < model.rate_offset(joint + 1) - model.rate_offset(joint); ++i) {
        use(controller, joint, i, effort++);
      }
    }
  }
}

template <int D>
struct ExternalEffort {
  EffortPlace<D> place;
  int joint;
  const double* effort;
  int source;

  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) {
    place.set(view);
    place.push(view, view.point.force_gain * *effort, sink);
  }
  template <class Sink>
  void add_tangent(const PairView<D>& view, Sink&& sink) const {
    place.add_tangent(view, view.point.force_gain * *effort, sink);
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) {
    place.set(view);
    flows.work[source] += h * *effort * place.speed(view);
  }
};

template <int D>
struct ExternalWrench {
  int node;
  const Wrench<double>* on_body;
  int source;

  VecD<D> force() const {
    if constexpr (D == 2) {
      return {on_body->force.x, on_body->force.y};
    } else {
      return on_body->force;
    }
  }
  SpinD<D> moment() const {
    if constexpr (D == 2) {
      return on_body->moment.z;
    } else {
      return on_body->moment;
    }
  }
  template <class Sink>
  void push(const PairView<D>& view, Sink&& sink) const {
    sink.force(node, -view.point.force_gain * force());
    sink.turn(node, -view.point.force_gain * moment());
  }
  void add_flows(const PairView<D>& view, double h, const Flows& flows) const {
    flows.work[source] += h * (dot(force(), view.X.velocity[node].phi) + along(moment(), view.spin(node)));
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<ExternalEffort<D>>& all) {
  const Model& model = context.model;
  for (std::size_t j = 0; context.external && j < model.joints().size(); ++j) {
    const int joint = static_cast<int>(j), first = model.rate_offset(joint);
    for (int i = first; i < model.rate_offset(joint + 1); ++i) {
      all.push_back({make_effort_place(context, joint, i - first, "joints." + model.joints()[j].name), joint,
                     &context.external->efforts[i], context.book.source(context.external)});
    }
  }
  for_each_held(model, context.held,
                [&](const Controller& controller, int joint, int i, const double* effort) {
                  all.push_back({make_effort_place(context, joint, i, "controllers." + controller.name),
                                 joint, effort, context.book.source(&controller)});
                });
}
template <int D>
void compile(const ElementContext<D>& context, std::vector<ExternalWrench<D>>& all) {
  for (std::size_t b = 0; context.external && b < context.model.bodies().size(); ++b) {
    all.push_back({context.mechanism.frames.node_of[b], &context.external->wrenches[b],
                   context.book.source(context.external)});
  }
}

/// On a tree.
struct TreeExternalEffort {
  static constexpr bool kNeedsPoses = false;
  int rate = 0;
  const double* effort = nullptr;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    sink.effort[rate] += *effort;
    sink.book(source, *effort * view.v[rate]);
  }
};
struct TreeExternalWrench {
  static constexpr bool kNeedsPoses = true;
  int node = 0;
  Vec3<double> com_N;
  const Wrench<double>* on_body = nullptr;
  int source = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Mat3<S>& R = view.X_W[node].R;
    const Vec3<S> force = transpose_times(R, on_body->force);
    const Wrench<S> F{transpose_times(R, on_body->moment) + cross(com_N, force), force};
    sink.applied[node] += F;
    sink.book(source, dot(view.V[node], F));
  }
};
inline void compile(const TreeContext& context, std::vector<TreeExternalEffort>& all) {
  for (int i = 0; context.external && i < context.model.rate_count(); ++i) {
    all.push_back({i, &context.external->efforts[i], context.book.source(context.external)});
  }
  for_each_held(
      context.model, context.held, [&](const Controller& controller, int joint, int i, const double* effort) {
        all.push_back({context.model.rate_offset(joint) + i, effort, context.book.source(&controller)});
      });
}
inline void compile(const TreeContext& context, std::vector<TreeExternalWrench>& all) {
  for (std::size_t b = 0; context.external && b < context.model.bodies().size(); ++b) {
    all.push_back({context.tree.body_node[b], act(context.tree.X_NB[b], context.model.bodies()[b].com),
                   &context.external->wrenches[b], context.book.source(context.external)});
  }
}

}  // namespace torsor
