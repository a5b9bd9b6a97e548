#pragma once
// A sweep as one table: inputs, measures and ledger figures of every run that got to its end, and the reasons of the others.
// It depends on the sweep alone: not on threads, interruptions or the order in which runs were made.

#include <string>
#include <vector>

#include "torsor/study/sweep.h"

namespace torsor {

struct SweepColumn {
  enum class Group { inputs, measures, ledger };

  Group group = Group::inputs;
  std::string name, unit;           ///< SI; empty of a plain number that is an input
  std::vector<std::string> labels;  ///< of a list variable: its values are indices of these
  std::vector<double> values;
};
const char* name_of(SweepColumn::Group group);

struct SweepTable {
  struct Failed {
    long run = 0;
    std::vector<double> inputs;
    std::string reason;
  };

  long planned = 0;                  ///< runs of the whole sweep
  std::vector<long> runs;            ///< that got to their end, rising: the numbers of the rows
  std::vector<SweepColumn> columns;  ///< inputs, measures, ledger
  std::vector<Failed> failed;        ///< rising
  std::string sweep, model, version;

  const SweepColumn* find(SweepColumn::Group group,
                          const std::string& name) const;  ///< null where there is none
  bool complete() const { return static_cast<long>(runs.size() + failed.size()) == planned; }
};

/// Of the rows that have been made, in any order; `units` are those of the measures.
SweepTable make_sweep_table(const SweepDescription& description, std::vector<SweepRow> rows,
                            const std::vector<std::string>& units);

/// By the ending of the name: .h5 or .csv. Throws ModelError at `key` if it cannot be written.
void write_sweep_table(const SweepTable& table, const std::string& path, const std::string& key = "--out");

/// `sweep --json`: what was swept, how many runs got to their end, range and mean of every measure, the failures by reason.
std::string sweep_json(const SweepTable& table);

}  // namespace torsor
