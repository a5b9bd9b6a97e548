#pragma once
// What Python holds of a model.

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "torsor/format/model_reader.h"
#include "torsor/model/model.h"

namespace torsor::python {

struct PyModel {
  /// `read`: files that the text was made of.
  explicit PyModel(Model built, ImportReport report = {}, std::vector<std::string> read = {});

  Model model;                     ///< immutable: shared by threads without a lock
  ImportReport imported;           ///< of a file in another format
  std::vector<std::string> files;  ///< that nobody writes over, wherever the program goes from here
};

/// A law of one's own as Law.compiled() of torsor/_laws.py has it, with names instead of indices.
struct NamedLaw {
  OwnLaw law;
  std::optional<std::string> joint, tendon;
  PointLaw point_law;                ///< instead, where it is one
  std::optional<std::string> point;  ///< on which that acts
};
/// Functions of Python, which hold the interpreter's lock while they are called.
std::vector<NamedLaw> read_laws(const nanobind::list& laws);
/// The model of the text with the laws.
Model model_with_laws(const ModelSource& source, const std::vector<NamedLaw>& laws);

}  // namespace torsor::python
