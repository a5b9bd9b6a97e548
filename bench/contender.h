#pragma once
// What the benchmark times: one algorithm of one engine on one model.

#include <functional>
#include <string>
#include <vector>

#include "model/model.h"

namespace torsor::bench {

enum class Algorithm { inverse_dynamics, forward_dynamics, mass_matrix };
inline constexpr Algorithm kAlgorithms[] = {Algorithm::inverse_dynamics, Algorithm::forward_dynamics,
                                            Algorithm::mass_matrix};

/// Random states of a model in its own order and conventions. Efforts are what inverse dynamics gives.
struct States {
  std::vector<std::vector<double>> q, qd, qdd, effort;
  int size() const { return static_cast<int>(q.size()); }
};

struct Contender {
  std::string engine;   ///< "torsor" or "pinocchio"
  std::string variant;  ///< of the engine: width of the pack, convention
  Algorithm algorithm;
  int width;                           ///< states a call
  std::function<void(int calls)> run;  ///< goes round the states
  std::function<std::vector<double>(int state)>
      result;  ///< in the model's order; matrices by rows, symmetric
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
