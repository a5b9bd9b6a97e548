#pragma once
// Reads a result file back: datasets by path, attributes of the root.

#include <string>
#include <vector>

#include "torsor/result/hdf5_id.h"

namespace torsor {

class Hdf5Reader {
 public:
  /// Throws ModelError if the file cannot be opened.
  explicit Hdf5Reader(const std::string& path);

  struct Table {
    int rows = 0, columns = 1;
    std::vector<double> values;  ///< row by row
    std::string unit;
    std::vector<std::string> components;  ///< `x`, `y`; empty for single numbers and in older files
    bool integral = false;                ///< counts
    double at(int row, int column = 0) const { return values[std::size_t(row) * columns + column]; }
  };
  /// `energy/total`, `bodies/link1/com`. Throws ModelError where there is none, or more than the file can hold.
  Table table(const std::string& dataset) const;
  int rows(const std::string& dataset) const;
  int columns(const std::string& dataset) const;
  bool has_attribute(const std::string& name) const;
  std::string attribute(const std::string& name) const;  ///< empty where it is no text
  /// Members of a group, in alphabetical order; `/` for the root.
  std::vector<std::string> members(const std::string& group) const;
  /// The paths of all datasets but checkpoints, in alphabetical order: `bodies/link1/com`.
  std::vector<std::string> datasets() const;

 private:
  struct Opened {
    Hdf5Id id;
    int rows = 0, columns = 1;
  };
  Opened open(const std::string& dataset) const;

  std::string path_;
  Hdf5Id file_;
};

}  // namespace torsor
