#include "torsor/formulation/cartesian/matrices.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "testing/models.h"
#include "testing/random_planar_links.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/cartesian/cartesian.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

std::span<double> span_of(VectorXd& a) { return {a.data(), static_cast<std::size_t>(a.size())}; }
std::span<const double> span_of(const VectorXd& a) { return {a.data(), static_cast<std::size_t>(a.size())}; }

/// A random tree in a random state, with its coordinates by joint angles.
struct Probe {
  explicit Probe(unsigned seed)
      : model(random_planar_links(7, seed)),
        system(model),
        observer(system),
        matrices(system.embedding().links()),
        x(system.coordinate_count()),
        v(system.coordinate_count()) {
    std::mt19937 random(seed);
    q = random_vector(model.coordinate_count(), random);
    qd = random_vector(model.rate_count(), random);
    std::vector<double> angles(system.angle_count());
    observer.start(model, q, qd, span_of(x), span_of(v), angles);
  }
  /// T of x_R = T x + const, column by column.
  MatrixXd embedding() const {
    MatrixXd T(3 * x.size(), x.size());
    for (int i = 0; i < x.size(); ++i) {
      const VectorXd unit = VectorXd::Unit(x.size(), i);
      VectorXd column(T.rows());
      system.embedding().embed_rates(span_of(unit), span_of(column));
      T.col(i) = column;
    }
    return T;
  }
  /// Rates of the relative angles, counted to the left, by link.
  VectorXd joint_rates() const {
    VectorXd rates(matrices.count());
    for (int i = 0; i < matrices.count(); ++i) {
      const int carrier = model.topology().carrier[matrices.links()[i].body];
      const Vec3<double> axis = act(model.joints()[carrier].in_parent.rotation, Vec3<double>{0, 0, 1});
      rates[i] = axis.z * qd[model.rate_offset(carrier)];
    }
    return rates;
  }

  Model model;
  Cartesian system;
  CartesianObserver observer;
  CartesianMatrices matrices;
  std::vector<double> q, qd;
  VectorXd x, v;
};

class CartesianMatricesOf : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Tree, CartesianMatricesOf, ::testing::Range(1u, 21u));

TEST_P(CartesianMatricesOf, InverseOfJByItsRowsIsItsInverse) {
  const CartesianMatrices m = Probe(GetParam()).matrices;
  const MatrixXd product = m.J() * m.inverse_J();
  const double error = (product - MatrixXd::Identity(product.rows(), product.cols())).norm();
  EXPECT_LT(error, 3e-15 * m.inverse_J().norm());  // measured 1.7e-16
}

TEST_P(CartesianMatricesOf, LengthsAreKeptAndRatesOfJointsKeepThem) {
  const Probe probe(GetParam());
  const VectorXd xi = probe.matrices.relative(probe.x);
  for (int i = 0; i < probe.matrices.count(); ++i) {
    EXPECT_NEAR(xi.segment<2>(2 * i).norm(), probe.matrices.links()[i].length, 5e-14);  // measured 2e-15
  }
  EXPECT_LT(max_abs(probe.matrices.G(probe.x) * probe.v), 1e-12);  // measured 5e-14
}

/// G is the derivative of (27): quadratic, so a central difference is exact.
TEST_P(CartesianMatricesOf, GIsTheDerivativeOfTheConstraints) {
  const Probe probe(GetParam());
  std::mt19937 random(GetParam());
  const std::vector<double> way = random_vector(static_cast<int>(probe.x.size()), random);
  const VectorXd dx = VectorXd::Map(way.data(), probe.x.size());
  const VectorXd a = probe.matrices.relative(probe.x - dx), b = probe.matrices.relative(probe.x + dx);
  const VectorXd rates = probe.matrices.G(probe.x) * dx;
  for (int i = 0; i < rates.size(); ++i) {
    const double change = 0.5 * (b.segment<2>(2 * i).squaredNorm() - a.segment<2>(2 * i).squaredNorm());
    EXPECT_NEAR(rates[i], 0.5 * change, 3e-15 * (1 + b.squaredNorm()));  // measured 1.3e-16
  }
}

TEST_P(CartesianMatricesOf, MassMatrixIsThatOfTheDirectorsAndGivesTheKineticEnergy) {
  Probe probe(GetParam());
  const MatrixXd T = probe.embedding(), M = probe.matrices.M();
  VectorXd diagonal(T.rows());  // of the constant mass matrix of directors
  const NodeFrames<2> frames = make_node_frames<2>(probe.model);
  for (int i = 0; i < probe.matrices.count(); ++i) {
    const double m = frames.mass[i], E0 = frames.E[i][0], E1 = frames.E[i][1];
    diagonal.segment<6>(6 * i) << m, m, E0, E0, E1, E1;
  }
  EXPECT_LT((T.transpose() * diagonal.asDiagonal() * T - M).norm(), 1e-14 * M.norm());  // measured 4e-16
  const std::vector<double> angles(probe.system.angle_count());
  const double kinetic = probe.observer.energies(0, span_of(probe.x), span_of(probe.v), angles).kinetic;
  EXPECT_NEAR(0.5 * probe.v.dot(M * probe.v), kinetic, 5e-14 * kinetic);  // measured 3e-15
}

TEST_P(CartesianMatricesOf, InputsWorkOnTheRatesOfTheJoints) {
  const Probe probe(GetParam());
  const VectorXd rates = probe.matrices.B(probe.x).transpose() * probe.v;
  EXPECT_LT(max_abs(rates - probe.joint_rates()), 3e-13);  // measured 2.5e-14
}

TEST_P(CartesianMatricesOf, ConstraintsAndInputsTogetherAreScaledRotations) {
  const Probe probe(GetParam());
  const int n = probe.matrices.count();
  const MatrixXd H = probe.matrices.H(probe.x), G = probe.matrices.G(probe.x), B = probe.matrices.B(probe.x);
  MatrixXd L2 = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) L2(i, i) = std::pow(probe.matrices.links()[i].length, 2);
  const MatrixXd B_0 = B * probe.matrices.D().transpose().inverse() * L2;
  const MatrixXd turns = probe.matrices.J().transpose() * H;  // diag(l_i R(phi_i))
  for (int i = 0; i < n; ++i) {
    EXPECT_LT((H.col(2 * i) - G.row(i).transpose()).norm(), 1e-15 * H.norm());  // measured 7e-17
    EXPECT_LT((H.col(2 * i + 1) - B_0.col(i)).norm(), 3e-15 * H.norm());        // measured 1.2e-16
    const double l = probe.matrices.links()[i].length;
    EXPECT_NEAR(turns.block(2 * i, 2 * i, 2, 2).determinant(), l * l, 5e-14);  // measured 4e-15
    L2(i, i) = 0;
  }
  MatrixXd both(2 * n, 2 * n);
  both << G.transpose(), B;
  EXPECT_TRUE(both.fullPivLu().isInvertible());
}

/// The velocity of a point on the last link.
TEST_P(CartesianMatricesOf, PointOnALinkMovesByItsJacobian) {
  Probe probe(GetParam());
  const int last = probe.matrices.count() - 1;
  const CartesianLink& link = probe.matrices.links()[last];
  const Vec2<double> p{0.3, -0.7};
  const MatrixXd J_tcp = probe.matrices.J_tcp(last, arm_of_point(probe.model, link, p));
  const Eigen::Vector2d rate = J_tcp * probe.matrices.inverse_J() * probe.v;
  std::vector<BodyMotion> motions(probe.model.bodies().size());
  probe.observer.body_motions(span_of(probe.x), span_of(probe.v), motions);
  const BodyMotion& body = motions[link.body];
  const Vec3<double> arm = body.R * (Vec3<double>{p.x, p.y, 0} - probe.model.bodies()[link.body].com);
  const Vec3<double> expected = body.velocity + cross(body.angular_velocity, arm);
  EXPECT_NEAR(rate.x(), expected.x, 2e-13);  // measured 1.2e-14
  EXPECT_NEAR(rate.y(), expected.y, 2e-13);
}

/// (25) for the arm of the paper, alpha = 2, with the sign that makes it an inverse.
TEST(CartesianMatrices, RowsOfTheInverseForTheArmOfThePaper) {
  const CartesianMatrices m(make_cartesian_links(Model(reference::three_link_arm())));
  const MatrixXd t = m.inverse_J();
  EXPECT_EQ(t(4, 4), 1);
  EXPECT_EQ(t(4, 2), -2);  // -alpha_2
  EXPECT_EQ(t(4, 0), 2);   // -alpha_1 (1 - alpha_2)
  EXPECT_EQ(t(4, 1), 0);
}

}  // namespace
}  // namespace torsor
