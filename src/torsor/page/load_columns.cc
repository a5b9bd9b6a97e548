#include "torsor/page/load_columns.h"

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/hdf5_id.h"

namespace torsor {

std::vector<LoadColumn> load_columns(const std::string& model_text, const std::vector<double>& times) {
  if (model_text.find("loads") == std::string::npos) return {};
  std::vector<LoadColumn> columns;
  try {
    const ModelDescription model = parse_description(recorded_source(model_text));
    for (const Load& load : model.loads) {
      const bool force = load.kind == Load::Kind::force;
      LoadColumn column{hdf5_path({"loads", load.name, force ? "force" : "moment"}), force ? "N" : "N m", {}};
      for (const double t : times) {
        for (const Program& component : load.components) column.values.push_back(component.value(t));
      }
      columns.push_back(std::move(column));
    }
  } catch (const ModelError&) {
    return {};
  }
  return columns;
}

}  // namespace torsor
