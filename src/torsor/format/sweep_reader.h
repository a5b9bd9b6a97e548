#pragma once
// From a sweep file to what a sweep is. Complaints are those of model files: file, line, key path, expected, found.

#include <string>

#include "torsor/format/model_variants.h"
#include "torsor/study/sweep_description.h"

namespace torsor {

struct SweepSource {
  SweepDescription description;
  ModelSource model;  ///< with the overrides of the sweep file
  std::string file, text;

  /// The models of its runs.
  ModelVariants variants() const;
};

/// A sweep file; its model is a gallery name, or a path from the folder of the sweep file.
SweepSource read_sweep(const std::string& path);
/// The same of a text that stands in such a file.
SweepSource sweep_of_text(const std::string& text, const std::string& file_name);
/// Of a text whose model has been read already, and which names none.
SweepSource sweep_of_text(const std::string& text, const std::string& file_name, ModelSource model);

}  // namespace torsor
