#include "torsor/result/hdf5_reader.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_id.h"

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
  EXPECT_EQ(file.text("short"), "pendulum");
  EXPECT_EQ(file.text("padded"), "two rods");
  EXPECT_EQ(file.text("ended"), "a");
  EXPECT_EQ(file.text("longest"), longest);
  EXPECT_EQ(file.text("missing"), "");
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
  EXPECT_EQ(file.text("texts"), "");
  EXPECT_EQ(file.text("numbers"), "");
}

TEST_F(Hdf5ReaderOfOthers, SizesThatTheFileCannotHoldAreRefused) {
  const hsize_t huge = hsize_t(1) << 40;
  make_dataset("long", {huge});
  make_dataset("wide", {3, huge});
  make_dataset("both", {huge, hsize_t(1) << 30});  // 2^70 numbers: as many as none, counted in 64 bits
  make_dataset("none", {0, hsize_t(1) << 20});
  make_dataset("deep", {1, 1, 1});
  make_dataset("empty", {1000, 0});  // whose first number others would ask for
  const Hdf5Reader file = reader();
  for (const char* name : {"long", "wide", "both", "deep", "empty", "missing"}) {
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

/// Texts of older files, in HDF5's own heap.
TEST_F(Hdf5ReaderOfOthers, TextsOfAnyLength) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
  H5Tset_size(type.get(), H5T_VARIABLE);
  const std::string long_text(300000, 'y');
  for (const auto& [name, text] :
       {std::pair{"model", &long_text}, std::pair{"version", &std::as_const(path_)}}) {
    const char* content = text->c_str();
    write_attribute(name, type, space, &content);
  }
  const Hdf5Reader file = reader();
  EXPECT_EQ(file.text("model"), long_text);
  EXPECT_EQ(file.text("version"), path_);
}

/// Numbers as other programs keep them: packed, shuffled, with sums, in single precision, the other way round.
TEST_F(Hdf5ReaderOfOthers, NumbersInEveryForm) {
  constexpr hsize_t kRows = 300, kColumns = 3;
  std::vector<double> numbers(kRows * kColumns);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::floor(1e4 * std::sin(double(i)));
  const std::array<hsize_t, 2> size{kRows, kColumns}, chunk{64, 2};
  const Hdf5Id space(H5Screate_simple(2, size.data(), nullptr));
  const auto write = [&](const char* name, hid_t type, const Hdf5Id& layout) {
    const Hdf5Id data(
        H5Dcreate2(file_.get(), name, type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  };
  const auto layout = [&] {
    Hdf5Id list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list.get(), 2, chunk.data());
    return list;
  };
  const Hdf5Id plain(H5Pcreate(H5P_DATASET_CREATE)), inside(H5Pcreate(H5P_DATASET_CREATE)),
      chunks = layout(), packed = layout(), shuffled = layout(), summed = layout();
  H5Pset_layout(inside.get(), H5D_COMPACT);
  H5Pset_deflate(packed.get(), 6);
  H5Pset_shuffle(shuffled.get());
  H5Pset_deflate(shuffled.get(), 6);
  H5Pset_fletcher32(summed.get());
  H5Pset_deflate(summed.get(), 6);
  write("plain", H5T_IEEE_F64LE, plain);
  write("inside", H5T_IEEE_F64LE, inside);
  write("chunks", H5T_IEEE_F64LE, chunks);
  write("packed", H5T_IEEE_F64LE, packed);
  write("shuffled", H5T_IEEE_F64LE, shuffled);
  write("summed", H5T_IEEE_F64LE, summed);
  write("single", H5T_IEEE_F32BE, chunks);
  write("whole", H5T_STD_I16BE, packed);
  const Hdf5Reader file = reader();
  for (const char* name : {"plain", "inside", "chunks", "packed", "shuffled", "summed", "single", "whole"}) {
    const Hdf5Reader::Table table = file.table(name);
    EXPECT_EQ(table.rows, 300) << name;
    EXPECT_EQ(table.values, numbers) << name;
  }
}

std::string fault_of(const Hdf5Reader& file, const char* name) {
  try {
    file.table(name);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

/// Other files are never opened: red with libhdf5, which hands out what they hold.
TEST_F(Hdf5ReaderOfOthers, DataElsewhereAreRefused) {
  const std::string secret = path_ + ".secret";
  std::ofstream(secret) << std::string(800, 's');
  const hsize_t size = 100;
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr)), outside(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_external(outside.get(), secret.c_str(), 0, 800);
  Hdf5Id data(
      H5Dcreate2(file_.get(), "time", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, outside.get(), H5P_DEFAULT));
  ASSERT_TRUE(data);
  data.close();
  EXPECT_NE(fault_of(reader(), "time").find("a dataset in another file"), std::string::npos);
  std::filesystem::remove(secret);
}

TEST_F(Hdf5ReaderOfOthers, LinksAreRefused) {
  ASSERT_GE(H5Lcreate_soft("/elsewhere", file_.get(), "time", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_NE(fault_of(reader(), "time").find("a link at 'time'"), std::string::npos);
}

TEST_F(Hdf5ReaderOfOthers, LinksIntoOtherFilesAreRefused) {
  ASSERT_GE(H5Lcreate_external("other.h5", "/time", file_.get(), "time", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_THROW(reader().table("time"), ModelError);
}

TEST_F(Hdf5ReaderOfOthers, VirtualDatasetsAreRefused) {
  const hsize_t size = 4;
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr)), layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_virtual(layout.get(), space.get(), "other.h5", "/time", space.get());
  Hdf5Id data(
      H5Dcreate2(file_.get(), "time", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT));
  ASSERT_TRUE(data);
  data.close();
  EXPECT_NE(fault_of(reader(), "time").find("a virtual dataset"), std::string::npos);
}

/// 80 kB that unpack to 80 MB.
TEST_F(Hdf5ReaderOfOthers, WhatUnpacksToTooMuchIsRefused) {
  const std::array<hsize_t, 1> size{10'000'000}, chunk{5'000'000};
  const Hdf5Id space(H5Screate_simple(1, size.data(), nullptr)), layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(layout.get(), 1, chunk.data());
  H5Pset_deflate(layout.get(), 9);
  Hdf5Id data(
      H5Dcreate2(file_.get(), "time", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT));
  const std::vector<double> zeros(size[0]);
  ASSERT_GE(H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), 0);
  data.close();
  EXPECT_NE(fault_of(reader(), "time").find("64 MB and 32 times its size"), std::string::npos);
}

/// 320 MB of which the disk holds a few kB: a hole is no size.
TEST_F(Hdf5ReaderOfOthers, HolesInAFileAreNotItsSize) {
  const std::array<hsize_t, 1> size{40'000'000};
  const Hdf5Id space(H5Screate_simple(1, size.data(), nullptr)), layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
  Hdf5Id data(
      H5Dcreate2(file_.get(), "time", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT));
  ASSERT_TRUE(data);
  data.close();
  EXPECT_NE(fault_of(reader(), "time").find("64 MB and 32 times its size"), std::string::npos);
}

TEST(Hdf5ReaderOfNoFile, FoldersAndDevicesAreRefused) {
  for (const char* path : {"/", "/dev/zero", "/dev/null", "/nowhere"}) {
    EXPECT_THROW(Hdf5Reader{path}, ModelError) << path;
  }
}

/// Bytes changed anywhere: an error or other numbers, never a crash. Under the address sanitizer it says more; tools/fuzz
/// goes further.
TEST_F(Hdf5ReaderOfOthers, BytesThatAreChanged) {
  write_text("version", "1", 40, H5T_STR_NULLTERM);
  const Hdf5Id type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
  H5Tset_size(type.get(), H5T_VARIABLE);
  const char* content = "in the heap";
  write_attribute("model", type, space, &content);
  make_dataset("time", {40});
  ASSERT_TRUE(write_hdf5_text_dataset(file_, "text/scene", "{}"));
  file_.close();
  std::ifstream stream(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    for (int k = 0; k < 1 + i % 4; ++k) {
      const int how = static_cast<int>(random() % 3);
      char& one = bytes[random() % bytes.size()];
      one = how == 0   ? static_cast<char>(one ^ (1 << random() % 8))
            : how == 1 ? '\xff'
                       : static_cast<char>(random());
    }
    std::ofstream(path_, std::ios::binary) << bytes;
    try {
      const Hdf5Reader file(path_);
      for (const std::string& name : file.datasets()) file.table(name);
      for (const char* name : {"version", "model", "scene"}) file.text(name);
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

/// Every file that is cut short is refused, or, where what is lost may read as zeros, read within its bounds.
TEST_F(Hdf5ReaderOfOthers, FilesThatAreCutShort) {
  write_text("version", "1", 40, H5T_STR_NULLTERM);
  make_dataset("time", {2});
  file_.close();
  std::ifstream stream(path_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, length);
    EXPECT_THROW(Hdf5Reader{path_}, ModelError) << length;
    try {
      const Hdf5Reader file(path_, true);
      file.text("version");
      EXPECT_EQ(file.table("time").values, std::vector<double>(2, 0));
    } catch (const ModelError&) {
      // Its structure is lost.
    }
  }
}

}  // namespace
}  // namespace torsor
