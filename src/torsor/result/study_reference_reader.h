#pragma once
// A result file as what a study measures against.

#include <string>

#include "torsor/model/model.h"
#include "torsor/study/study_reference.h"

namespace torsor {

/// The states of the bodies in an HDF5 result file. Throws ModelError where it has not the model's bodies.
StudyReference read_reference(const std::string& path, const Model& model);

}  // namespace torsor
