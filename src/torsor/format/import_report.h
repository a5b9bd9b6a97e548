#pragma once
// What became of a model in another format: how it is to be read, and what was converted, approximated and left out, line by line.

#include <string>
#include <vector>

namespace torsor {

struct ImportOptions {
  bool strict = false;                 ///< what is approximated or left out is an error
  std::vector<std::string> allowed{};  ///< names of import_allowances(): left out although the motion changes
  bool floating_base = false;          ///< URDF: the root link floats; otherwise it is fixed to the world
  bool limits = false;                 ///< URDF: position limits act as stops
  bool meshes = true;                  ///< whether meshes that are only drawn are read
  std::vector<std::string> package_path{};  ///< folders in which `package://NAME/..` is looked for first
  std::string keyframe{};      ///< MJCF: the one to start from; empty: the reference configuration
  bool files_outside = false;  ///< files may lie outside of the folder of the one that names them

  friend bool operator==(const ImportOptions&, const ImportOptions&) = default;
};

/// What changes the motion of the mechanism itself, without contact, is an error unless it is allowed by its name.
struct ImportAllowance {
  const char *name, *what;
};
const std::vector<ImportAllowance>& import_allowances();

enum class Conversion { converted, approximated, left_out };
const char* name_of(Conversion);

struct ImportRow {
  Conversion how = Conversion::converted;
  std::string file;
  int line = 0;
  std::string what;  ///< the kind of thing, the same for all alike: `collision geometry`
  std::string why;   ///< what it became, or why it could not be converted
};

struct ImportReport {
  std::string format;  ///< `URDF`, `MJCF`; empty for a model file of our own
  std::vector<ImportRow> rows;
  std::vector<std::string> files;  ///< read beside the one that was named: included ones, meshes

  bool empty() const { return format.empty(); }
};

/// The rows as a table, those alike in one line with their lines in the file: what `torsor check` prints.
std::string import_table(const ImportReport& report);

}  // namespace torsor
