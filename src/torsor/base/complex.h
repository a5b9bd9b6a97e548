#pragma once
// Complex numbers for inner loops: std::complex checks every product for infinities, which costs a branch
// and keeps it from SIMD.

namespace torsor {

struct Complex {
  double re = 0, im = 0;

  constexpr Complex() = default;
  constexpr Complex(double real, double imaginary = 0) : re(real), im(imaginary) {}

  friend constexpr Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend constexpr Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend constexpr Complex operator-(const Complex& a) { return {-a.re, -a.im}; }
  friend constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend constexpr Complex operator*(double s, const Complex& a) { return {s * a.re, s * a.im}; }
  friend constexpr Complex operator*(const Complex& a, double s) { return s * a; }
  friend constexpr Complex operator/(double s, const Complex& a) {
    const double scale = s / (a.re * a.re + a.im * a.im);
    return {scale * a.re, -scale * a.im};
  }
  constexpr Complex& operator+=(const Complex& a) { return *this = *this + a; }
  constexpr Complex& operator-=(const Complex& a) { return *this = *this - a; }
};

}  // namespace torsor
