#pragma once
// Reads a result file back: datasets by path, and the texts beside them. The file may be anybody's: hdf5_object.h says how
// it is kept at bay.

#include <memory>
#include <string>
#include <vector>

namespace torsor {

class Hdf5File;

class Hdf5Reader {
 public:
  /// Throws ModelError if the file cannot be opened. What damaged files have lost at their end is a fault, or reads as zeros.
  explicit Hdf5Reader(const std::string& path, bool lenient = false);
  Hdf5Reader(Hdf5Reader&&) noexcept;
  ~Hdf5Reader();

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
  /// `model`, `ledger`: datasets of the group `text`, in older files attributes of the root.
  bool has_text(const std::string& name) const;
  std::string text(const std::string& name) const;  ///< empty where it is none
  /// Members of a group, in alphabetical order; `/` for the root.
  std::vector<std::string> members(const std::string& group) const;
  /// The paths of all datasets but texts and checkpoints, in alphabetical order: `bodies/link1/com`.
  std::vector<std::string> datasets() const;
  const Hdf5File& file() const { return *file_; }  ///< for sources only

 private:
  std::unique_ptr<Hdf5File> file_;
};

}  // namespace torsor
