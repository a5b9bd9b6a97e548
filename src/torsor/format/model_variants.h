#pragma once
// One model file with other numbers in it, again and again: only the sections that change are read anew.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "torsor/format/model_reader.h"

namespace torsor {

/// A place of the file whose value varies.
struct VariedValue {
  std::string path;                ///< `tendons.biarticular.stiffness`
  std::vector<std::string> items;  ///< YAML texts of which one comes there; none: a number [SI]
};

/// Belongs to one thread; a copy is independent.
class ModelVariants {
 public:
  /// Throws ModelError where the file has no such place, and on all that does not depend on the values.
  ModelVariants(const ModelSource& source, std::vector<VariedValue> values);
  ModelVariants(const ModelVariants& other);
  ~ModelVariants();

  /// With these values, in the order of the places; where there are items the index of one. Throws ModelError.
  Model model(std::span<const double> values);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace torsor
