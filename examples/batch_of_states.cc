// Forward dynamics of many states at once: four of them in the lanes of each number, by the same functions as for one.

#include <torsor/base/norm.h>
#include <torsor/model/model.h>
#include <torsor/tree/forward_dynamics.h>
#include <torsor/tree/scalars.h>

#include <cmath>
#include <cstdio>

using namespace torsor;

namespace {

Model make_chain(int links) {
  ModelDescription d;
  d.name = "chain";
  d.gravity = {0, 0, -9.81};
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = "link" + std::to_string(i + 1);
    body.mass = 1;
    body.com = {0, 0, -0.25};
    body.inertia = {0.02, 0.02, 0.001, 0, 0, 0};
    Joint joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.parent = i - 1;  // the first one hangs on the world
    joint.child = i;
    joint.in_parent.position = i == 0 ? Vec3<double>{} : Vec3<double>{0, 0, -0.5};
    joint.axis = i % 2 == 0 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    d.bodies.push_back(body);
    d.joints.push_back(joint);
  }
  return Model(d);
}

double angle(int state, int joint) { return std::sin(0.3 * state + joint); }
double speed(int state, int joint) { return std::cos(0.7 * state - joint); }

}  // namespace

int main() {
  constexpr int kStates = 64;
  const Model model = make_chain(8);
  const Tree tree = make_tree(model);  // immutable: shared by all threads
  const int n = tree.rate_count;

  // The batch: state 4 b + lane stands in the lane of pack b.
  std::vector<Pack4> q(n), qd(n), effort(n), qdd(n);
  ForwardDynamicsWorkspace<Pack4> workspace(tree);  // one a thread, made once
  std::vector<double> accelerations(kStates * n);
  for (int first = 0; first < kStates; first += Pack4::size) {
    for (int joint = 0; joint < n; ++joint) {
      for (int lane = 0; lane < Pack4::size; ++lane) {
        q[joint][lane] = angle(first + lane, joint);
        qd[joint][lane] = speed(first + lane, joint);
      }
      effort[joint] = -0.1 * qd[joint];  // arithmetic is that of a number: friction
    }
    forward_dynamics<Pack4>(tree, workspace, q, qd, effort, {}, qdd);
    for (int joint = 0; joint < n; ++joint) {
      for (int lane = 0; lane < Pack4::size; ++lane)
        accelerations[(first + lane) * n + joint] = qdd[joint][lane];
    }
  }

  // The same one by one.
  double apart = 0, largest = 0;
  std::vector<double> q1(n), qd1(n), effort1(n), qdd1(n);
  ForwardDynamicsWorkspace<double> plain(tree);
  for (int state = 0; state < kStates; ++state) {
    for (int joint = 0; joint < n; ++joint) {
      q1[joint] = angle(state, joint);
      qd1[joint] = speed(state, joint);
      effort1[joint] = -0.1 * qd1[joint];
    }
    forward_dynamics<double>(tree, plain, q1, qd1, effort1, {}, qdd1);
    for (int joint = 0; joint < n; ++joint) {
      keep_largest(apart, std::abs(qdd1[joint] - accelerations[state * n + joint]));
      keep_largest(largest, std::abs(qdd1[joint]));
    }
  }
  std::printf("%d states of %d joints: largest acceleration %.3f rad/s^2, batch and single differ by %.1e\n",
              kStates, n, largest, apart);
  return largest > 1 && apart < 1e-10 * largest ? 0 : 1;
}
