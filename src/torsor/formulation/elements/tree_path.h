#pragma once
// The path of a tendon on a tree: through points of nodes, or a sum of coordinates of joints.

#include "torsor/formulation/elements/tree_element.h"
#include "torsor/model/tendon_law.h"

namespace torsor {

template <class P>
struct TreePathOf {
  struct Term {
    int q = 0, v = 0;  ///< coordinate and rate
    P factor{};

    template <class Self>
    static auto fields(Self& s) {
      return std::tie(s.q, s.v, s.factor);
    }
  };
  TendonLawOf<P> law;
  std::vector<Term> terms{};  ///< of a tendon of joints

  bool is_sum() const { return !terms.empty(); }

  /// l - l0(t).
  template <class S>
  S stretch(const TreeView<S>& view) const {
    if (!is_sum()) return stretch_of(law, view.X_W, view.t);
    S length = -along(law.rest_length, view.t).value;
    for (const Term& term : terms) length += term.factor * view.q[term.q];
    return length;
  }
  template <class S>
  TendonState<S> state(const TreeView<S>& view) const {
    if (!is_sum()) return tendon_state(law, view.X_W, view.V, view.t);
    S length(0.0), rate(0.0);
    for (const Term& term : terms) {
      length += term.factor * view.q[term.q];
      rate += term.factor * view.v[term.v];
    }
    return tendon_state_of(law, length, rate, view.t);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    return law.tension_law().potential(stretch(view));
  }
  /// A tension that shortens it.
  template <class S>
  void pull(const TreeView<S>& view, const S& tension, const TreeSink<S>& sink) const {
    if (!is_sum()) return add_wrenches(law, tension, view.X_W, sink.applied);
    for (const Term& term : terms) sink.effort[term.v] -= term.factor * tension;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.law, s.terms);
  }
};
using TreePath = TreePathOf<double>;

TreePath law_on_tree(const TreeContext& context, const Tendon& tendon);
/// The path of a tendon without what it is made of.
TreePath path_on_tree(const TreeContext& context, const Tendon& tendon);

}  // namespace torsor
