// Runs of bench/work_precision by Simbody, a tree in joint coordinates with loops as constraints. A mechanism comes in
// as numbers (plain_text of bench/wp_mechanisms.py); of every tolerance the least seconds and the positions of the
// mass centres at the end go out, a line each. Usage: simbody_runs INTEGRATOR ROUNDS TOLERANCE.. < MECHANISM
// For bench/peers: simbody_runs INTEGRATOR ROUNDS step H < MECHANISM takes fixed steps; of the run go out seconds, the
// largest |E(t) - E(0)| and the largest error of constraints, then the positions.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "Simbody.h"

namespace {

using namespace SimTK;

struct Mechanism {
  struct Link {
    int parent, ball;
    double at, mass, com;
    Vec3 inertia;
    double q;
    Vec3 qd;
  };
  struct Loop {
    int a;
    double at_a;
    int b;
    double at_b;
  };
  Vec3 gravity;
  double duration = 0;
  std::vector<Link> links;
  std::vector<Loop> loops;
};

Mechanism read() {
  Mechanism m;
  int links = 0, loops = 0;
  std::cin >> links >> loops >> m.gravity[0] >> m.gravity[1] >> m.gravity[2] >> m.duration;
  m.links.resize(links);
  m.loops.resize(loops);
  for (Mechanism::Link& link : m.links) {
    std::cin >> link.parent >> link.ball >> link.at >> link.mass >> link.com;
    for (int i = 0; i < 3; ++i) std::cin >> link.inertia[i];
    std::cin >> link.q;
    for (int i = 0; i < 3; ++i) std::cin >> link.qd[i];
  }
  for (Mechanism::Loop& loop : m.loops) std::cin >> loop.a >> loop.at_a >> loop.b >> loop.at_b;
  return m;
}

struct Built {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  std::vector<MobilizedBody> bodies;
  State start;

  explicit Built(const Mechanism& m) {
    Force::UniformGravity(forces, matter, m.gravity);
    for (const Mechanism::Link& link : m.links) {
      const Vec3 com(link.com, 0, 0);
      const Inertia about_origin = Inertia(link.inertia).shiftFromMassCenter(com, link.mass);
      const Body::Rigid body(MassProperties(link.mass, com, about_origin));
      MobilizedBody& parent =
          link.parent < 0 ? static_cast<MobilizedBody&>(matter.updGround()) : bodies[link.parent];
      const Transform on_parent(Vec3(link.at, 0, 0)), on_child;
      if (link.ball)
        bodies.push_back(MobilizedBody::Ball(parent, on_parent, body, on_child));
      else
        bodies.push_back(MobilizedBody::Pin(parent, on_parent, body, on_child));
    }
    for (const Mechanism::Loop& loop : m.loops) {
      // Two rows close a planar loop; the third of a ball would be redundant.
      Constraint::PointInPlane(bodies[loop.a], UnitVec3(1, 0, 0), loop.at_a, bodies[loop.b],
                               Vec3(loop.at_b, 0, 0));
      Constraint::PointInPlane(bodies[loop.a], UnitVec3(0, 1, 0), 0.0, bodies[loop.b], Vec3(loop.at_b, 0, 0));
    }
    start = system.realizeTopology();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!m.links[i].ball) bodies[i].setOneQ(start, 0, m.links[i].q);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (m.links[i].ball)
        bodies[i].setUFromVector(start, Vector(m.links[i].qd));
      else
        bodies[i].setOneU(start, 0, m.links[i].qd[2]);
    }
  }
};

std::unique_ptr<Integrator> make(const std::string& name, const System& system) {
  if (name == "RungeKuttaMerson") return std::make_unique<RungeKuttaMersonIntegrator>(system);
  if (name == "Verlet") return std::make_unique<VerletIntegrator>(system);
  if (name == "CPodes") return std::make_unique<CPodesIntegrator>(system, CPodes::BDF);
  throw std::invalid_argument("no integrator " + name);
}

void print_positions(const Mechanism& mechanism, const Built& built, const State& state) {
  built.system.realize(state, Stage::Position);
  for (std::size_t b = 0; b < built.bodies.size(); ++b) {
    const Vec3 x = built.bodies[b].findStationLocationInGround(state, Vec3(mechanism.links[b].com, 0, 0));
    std::printf(" %.17g %.17g %.17g", x[0], x[1], x[2]);
  }
  std::puts("");
}

/// As torsor/base/norm.h has it, which is C++20: a NaN stays.
void keep_largest(double& largest, double value) {
  if (largest < value || value != value) largest = value;
}

void run_by_steps(const std::string& name, int rounds, double h, const Mechanism& mechanism,
                  const Built& built) {
  const long steps = std::lround(mechanism.duration / h);
  double least = std::numeric_limits<double>::infinity(), energy = 0, gap = 0;
  State end;
  for (int round = 0; round <= rounds; ++round) {  // the last one is looked at
    const std::unique_ptr<Integrator> integrator = make(name, built.system);
    integrator->setFixedStepSize(h);
    integrator->setFinalTime(mechanism.duration);
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    integrator->initialize(built.start);
    const double first = built.system.calcEnergy(integrator->getState());
    for (long i = 1; i <= steps; ++i) {
      while (integrator->getTime() < static_cast<double>(i) * h - 1e-9)
        integrator->stepTo(static_cast<double>(i) * h);
      if (round < rounds) continue;
      const State& now = integrator->getState();
      built.system.realize(now, Stage::Velocity);
      keep_largest(energy, std::abs(built.system.calcEnergy(now) - first));
      for (int k = 0; k < now.getQErr().size(); ++k) keep_largest(gap, std::abs(now.getQErr()[k]));
    }
    if (round < rounds)
      least =
          std::min({least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                    static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC});
    end = integrator->getState();
  }
  std::printf("%.17g %.17g %.17g", least, energy, gap);
  print_positions(mechanism, built, end);
}

}  // namespace

int main(int count, char** words) {
  const std::string name = words[1];
  const int rounds = std::stoi(words[2]);
  const Mechanism mechanism = read();
  const Built built(mechanism);
  if (count == 5 && std::string(words[3]) == "step") {
    try {
      run_by_steps(name, rounds, std::stod(words[4]), mechanism, built);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "simbody: %s: %s\n", name.c_str(), failure.what());
      return 1;
    }
    return 0;
  }
  for (int i = 3; i < count; ++i) {
    double least = std::numeric_limits<double>::infinity();
    State end;
    try {
      for (int round = 0; round < rounds; ++round) {
        const std::unique_ptr<Integrator> integrator = make(name, built.system);
        integrator->setAccuracy(std::stod(words[i]));
        integrator->setFinalTime(mechanism.duration);
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t used = std::clock();
        integrator->initialize(built.start);
        while (integrator->getTime() < mechanism.duration) integrator->stepTo(mechanism.duration);
        least =
            std::min({least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                      static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC});
        end = integrator->getState();
      }
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "simbody: %s, %s: %s\n", name.c_str(), words[i], failure.what());
      continue;
    }
    std::printf("%s %.17g", words[i], least);
    print_positions(mechanism, built, end);
  }
}
