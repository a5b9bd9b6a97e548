#include "torsor/formulation/joint/stiffness.h"

#include <algorithm>
#include <utility>

#include "torsor/tree/dynamic_stiffness.h"

namespace torsor {
namespace {

class JointStiffness : public StiffInverse {
 public:
  JointStiffness(const Tree& tree, std::vector<double> stiffness, std::vector<double> damping, int count)
      : tree_(tree),
        has_joint_forces_(has_any(stiffness) || has_any(damping)),
        factored_(tree, std::move(stiffness), std::move(damping), count) {}

  bool has_joint_forces() const override { return has_joint_forces_; }
  void factorise(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                 std::span<const Complex> sigma) override {
    factored_.factorise(tree_, q, v, a, sigma);
  }
  void solve(int k, std::span<Complex> x) override { factored_.solve(tree_, k, x); }

 private:
  static bool has_any(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
  }

  const Tree& tree_;
  bool has_joint_forces_;
  DynamicStiffness factored_;
};

}  // namespace

std::unique_ptr<StiffInverse> make_joint_stiffness(const Tree& tree, const JointElements& elements,
                                                   int count) {
  std::vector<double> stiffness(tree.rate_count), damping(tree.rate_count);
  for_each_element(elements.lists, [&](const auto& element) {
    if constexpr (requires { element.add_stiffness(stiffness, damping); }) {
      element.add_stiffness(stiffness, damping);
    }
  });
  return std::make_unique<JointStiffness>(tree, std::move(stiffness), std::move(damping), count);
}

}  // namespace torsor
