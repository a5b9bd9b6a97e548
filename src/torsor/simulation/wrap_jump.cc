#include "torsor/simulation/wrap_jump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

constexpr int kParts = 64;  ///< of twice the step

/// The ends of a segment in the frame of what it goes round.
struct Ends {
  Vec3<double> P, Q;
};

class Ahead {
 public:
  Ahead(const Model& model, const Observation& now) : model_(model), now_(now) {}

  Ends ends(const Tendon& tendon, const Wrap& wrap, double after) const {
    const Vec3<double> centre = place(wrap.at, after);
    const SO3<double> frame = rotation(wrap.at.body, after) * wrap.rotation;
    const auto seen = [&](const Point& point) { return act(inverse(frame), place(point, after) - centre); };
    return {seen(tendon.path[wrap.segment]), seen(tendon.path[wrap.segment + 1])};
  }

 private:
  SO3<double> rotation(int body, double after) const {
    if (body == kWorld) return {1, 0, 0, 0};
    const BodyObservation& of = now_.bodies[body];
    return exp_so3(after * of.angular_velocity) * of.rotation;
  }
  Vec3<double> place(const Point& point, double after) const {
    if (point.body == kWorld) return point.p_B;
    const BodyObservation& of = now_.bodies[point.body];
    return of.com + after * of.velocity +
           act(rotation(point.body, after), point.p_B - model_.bodies()[point.body].com);
  }

  const Model& model_;
  const Observation& now_;
};

}  // namespace

bool has_sided_wraps(const Model& model) {
  return std::any_of(model.tendons().begin(), model.tendons().end(), [](const Tendon& tendon) {
    return std::any_of(tendon.wraps.begin(), tendon.wraps.end(),
                       [](const Wrap& wrap) { return wrap.law.side.has_value(); });
  });
}

std::string wrap_jump_ahead(const Model& model, const Observation& now, double h) {
  const Ahead ahead(model, now);
  for (int part = 0; part < kParts; ++part) {
    const double before = 2 * h * part / kParts, after = 2 * h * (part + 1) / kParts;
    for (const Tendon& tendon : model.tendons()) {
      for (const Wrap& wrap : tendon.wraps) {
        if (!wrap.law.side) continue;
        const Ends a = ahead.ends(tendon, wrap, before), b = ahead.ends(tendon, wrap, after);
        const double change =
            wrapped_length(wrap.law, b.P, b.Q).length - wrapped_length(wrap.law, a.P, a.Q).length;
        // Gradients by the ends are unit vectors: a length that does not jump changes by no more than they move.
        const double moved = norm(b.P - a.P) + norm(b.Q - a.Q);
        if (std::abs(change) <= 1.001 * moved + 1e-9 * norm(b.P - b.Q)) continue;
        return fmt::format(
            "the length of tendon '{}' jumps by {:.3g} m at about t = {:.6g} s: its segment {} leaves the "
            "circle that it "
            "goes round on the other side than `side`, and would have to slip over it. Keep the motion from "
            "going there, "
            "move `side`, or leave it out",
            tendon.name, change, now.time + after, wrap.segment + 1);
      }
    }
  }
  return {};
}

}  // namespace torsor
