#pragma once
// MODEL and --set, which most verbs take.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/verbs.h"
#include "torsor/format/model_reader.h"
#include "torsor/model/model.h"

namespace torsor {

class ModelArgument {
 public:
  using Overrides = std::vector<std::pair<std::string, std::string>>;

  void add_to(CLI::App& verb);
  /// Reads the model with the overrides of --set, then those given here, and hands it on. A complaint about
  /// the model that comes up only in its use gets file and line as those of the reader do.
  Status use(const Overrides& further, const std::function<Status(const Model&)>& action) const;
  /// With what was converted from another format, too.
  Status use(const Overrides& further,
             const std::function<Status(const Model&, const ImportReport&)>& action) const;
  /// What it is read from.
  ModelSource source(const Overrides& further) const;

 private:
  std::string model_;
  std::vector<std::string> assignments_;
  ImportOptions import_;
};

/// How files of other formats are read.
void add_import_options(CLI::App& verb, ImportOptions& options);

}  // namespace torsor
