#include "torsor/formulation/cartesian/embedding.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr int kInner = kCoordinates<2>;

Vec2<double> entry(std::span<const double> x, int i) {
  const std::size_t at = 2 * static_cast<std::size_t>(i);
  return {x[at], x[at + 1]};
}
void put(const Vec2<double>& value, int i, std::span<double> x) {
  const std::size_t at = 2 * static_cast<std::size_t>(i);
  x[at] = value.x;
  x[at + 1] = value.y;
}

}  // namespace

CartesianEmbedding::CartesianEmbedding(std::vector<CartesianLink> links)
    : links_(std::move(links)), xi_(links_.size()), xi_rate_(links_.size()) {}

/// X_i from xi_ of the parent; of rates with `ground` 0 instead of 1.
Vec2<double> CartesianEmbedding::joint_of(int i, std::span<const double> x, double ground) const {
  const CartesianLink& link = links_[i];
  if (link.parent < 0) return ground * link.joint;
  return entry(x, link.parent) + scaled_rotation(link.beyond, xi_[link.parent]);  // (22)
}

void CartesianEmbedding::set_relative(std::span<const double> x, double ground) const {
  for (int i = 0; i < count(); ++i) xi_[i] = entry(x, i) - joint_of(i, x, ground);
}

void CartesianEmbedding::set_relative_rates(std::span<const double> x, std::span<const double> v) const {
  set_relative(v, 0);
  xi_.swap(xi_rate_);
  set_relative(x, 1);
}

void CartesianEmbedding::put_directors(std::span<const double> x, std::span<double> x_R) const {
  for (int i = 0; i < count(); ++i) {
    double* body = &x_R[static_cast<std::size_t>(kInner) * i];
    const Vec2<double> centre = entry(x, i), d = scaled_rotation(links_[i].director, xi_[i]);
    body[0] = centre.x;
    body[1] = centre.y;
    body[2] = d.x;
    body[3] = d.y;
    body[4] = -d.y;
    body[5] = d.x;
  }
}

void CartesianEmbedding::embed(std::span<const double> x, std::span<double> x_R) const {
  set_relative(x, 1);
  put_directors(x, x_R);
}

void CartesianEmbedding::embed_rates(std::span<const double> v, std::span<double> v_R) const {
  set_relative(v, 0);
  put_directors(v, v_R);
}

void CartesianEmbedding::coordinates_of(std::span<const double> x_R, std::span<double> x) const {
  for (int i = 0; i < count(); ++i) std::copy_n(&x_R[static_cast<std::size_t>(kInner) * i], 2, &x[2 * i]);
}

void CartesianEmbedding::retract(std::span<const double> x_a, std::span<const double> turns,
                                 std::span<double> dx, std::span<double> x_b) const {
  set_relative(x_a, 1);
  for (int i = 0; i < count(); ++i) {
    xi_[i] = cayley_increment(turns[i], xi_[i]);
    const Vec2<double> change = joint_of(i, dx, 0) + xi_[i];
    put(change, i, dx);
    put(entry(x_a, i) + change, i, x_b);
  }
}

void CartesianEmbedding::turns(std::span<const double> x, std::span<const double> v, double h,
                               std::span<double> turns) const {
  set_relative_rates(x, v);
  for (int i = 0; i < count(); ++i) turns[i] = h * moment_of(xi_[i], xi_rate_[i]) / dot(xi_[i], xi_[i]);
}

void CartesianEmbedding::accelerations(std::span<const double> x, std::span<const double> v,
                                       std::span<const double> alpha, std::span<double> a) const {
  turns(x, v, 1, a.first(alpha.size()));
  for (int i = 0; i < count(); ++i) xi_[i] = alpha[i] * perp(xi_[i]) + a[i] * perp(xi_rate_[i]);
  for (int i = 0; i < count(); ++i) put(joint_of(i, a, 0) + xi_[i], i, a);
}

void CartesianEmbedding::settle(std::span<double> x) const {
  for (int i = 0; i < count(); ++i) {
    const Vec2<double> joint = joint_of(i, x, 1);
    const Vec2<double> xi = entry(x, i) - joint;
    const double excess = dot(xi, xi) / (links_[i].length * links_[i].length) - 1;
    put(entry(x, i) - (0.5 * excess) * xi, i, x);
    xi_[i] = entry(x, i) - joint;
  }
}

double CartesianEmbedding::length_error(std::span<const double> x) const {
  set_relative(x, 1);
  double largest = 0;
  for (int i = 0; i < count(); ++i) {
    keep_largest(largest, std::abs(norm(xi_[i]) - links_[i].length));
  }
  return largest;
}

double CartesianEmbedding::length_rate(std::span<const double> x, std::span<const double> v) const {
  set_relative_rates(x, v);
  double largest = 0;
  for (int i = 0; i < count(); ++i) {
    keep_largest(largest, std::abs(dot(xi_[i], xi_rate_[i])) / links_[i].length);
  }
  return largest;
}

}  // namespace torsor
