// Stands in for pinocchio_contenders.cc where Pinocchio is not at hand.

#include "bench/contender.h"

namespace torsor::bench {

std::vector<Contender> pinocchio_contenders(const ModelDescription&, const States&) { return {}; }
std::string pinocchio_version() { return {}; }
bool eigen_vectorizes() { return false; }

}  // namespace torsor::bench
