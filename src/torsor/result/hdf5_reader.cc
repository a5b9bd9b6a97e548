#include "torsor/result/hdf5_reader.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include "torsor/base/error.h"
#include "torsor/result/journaled_file.h"

namespace torsor {
namespace {

/// Of a list with commas.
std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(", ", at), list.size());
    all.push_back(list.substr(at, end - at));
    at = end + 2;
  }
  return all;
}

/// Numbers a byte of the file, at the most: the best of deflate's compressions.
constexpr double kDensest = 1032;

}  // namespace

Hdf5Reader::Hdf5Reader(const std::string& path) : path_(path) {
  silence_hdf5();
  finish_journal(path);
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.get(), false, true);
  file_ = Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
  if (!file_) throw ModelError("", "a result file (HDF5)", "none that can be opened", path);
}

Hdf5Reader::Opened Hdf5Reader::open(const std::string& dataset) const {
  Opened opened{Hdf5Id(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT))};
  if (!opened.id) throw ModelError(dataset, "a dataset of the result file", "none", path_);
  const Hdf5Id space(H5Dget_space(opened.id.get()));
  if (H5Sget_simple_extent_ndims(space.get()) > 2)
    throw ModelError(dataset, "one or two axes", "more", path_);
  std::array<hsize_t, 2> size{0, 1};
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  hsize_t bytes = 0;
  H5Fget_filesize(file_.get(), &bytes);
  const double most = std::min<double>(INT_MAX, kDensest * static_cast<double>(bytes));
  const auto [rows, columns] = std::array{static_cast<double>(size[0]), static_cast<double>(size[1])};
  if (rows > most || columns > most || rows * columns > most) {
    throw ModelError(dataset, "a table that the file can hold",
                     fmt::format("{} x {} numbers", size[0], size[1]), path_);
  }
  opened.rows = static_cast<int>(size[0]);
  opened.columns = static_cast<int>(size[1]);
  return opened;
}

int Hdf5Reader::rows(const std::string& dataset) const { return open(dataset).rows; }
int Hdf5Reader::columns(const std::string& dataset) const { return open(dataset).columns; }

Hdf5Reader::Table Hdf5Reader::table(const std::string& dataset) const {
  const auto [data, rows, columns] = open(dataset);
  Table table{rows,
              columns,
              std::vector<double>(std::size_t(rows) * columns),
              hdf5_text(Hdf5Id(H5Aopen(data.get(), "unit", H5P_DEFAULT))),
              parts(hdf5_text(Hdf5Id(H5Aopen(data.get(), "components", H5P_DEFAULT)))),
              H5Tget_class(Hdf5Id(H5Dget_type(data.get())).get()) == H5T_INTEGER};
  if (!table.values.empty() &&
      H5Dread(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.values.data()) < 0) {
    throw ModelError(dataset, "numbers that can be read", "a damaged dataset", path_);
  }
  return table;
}

bool Hdf5Reader::has_attribute(const std::string& name) const {
  return H5Aexists(file_.get(), name.c_str()) > 0;
}

std::string Hdf5Reader::attribute(const std::string& name) const {
  return hdf5_text(Hdf5Id(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT)));
}

std::vector<std::string> Hdf5Reader::members(const std::string& group) const {
  const Hdf5Id opened(H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT));
  if (!opened) throw ModelError(group, "a group of the result file", "none", path_);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* target) -> herr_t {
    static_cast<std::vector<std::string>*>(target)->push_back(name);
    return 0;
  };
  H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  return names;
}

std::vector<std::string> Hdf5Reader::datasets() const {
  std::vector<std::string> paths;
  const auto collect = [](hid_t, const char* path, const H5O_info_t* info, void* target) -> herr_t {
    if (info->type == H5O_TYPE_DATASET && !std::string_view(path).starts_with("checkpoint/")) {
      static_cast<std::vector<std::string>*>(target)->push_back(path);
    }
    return 0;
  };
  H5Ovisit2(file_.get(), H5_INDEX_NAME, H5_ITER_INC, collect, &paths, H5O_INFO_BASIC);
  return paths;
}

}  // namespace torsor
