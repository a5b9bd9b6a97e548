#pragma once
// A result in memory: what a result file holds, dataset by dataset, with the texts beside them.

#include <string>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"

namespace torsor {

class Hdf5Reader;

/// A column of numbers or of vectors, as a result file has it.
struct ResultDataset {
  std::string path;  ///< `bodies/link1/com`
  std::string unit;
  std::vector<std::string> components;  ///< one for each number of a row; {""} for a single one
  bool integral = false;                ///< counts
  std::vector<double> values;           ///< row by row

  std::size_t width() const { return components.size(); }
};

Channel channel_of(const ResultDataset& dataset);

struct ResultTable {
  std::vector<ResultDataset> datasets;
  std::size_t rows = 0;
  std::string model, scene, settings, version,
      ledger;  ///< texts: the model file, the rest JSON but the version

  const ResultDataset* find(const std::string& path) const;         ///< null where there is none
  void row(std::size_t index, std::vector<double>& numbers) const;  ///< all of one record
};

/// Throws ModelError unless the file at `path` is the result of a run.
void require_run(const Hdf5Reader& file, const std::string& path);

/// Reads a file that Hdf5Writer wrote, also one that was left unfinished: of its datasets the rows that all have.
/// Datasets come in the order in which the run had them. Throws ModelError.
ResultTable read_result(const std::string& path);

/// The channels that were asked for (simulation/channels.h), and of the rows every Nth and the last. Throws ModelError.
ResultTable part_of(const ResultTable& table, const std::vector<std::string>& record, int every,
                    const std::string& key = "--record");

/// Of all numbers but the time.
std::vector<Extremum> extrema_of(const ResultTable& table);

/// Writes a file as Hdf5Writer does, or as CsvWriter does where the name ends in `.csv` (with a line of units where
/// they are asked for), or JSON. Throws ModelError at `key` if it cannot be written.
void write_result(const ResultTable& table, const std::string& path, const std::string& key = "--out",
                  bool units = false);

/// Gathers a run. The ledger is put in by whoever knows how the run ended.
class TableKeeper : public RunListener {
 public:
  /// `settings` is a JSON text.
  TableKeeper(const Model& model, std::string settings);

  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;

  ResultTable& table() { return table_; }
  const Observation& last() const { return last_; }  ///< that was recorded

 private:
  ResultTable table_;
  Manifest manifest_;
  RecordRow row_;
  Observation last_;
};

}  // namespace torsor
