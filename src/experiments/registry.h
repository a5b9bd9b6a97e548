#pragma once
// All published results that are re-made.

#include <map>

#include "experiments/experiment.h"

namespace torsor {

struct Source {
  std::string key;       ///< `goetz`
  std::string citation;  ///< author, title, year
  std::string machine;   ///< on which published times were taken
};
const std::vector<Source>& sources();

std::vector<Experiment> goetz_experiments();
std::vector<Experiment> kotyczka_experiments();
std::vector<Experiment> uhlar_betsch_experiments();
std::vector<Experiment> saetran_experiments();
std::vector<Experiment> mueller_experiments();

/// All of them, source by source.
const std::vector<Experiment>& all_experiments();

/// Those named, and all of the sources named; all if nothing is. A name may be that of a source, too. Throws
/// ModelError with the nearest name.
std::vector<Experiment> select_experiments(const std::vector<std::string>& names,
                                           const std::vector<std::string>& chosen_sources);

}  // namespace torsor
