#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <filesystem>
#include <utility>

#include "torsor/result/csv_text.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/result/hdf5_memory.h"
#include "torsor/result/journaled_file.h"
#include "torsor/result/json_table.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_place.h"
#include "torsor/result/result_table.h"

namespace torsor {
namespace {

void write_hdf5(const ResultTable& table, const std::string& path, const std::string& key) {
  const auto require_memory = [&] { require_hdf5_memory(table.datasets.size(), path, key); };
  ResultPlace place(path, key);
  require_memory();
  silence_hdf5();
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS)), links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_file_locking(access.get(), false, true);
  set_journaled_access(access);
  H5Pset_create_intermediate_group(links.get(), 1);
  Hdf5Id file(H5Fcreate(place.working().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  if (!file) throw unwritable(path, "HDF5 cannot create it", key);
  bool whole = true;
  std::string order;
  for (const ResultDataset& dataset : table.datasets) order.append(dataset.path).append("\n");
  for (const auto& [name, text] :
       {std::pair{"model", &table.model}, std::pair{"scene", &table.scene},
        std::pair{"settings", &table.settings}, std::pair{"version", &table.version},
        std::pair{"ledger", &table.ledger}, std::pair{"channels", &std::as_const(order)}}) {
    whole = whole && write_result_text(file, name, *text);
  }
  std::size_t written = 0;
  for (const ResultDataset& dataset : table.datasets) {
    if (written++ % kLookEvery == 0) require_memory();
    const std::array<hsize_t, 2> size{table.rows, dataset.width()};
    const Hdf5Id space(H5Screate_simple(dataset.width() == 1 ? 1 : 2, size.data(), nullptr));
    const Hdf5Id data(H5Dcreate2(file.get(), dataset.path.c_str(),
                                 dataset.integral ? H5T_STD_I32LE : H5T_IEEE_F64LE, space.get(), links.get(),
                                 H5P_DEFAULT, H5P_DEFAULT));
    whole = whole && data && write_hdf5_text(data, "unit", dataset.unit) &&
            (dataset.width() == 1 ||
             write_hdf5_text(data, "components", fmt::format("{}", fmt::join(dataset.components, ", ")))) &&
            (dataset.values.empty() || H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                dataset.values.data()) >= 0);
  }
  require_memory();
  whole = whole && H5Fflush(file.get(), H5F_SCOPE_LOCAL) >= 0;
  if (!file.close() || !whole) throw write_failed(path, "HDF5 cannot finish it (disk full?)", key);
  place.settle();
}

void write_csv(const ResultTable& table, const std::string& path, const std::string& key, bool units) {
  std::vector<Channel> channels;
  for (const ResultDataset& dataset : table.datasets) channels.push_back(channel_of(dataset));
  std::string text = csv_header(channels, units);
  std::vector<double> row;
  std::vector<char> line;
  for (std::size_t i = 0; i < table.rows; ++i) {
    table.row(i, row);
    text.append(csv_line(row, line));
  }
  write_text_file(path, text, key);
}

}  // namespace

void write_result(const ResultTable& table, const std::string& path, const std::string& key, bool units) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return write_hdf5(table, path, key);
  if (ending == ".csv") return write_csv(table, path, key, units);
  if (ending == ".json") return write_text_file(path, table_json(table), key);
  throw ModelError(key, "a file that ends in .h5, .csv or .json", "'" + path + "'");
}

}  // namespace torsor
