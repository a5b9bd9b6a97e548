#include "experiments/registry.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<std::string> source_keys() {
  std::vector<std::string> keys;
  for (const Source& source : sources()) keys.push_back(source.key);
  return keys;
}

void require_known(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (contains(known, name)) return;
  throw ModelError(what, "a name from `torsor list experiments`", did_you_mean(name, known));
}

}  // namespace

const std::vector<Source>& sources() {
  static const std::vector<Source> all{
      {"goetz",
       "A. Götz, Structure preserving simulation for a manipulator with multiarticular elastic couplings, "
       "master's thesis, Technical University of Munich, 2024",
       "Intel Core i5-7200U, 2.5 GHz, MATLAB"},
      {"kotyczka",
       "P. Kotyczka, A. Götz, M. Herrmann, Non-minimal modeling and structure-preserving integration for "
       "planar elastically coupled systems, Proceedings in Applied Mathematics and Mechanics, 2025",
       ""},
      {"uhlar-betsch",
       "S. Uhlar, P. Betsch, Conserving integrators for parallel manipulators, in: Parallel Manipulators, "
       "New "
       "Developments, ed. J.-H. Ryu, InTech 2008, ISBN 978-3-902613-20-2",
       ""},
      {"saetran",
       "N. M. Sætran, Lagrangian dynamics for solid multi-body systems with the moving frame formalism, "
       "thesis, University of Bergen, 2018",
       "a machine that the text does not name, Python"},
      {"mueller",
       "A. Müller, Screw and Lie group theory in multibody dynamics: recursive algorithms and equations of "
       "motion of "
       "tree-topology systems, Multibody System Dynamics 42, 219-248, 2018, doi:10.1007/s11044-017-9583-6",
       ""},
  };
  return all;
}

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (auto* experiments : {goetz_experiments, kotyczka_experiments, uhlar_betsch_experiments,
                              saetran_experiments, mueller_experiments}) {
      for (Experiment& experiment : experiments()) list.push_back(std::move(experiment));
    }
    return list;
  }();
  return all;
}

std::vector<Experiment> select_experiments(const std::vector<std::string>& names,
                                           const std::vector<std::string>& chosen_sources) {
  std::vector<std::string> known = source_keys();
  for (const std::string& source : chosen_sources) require_known("--source", source, known);
  for (const Experiment& experiment : all_experiments()) known.push_back(experiment.name);
  for (const std::string& name : names) require_known("EXPERIMENT", name, known);

  std::vector<Experiment> chosen;
  for (const Experiment& e : all_experiments()) {
    const bool everything = names.empty() && chosen_sources.empty();
    if (everything || contains(names, e.name) || contains(names, e.source) ||
        contains(chosen_sources, e.source)) {
      chosen.push_back(e);
    }
  }
  return chosen;
}

}  // namespace torsor
