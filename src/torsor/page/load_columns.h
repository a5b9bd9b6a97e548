#pragma once
// The forces and moments that loads have at the times of a record: programs of time, which no record holds.

#include <string>
#include <utility>
#include <vector>

namespace torsor {

/// `loads/NAME/force` or `loads/NAME/moment`, three numbers a time. Nothing where the text is no model that can be read
/// here: one that was made in code, or whose meshes are elsewhere.
struct LoadColumn {
  std::string dataset, unit;
  std::vector<double> values;
};
std::vector<LoadColumn> load_columns(const std::string& model_text, const std::vector<double>& times);

}  // namespace torsor
