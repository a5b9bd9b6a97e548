#include "torsor/result/base64.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace torsor {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class T>
std::string encode(std::span<const T> values) {
  return base64({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string base64_float64(std::span<const double> values) { return encode(values); }

std::string base64_float32(std::span<const double> values) {
  constexpr double most = std::numeric_limits<float>::max();
  std::vector<float> rounded;
  rounded.reserve(values.size());
  for (double value : values) rounded.push_back(static_cast<float>(std::clamp(value, -most, most)));
  return encode(std::span<const float>(rounded));
}

std::string base64_int32(std::span<const std::int32_t> values) { return encode(values); }

}  // namespace torsor
