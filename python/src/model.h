#pragma once
// What Python holds of a model.

#include "torsor/format/model_reader.h"
#include "torsor/model/model.h"

namespace torsor::python {

struct PyModel {
  explicit PyModel(const ModelSource& source) : model(parse_model(source)), imported(source.report) {}

  Model model;            ///< immutable: shared by threads without a lock
  ImportReport imported;  ///< of a file in another format
};

}  // namespace torsor::python
