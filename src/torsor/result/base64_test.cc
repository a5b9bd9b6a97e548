#include "torsor/result/base64.h"

#include <gtest/gtest.h>

#include <vector>

namespace torsor {
namespace {

std::string encoded(const std::string& text) {
  return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(Base64, VectorsOfRfc4648) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, NumbersStandLeastSignificantByteFirst) {
  EXPECT_EQ(base64_float64(std::vector<double>{1}), "AAAAAAAA8D8=");
  EXPECT_EQ(base64_float32(std::vector<double>{1}), "AACAPw==");
  EXPECT_EQ(base64_int32(std::vector<std::int32_t>{1}), "AQAAAA==");
}

TEST(Base64, SinglePrecisionHasNoInfinity) {
  EXPECT_EQ(base64_float32(std::vector<double>{1e300}), "//9/fw==");
  EXPECT_EQ(base64_float32(std::vector<double>{-1e300}), "//9//w==");
}

}  // namespace
}  // namespace torsor
