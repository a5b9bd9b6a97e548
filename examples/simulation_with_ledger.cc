// A model file, simulated by two methods, with the ledger of each and a result file.

#include <torsor/torsor.h>

#include <cmath>
#include <cstdio>
#include <iostream>

using namespace torsor;

int main(int argc, char** argv) try {
  const Model model = load_model(argc > 1 ? argv[1] : "models/tendon_arm.yaml");

  const auto stepper = make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum"});
  CsvWriter file("tendon_arm.csv");  // or Hdf5Writer: listens to the run, writes as it goes
  const Record run = simulate(*stepper, {.step = 0.01, .duration = 5}, {&file});
  std::cout << run.ledger;

  const auto explicit_one = make_stepper(model, {.formulation = "joint", .integrator = "rkmk4"});
  const Record other = simulate(*explicit_one, {.step = 0.01, .duration = 5});
  const Vec3<double> apart =
      run.observations.back().bodies.back().com - other.observations.back().bodies.back().com;
  std::printf("energy strays by %.1e J here, by %.1e J with rkmk4; the last link ends %.1e m apart\n",
              run.ledger.energy_max_residual, other.ledger.energy_max_residual, norm(apart));

  const bool is_right = run.ledger.energy_max_residual < 1e-11 && norm(apart) < 0.01;
  return is_right ? 0 : 1;
} catch (const Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
