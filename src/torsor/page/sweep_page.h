#pragma once
// A sweep as a page: scatter plots, parallel coordinates, response surface, histograms, sensitivities.

#include <string>
#include <utility>
#include <vector>

#include "torsor/result/sweep_table.h"

namespace torsor {

/// A run that can be looked at: its number, and its page as a link from the sweep's.
struct KeptRun {
  long run = 0;
  std::string link;
};

/// The numbers of the page as one JSON object, harmless inside a script element. Of very many runs some are shown, evenly
/// taken, those that are kept always; sensitivities are of all.
std::string sweep_data(const SweepTable& table, const std::string& title, const std::vector<KeptRun>& kept);

/// Into a file. Throws ModelError at `key` where it cannot be written, and where the page was not built.
void write_sweep_page(const SweepTable& table, const std::string& title, const std::vector<KeptRun>& kept,
                      const std::string& path, const std::string& key = "--out");

}  // namespace torsor
