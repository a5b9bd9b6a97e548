#pragma once
// What the benchmark times: one algorithm of one engine on one model.

#include <functional>
#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor::bench {

enum class Algorithm {
  inverse_dynamics,
  forward_dynamics,
  mass_matrix,
  inverse_dynamics_derivatives,
  forward_dynamics_derivatives
};
inline constexpr Algorithm kAlgorithms[] = {Algorithm::inverse_dynamics, Algorithm::forward_dynamics,
                                            Algorithm::mass_matrix, Algorithm::inverse_dynamics_derivatives,
                                            Algorithm::forward_dynamics_derivatives};

/// Derivatives are timed on mechanisms of up to so many degrees of freedom.
inline constexpr int kMostRatesOfDerivatives = 64;

/// Random states of a model in its own order and conventions. Efforts are what inverse dynamics gives.
struct States {
  std::vector<std::vector<double>> q, qd, qdd, effort;
  int size() const { return static_cast<int>(q.size()); }
};

/// Vectors and matrices (by rows, both triangles) in the model's order. Derivatives: those by q, by qd and,
/// of forward dynamics, by the efforts.
using Blocks = std::vector<std::vector<double>>;

struct Contender {
  std::string engine;   ///< "torsor" or "pinocchio"
  std::string variant;  ///< of the engine: width of the pack, convention
  Algorithm algorithm;
  int width;                           ///< states a call
  std::function<void(int calls)> run;  ///< goes round the states
  std::function<Blocks(int state)> result;
};

std::vector<Contender> torsor_contenders(const Model& model, const States& states);
/// Empty where the benchmark was built without Pinocchio or the model is too large for its memory.
std::vector<Contender> pinocchio_contenders(const ModelDescription& model, const States& states);
/// "4.1.0", or empty.
std::string pinocchio_version();
/// Whether Pinocchio was compiled with Eigen's explicit vectorisation.
bool eigen_vectorizes();

/// Makes the compiler believe that all memory is read, so that no result is optimised away.
inline void keep_results() { asm volatile("" : : : "memory"); }

}  // namespace torsor::bench
