#pragma once
// What the runs of a study are measured against.

#include <string>

#include "torsor/study/study_run.h"

namespace torsor {

struct StudyReference {
  std::string what;  ///< the method, or the file
  StudyRun run;
  /// Of a computed one: with what it was made; of a file the names are empty.
  StepperChoice choice = {};
  double step = 0;             ///< [s]; of an adaptive method what lies between two states
  StateError trusted_to = {};  ///< by how far it moves when it is computed less finely; of a file unknown, 0
};

/// Of a tree, joint + dopri5 at a tight tolerance; of others, or where that fails, the method of highest
/// order that can simulate the model, with this step (a sixteenth of it for order 2). Throws ModelError if
/// there is none. Its two runs go on two threads where there are as many.
StudyReference make_reference(const StudySubject& subject, const StudyGrid& grid, double step,
                              const StudyProgress& progress = {}, int threads = 1);

}  // namespace torsor
