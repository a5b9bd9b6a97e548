#include "torsor/control/planar_chain.h"

#include <cmath>

namespace torsor {
namespace {

using Vec = Vec2<double>;

Vec polar(double length, double angle) { return {length * std::cos(angle), length * std::sin(angle)}; }

/// A_i xi = X_{i+1} - X_i: from the centre of mass to the line of joints; and its transpose.
struct LinkMap {
  explicit LinkMap(const PlanarLink& link)
      : c(link.length / link.com_distance * std::cos(link.com_angle)),
        s(link.length / link.com_distance * std::sin(link.com_angle)) {}
  Vec operator()(const Vec& xi) const { return {c * xi.x + s * xi.y, c * xi.y - s * xi.x}; }
  Vec transposed(const Vec& f) const { return {c * f.x - s * f.y, s * f.x + c * f.y}; }
  double c, s;
};

Vec times(const double (&M)[2][2], const Vec& a) {
  return {M[0][0] * a.x + M[0][1] * a.y, M[1][0] * a.x + M[1][1] * a.y};
}
Vec held_force(const PlanarImpedance& law, const Vec& tcp, const Vec& tcp_rate) {
  return times(law.K, tcp - law.target) + times(law.D, tcp_rate - law.target_rate);
}

/// Gradients of the elastic energy (38) by the links' lines dX_i: s_i = dX_i + r_{i+1} - r_i, r_{i+1} =
/// r_{i+1}/L_i perp(dX_i).
std::vector<Vec> spring_gradients(const PlanarChain& chain, const std::vector<Vec>& lines) {
  std::vector<Vec> gradients(lines.size());
  const auto fastening = [&](std::size_t i) { return chain.links[i].fastening / chain.links[i].length; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PlanarLink& link = chain.links[i];
    const Vec before = i == 0 ? Vec{0, chain.ground_fastening} : fastening(i - 1) * perp(lines[i - 1]);
    const Vec s = lines[i] + fastening(i) * perp(lines[i]) - before;
    const double length = norm(s);
    const Vec pull = (link.spring_stiffness * (length - link.spring_rest) / length) * s;
    gradients[i] += pull - fastening(i) * perp(pull);  // the transpose of perp is its negative
    if (i > 0) gradients[i - 1] += fastening(i - 1) * perp(pull);
  }
  return gradients;
}

std::vector<double> absolute(std::vector<double> relative) {
  for (std::size_t i = 1; i < relative.size(); ++i) relative[i] += relative[i - 1];
  return relative;
}

/// xi_i = x_i - X_i, (22) solved: also J^-1 of velocities, since it is linear.
std::vector<Vec> relative_coordinates(const PlanarChain& chain, const std::vector<double>& x) {
  std::vector<Vec> xi(chain.links.size());
  Vec joint{};
  for (std::size_t i = 0; i < xi.size(); ++i) {
    xi[i] = Vec{x[2 * i], x[2 * i + 1]} - joint;
    joint += LinkMap(chain.links[i])(xi[i]);
  }
  return xi;
}

}  // namespace

std::vector<double> link_coordinates(const PlanarChain& chain, const std::vector<double>& angles) {
  const std::vector<double> phi = absolute(angles);
  std::vector<double> x;
  Vec joint{};
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const PlanarLink& link = chain.links[i];
    const Vec com = joint + polar(link.com_distance, phi[i] + link.com_angle);
    x.insert(x.end(), {com.x, com.y});
    joint += polar(link.length, phi[i]);
  }
  return x;
}

std::vector<double> link_velocities(const PlanarChain& chain, const std::vector<double>& angles,
                                    const std::vector<double>& rates) {
  const std::vector<double> phi = absolute(angles), rate = absolute(rates);
  std::vector<double> v;
  Vec joint{};
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const PlanarLink& link = chain.links[i];
    const Vec com = joint + rate[i] * perp(polar(link.com_distance, phi[i] + link.com_angle));
    v.insert(v.end(), {com.x, com.y});
    joint += rate[i] * perp(polar(link.length, phi[i]));
  }
  return v;
}

std::vector<double> impedance_by_angles(const PlanarChain& chain, const PlanarImpedance& law,
                                        const std::vector<double>& angles, const std::vector<double>& rates) {
  const std::vector<double> phi = absolute(angles), rate = absolute(rates);
  const std::size_t n = phi.size();
  std::vector<Vec> lines(n);
  Vec tcp{}, tcp_rate{};
  for (std::size_t i = 0; i < n; ++i) {
    lines[i] = polar(chain.links[i].length, phi[i]);
    tcp += lines[i];
    tcp_rate += rate[i] * perp(lines[i]);
  }
  const Vec held = held_force(law, tcp, tcp_rate);
  const std::vector<Vec> springs = spring_gradients(chain, lines);
  std::vector<double> tau(n);  // by absolute angles first
  double beyond = 0;           // mass
  for (std::size_t i = n; i-- > 0;) {
    const PlanarLink& link = chain.links[i];
    tau[i] = -dot(perp(lines[i]), held);
    if (law.compensate_gravity) {
      const Vec lever = link.mass * polar(link.com_distance, phi[i] + link.com_angle) + beyond * lines[i];
      tau[i] -= dot(perp(lever), chain.gravity);
    }
    if (law.compensate_springs) tau[i] += dot(perp(lines[i]), springs[i]);
    beyond += link.mass;
  }
  for (std::size_t i = n; i-- > 1;) tau[i - 1] += tau[i];  // D^-T
  return tau;
}

std::vector<double> impedance_link_forces(const PlanarChain& chain, const PlanarImpedance& law,
                                          const std::vector<double>& x, const std::vector<double>& v) {
  const std::vector<Vec> xi = relative_coordinates(chain, x), xi_rate = relative_coordinates(chain, v);
  const std::size_t n = xi.size();
  std::vector<Vec> lines(n);
  Vec tcp{}, tcp_rate{};
  for (std::size_t i = 0; i < n; ++i) {
    const LinkMap A(chain.links[i]);
    lines[i] = A(xi[i]);
    tcp += lines[i];
    tcp_rate += A(xi_rate[i]);
  }
  const Vec held = held_force(law, tcp, tcp_rate);
  const std::vector<Vec> springs = spring_gradients(chain, lines);
  std::vector<double> F(2 * n);
  Vec sum{};  // of J^-T w so far: y_i = w_i - A_i^T sum over k > i of y_k
  for (std::size_t i = n; i-- > 0;) {
    const LinkMap A(chain.links[i]);
    Vec w = -held;
    if (law.compensate_springs) w += springs[i];
    const Vec y = A.transposed(w - sum);
    sum += y;
    const Vec weight = law.compensate_gravity ? chain.links[i].mass * chain.gravity : Vec{};
    F[2 * i] = y.x - weight.x;
    F[2 * i + 1] = y.y - weight.y;
  }
  return F;
}

std::vector<double> impedance_by_links(const PlanarChain& chain, const PlanarImpedance& law,
                                       const std::vector<double>& x, const std::vector<double>& v) {
  const std::vector<double> F = impedance_link_forces(chain, law, x, v);
  const std::vector<Vec> xi = relative_coordinates(chain, x);
  std::vector<double> tau(xi.size());
  Vec beyond{};
  for (std::size_t i = xi.size(); i-- > 0;) {
    const Vec f{F[2 * i], F[2 * i + 1]};
    tau[i] = dot(perp(xi[i]), f + LinkMap(chain.links[i]).transposed(beyond));  // J^T F
    beyond += f;
  }
  for (std::size_t i = tau.size(); i-- > 1;) tau[i - 1] += tau[i];
  return tau;
}

}  // namespace torsor
