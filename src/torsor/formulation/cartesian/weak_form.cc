#include "torsor/formulation/cartesian/weak_form.h"

#include <algorithm>

namespace torsor {
namespace {

std::vector<std::pair<int, int>> parents(const std::vector<CartesianLink>& links) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].parent >= 0) pairs.emplace_back(links[i].parent, static_cast<int>(i));
  }
  return pairs;
}

}  // namespace

CartesianWeakForm::CartesianWeakForm(const CartesianEmbedding& embedding, const RotationlessWork<2>& full,
                                     const GalerkinBasis& basis)
    : RotationlessWeakForm(full, basis),
      embedding_(embedding),
      metric_(std::vector<BlockElimination::Node>(embedding.links().size(), {X + kRows, X}),
              parents(embedding.links())),
      x_R_(full.mechanism.coordinate_count()),
      v_R_(x_R_.size()),
      nearest_(metric_.size()),
      v_joined_(X * embedding.links().size()) {
  metric_.clear();
  for (int node = 0; node < full.mechanism.ground; ++node) {
    const RowBlock pivot = metric_.block(node, node);
    for (int i = 0; i < X; ++i) pivot(i, i) = mass(node, i);
    const auto& rows = full.mechanism.tree_rows[node];
    for (int k = 0; k < kRows; ++k) {
      Vec2<double> unit{};
      unit[k] = 1;
      const auto put = [&](const Arm<2>& arm) {
        if (arm.node == full.mechanism.ground) return;
        std::array<double, X> gradient{};
        FormBody<2>::add_to(gradient, arm, unit);
        const RowBlock left = metric_.block(arm.node, node), right = metric_.block(node, arm.node);
        for (int i = 0; i < X; ++i) left(i, X + k) = right(X + k, i) = gradient[i];
      };
      put(rows.child_point);
      put(rows.parent_point);
    }
  }
  metric_.factorise();
}

void CartesianWeakForm::embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
                              std::span<double> v_form) const {
  embedding_.embed(x, x_R_);
  embedding_.embed_rates(v, v_R_);
  RotationlessWeakForm::embed(x_R_, v_R_, x_form, v_form);
}

void CartesianWeakForm::project(std::span<const double> x_form, std::span<const double> v_form,
                                std::span<double> x, std::span<double> v) const {
  const int count = static_cast<int>(embedding_.links().size());
  for (int node = 0; node < count; ++node) {
    double* at = &nearest_[metric_.offset(node)];
    for (int i = 0; i < X; ++i) at[i] = mass(node, i) * v_form[X * node + i];
    std::fill_n(at + X, kRows, 0.0);
  }
  metric_.solve(nearest_);
  for (int node = 0; node < count; ++node) {
    std::copy_n(&nearest_[metric_.offset(node)], X, &v_joined_[static_cast<std::size_t>(X) * node]);
  }
  RotationlessWeakForm::project(x_form, v_joined_, x_R_, v_R_);
  embedding_.coordinates_of(x_R_, x);
  embedding_.coordinates_of(v_R_, v);
}

}  // namespace torsor
