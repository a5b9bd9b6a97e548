#pragma once
// What all targets hold: a call ends in data, or in a ModelError that says what was expected and found.

#include <cstdlib>

#include "torsor/base/error.h"

template <class Call>
void attempt(const Call& call) {
  try {
    call();
  } catch (const torsor::ModelError& error) {
    if (error.expected.empty() || error.found.empty()) std::abort();
  }
}
