#pragma once
// A number that counts what is done with it: the templates of tree/, instantiated with it, count their own
// operations. Products with constants of the model count too; negations, copies and comparisons do not.

#include <cmath>

namespace torsor {

struct Operations {
  long multiplications = 0, additions = 0,
       sines = 0;  ///< subtractions among additions; a sine with its cosine
};

struct Counted {
  inline static thread_local Operations operations;
  double value = 0;

  Counted() = default;
  Counted(double v) : value(v) {}

  friend Counted operator+(Counted a, Counted b) { return ++operations.additions, a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return ++operations.additions, a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return ++operations.multiplications, a.value * b.value; }
  friend Counted operator-(Counted a) { return -a.value; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  friend void sincos(Counted a, Counted& sine, Counted& cosine) {
    ++operations.sines;
    sine = std::sin(a.value);
    cosine = std::cos(a.value);
  }
};

}  // namespace torsor
