#pragma once
// Every kind of element alone on two bodies, and all of them together: for tests that go over elements.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor::testing {

struct ElementCase {
  std::string name;
  ModelDescription model;
  bool smooth = true;  ///< forces have derivatives, so that methods keep their orders
};
void PrintTo(const ElementCase& c, std::ostream* out);

/// In the plane and in space.
std::vector<ElementCase> element_cases();
std::vector<ElementCase> smooth_element_cases();

/// Two free bodies, which turn and drift apart.
ModelDescription two_bodies(int dimension);

}  // namespace torsor::testing
