#pragma once
// Numbers as text: base64 (RFC 4648) of their bytes, least significant first, as typed arrays of a browser
// have them.

#include <cstdint>
#include <span>
#include <string>

namespace torsor {

std::string base64(std::span<const std::uint8_t> bytes);

std::string base64_float64(std::span<const double> values);
/// Rounded to single precision; what lies beyond its range becomes its largest number.
std::string base64_float32(std::span<const double> values);
std::string base64_int32(std::span<const std::int32_t> values);

}  // namespace torsor
