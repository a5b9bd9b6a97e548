#include "torsor/result/hdf5_reader.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// A file as others write it, removed at the end.
class Hdf5ReaderOfOthers : public testing::Test {
 protected:
  Hdf5ReaderOfOthers()
      : path_(testing::TempDir() + "torsor-" + testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".h5"),
        file_(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
    silence_hdf5();
  }
  ~Hdf5ReaderOfOthers() override { std::filesystem::remove(path_); }

  void write_text(const char* name, const std::string& text, std::size_t size, H5T_str_t padding) {
    const Hdf5Id type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
    H5Tset_size(type.get(), size);
    H5Tset_strpad(type.get(), padding);
    std::string bytes = text;
    bytes.resize(size, padding == H5T_STR_SPACEPAD ? ' ' : '\0');
    write_attribute(name, type, space, bytes.data());
  }
  void write_attribute(const char* name, const Hdf5Id& type, const Hdf5Id& space, const void* data) {
    const Hdf5Id attribute(H5Acreate2(file_.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Awrite(attribute.get(), type.get(), data), 0);
  }
  /// In chunks of which none is written.
  void make_dataset(const char* name, const std::vector<hsize_t>& size, hid_t type = H5T_IEEE_F64LE) {
    const int rank = static_cast<int>(size.size());
    const Hdf5Id layout(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(rank, size.data(), nullptr));
    const std::array<hsize_t, 3> chunk{1, 1, 1};
    if (rank > 0) H5Pset_chunk(layout.get(), rank, chunk.data());
    const Hdf5Id data(
        H5Dcreate2(file_.get(), name, type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT));
    ASSERT_TRUE(data);
  }
  Hdf5Reader reader() {
    file_.close();
    return Hdf5Reader(path_);
  }

  std::string path_;
  Hdf5Id file_;
};

TEST_F(Hdf5ReaderOfOthers, TextsOfFixedLength) {
  const std::string longest(60000, 'x');
  write_text("short", "pendulum", 8, H5T_STR_NULLPAD);  // no room for an end
  write_text("padded", "two rods", 20, H5T_STR_SPACEPAD);
  write_text("ended", "a", 64, H5T_STR_NULLTERM);
  write_text("longest", longest, longest.size(), H5T_STR_NULLPAD);
  const Hdf5Reader file = reader();
  EXPECT_EQ(file.attribute("short"), "pendulum");
  EXPECT_EQ(file.attribute("padded"), "two rods");
  EXPECT_EQ(file.attribute("ended"), "a");
  EXPECT_EQ(file.attribute("longest"), longest);
  EXPECT_EQ(file.attribute("missing"), "");
}

TEST_F(Hdf5ReaderOfOthers, WhatIsNoTextIsNone) {
  const Hdf5Id text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text.get(), H5T_VARIABLE);
  const hsize_t many = 100;
  const std::vector<const char*> texts(many, "one of many");
  const std::vector<double> numbers(many, 7);
  write_attribute("texts", text, Hdf5Id(H5Screate_simple(1, &many, nullptr)), texts.data());
  write_attribute("numbers", Hdf5Id(H5Tcopy(H5T_IEEE_F64LE)), Hdf5Id(H5Screate_simple(1, &many, nullptr)),
                  numbers.data());
  const Hdf5Reader file = reader();
  EXPECT_EQ(file.attribute("texts"), "");
  EXPECT_EQ(file.attribute("numbers"), "");
}

TEST_F(Hdf5ReaderOfOthers, SizesThatTheFileCannotHoldAreRefused) {
  const hsize_t huge = hsize_t(1) << 40;
  make_dataset("long", {huge});
  make_dataset("wide", {3, huge});
  make_dataset("both", {huge, hsize_t(1) << 30});  // 2^70 numbers: as many as none, counted in 64 bits
  make_dataset("none", {0, hsize_t(1) << 20});
  make_dataset("deep", {1, 1, 1});
  const Hdf5Reader file = reader();
  for (const char* name : {"long", "wide", "both", "deep", "missing"}) {
    EXPECT_THROW(file.table(name), ModelError) << name;
    EXPECT_THROW(file.rows(name), ModelError) << name;
    EXPECT_THROW(file.columns(name), ModelError) << name;
  }
  EXPECT_EQ(file.table("none").rows, 0);
}

TEST_F(Hdf5ReaderOfOthers, ScalarsAndTextsAreNoTables) {
  make_dataset("scalar", {});
  const Hdf5Id text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text.get(), 40);
  make_dataset("texts", {5}, text.get());
  make_dataset("whole", {5}, H5T_STD_I32LE);
  const Hdf5Reader file = reader();
  EXPECT_EQ(file.table("scalar").rows, 0);
  EXPECT_THROW(file.table("texts"), ModelError);
  EXPECT_EQ(file.table("whole").values, std::vector<double>(5, 0));
}

/// Every file that is cut short is refused or read within its bounds.
TEST_F(Hdf5ReaderOfOthers, FilesThatAreCutShort) {
  write_text("version", "1", 40, H5T_STR_NULLTERM);
  make_dataset("time", {2});
  file_.close();
  std::ifstream stream(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, length);
    try {
      const Hdf5Reader file(path_);
      file.attribute("version");
      file.table("time");
    } catch (const ModelError&) {
    }
  }
}

}  // namespace
}  // namespace torsor
