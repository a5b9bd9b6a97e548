#include "torsor/result/hdf5_writer.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "torsor/result/json_ledger.h"
#include "torsor/result/json_scene.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr double kBlockBytes = 8e6;  ///< of all datasets together
constexpr int kMostRows = 8192, kFewestRows = 16;
constexpr double kChunksInAll = 60;  ///< wished for: beyond 64 the index of chunks grows by nodes
constexpr double kReserveBytes = 32e6;

/// File structure stays in memory until a flush (no evictions), no lock keeps readers out, and blocks go
/// straight to the disk instead of through a cache for each dataset.
Hdf5Id file_access() {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access.get(), &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access.get(), &cache);
  H5Pset_file_locking(access.get(), false, true);
  H5Pset_cache(access.get(), 0, 1, 0, 0.0);
  return access;
}

/// A dataset without a name, whose room is taken from the file at once.
Hdf5Id allocate_anonymous(const Hdf5Id& file, double bytes) {
  const hsize_t size = static_cast<hsize_t>(bytes);
  const Hdf5Id space(H5Screate_simple(1, &size, nullptr)), layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
  return Hdf5Id(H5Dcreate_anon(file.get(), H5T_STD_U8LE, space.get(), layout.get(), H5P_DEFAULT));
}

/// Files list their datasets by name alone.
std::string hdf5_order(const std::vector<Channel>& channels) {
  std::string order;
  for (const Channel& channel : channels) order.append(hdf5_path(channel.path)).append("\n");
  return order;
}

}  // namespace

Hdf5Writer::Hdf5Writer(std::string path, const Model& model, std::string settings)
    : path_(std::move(path)), settings_(std::move(settings)), model_(model) {}

Hdf5Writer::~Hdf5Writer() {
  if (!file_ || block_rows_ == 0) return;
  try {
    append_block();
  } catch (const ModelError&) {
    // The run already ends by an error of its own, which says more than a second one.
  }
}

void Hdf5Writer::on_start(const Manifest& manifest, const RunSettings& settings) {
  silence_hdf5();
  manifest_ = manifest;
  duration_ = settings.duration;
  row_ = RecordRow(manifest, settings.record);
  const double row_bytes = 8.0 * static_cast<double>(row_.size());
  const double rows = record_count(settings);
  chunk_rows_ = static_cast<int>(std::clamp(std::min(kBlockBytes / row_bytes, rows / kChunksInAll),
                                            double(kFewestRows), double(kMostRows)));
  expected_ = rows;
  require_space(path_, row_bytes * std::max(rows, double(chunk_rows_)) + 2000.0 * row_.channels().size());
  errno = 0;
  file_ = Hdf5Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, file_access().get()));
  if (!file_) throw unwritable(path_, errno ? std::strerror(errno) : "HDF5 cannot create it");
  write_attribute("model", model_.text());
  write_attribute("scene", scene_json(model_));
  write_attribute("settings", settings_);
  write_attribute("version", kVersion);
  write_attribute("channels", hdf5_order(row_.channels()));
  make_datasets(chunk_rows_);
  flush();
}

void Hdf5Writer::make_datasets(int chunk_rows) {
  const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  for (const Channel& column : row_.channels()) {
    const int width = column.width();
    const int rank = width == 1 ? 1 : 2;
    const std::array<hsize_t, 2> now{0, hsize_t(width)}, most{H5S_UNLIMITED, hsize_t(width)},
        chunk{hsize_t(chunk_rows), hsize_t(width)};
    const Hdf5Id space(H5Screate_simple(rank, now.data(), most.data())),
        layout(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(layout.get(), rank, chunk.data());
    Dataset dataset{Hdf5Id(H5Dcreate2(file_.get(), hdf5_path(column.path).c_str(),
                                      column.integral ? H5T_STD_I32LE : H5T_IEEE_F64LE, space.get(),
                                      links.get(), layout.get(), H5P_DEFAULT)),
                    width, std::vector<double>(std::size_t(chunk_rows) * width)};
    if (!dataset.id || !write_hdf5_text(dataset.id, "unit", column.unit) ||
        (width > 1 &&
         !write_hdf5_text(dataset.id, "components", fmt::format("{}", fmt::join(column.components, ", "))))) {
      throw unwritable(path_, fmt::format("HDF5 cannot create {}", hdf5_path(column.path)));
    }
    datasets_.push_back(std::move(dataset));
  }
}

void Hdf5Writer::on_record(const Observation& observation, double energy_residual) {
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  require_finite(row_.channels(), row);
  const double* next = row.data();
  for (Dataset& dataset : datasets_) {
    std::copy_n(next, dataset.width, dataset.block.data() + std::size_t(block_rows_) * dataset.width);
    next += dataset.width;
  }
  last_ = observation;
  // A block ends where a chunk of the file ends, so that a full block is one write.
  if (++block_rows_ == chunk_rows_ - static_cast<int>(written_ % chunk_rows_)) append_block();
  if (written_ + block_rows_ == 1 || std::chrono::steady_clock::now() - flushed_ > kFlushInterval) flush();
}

void Hdf5Writer::on_end(const Ledger& ledger) {
  const bool done = ledger.time >= duration_ * (1 - 1e-9);
  write_attribute("ledger", ledger_json(ledger, manifest_, last_, {done ? "done" : "incomplete", {}}));
  flush();
  datasets_.clear();
  sentinels_.clear();
  if (!file_.close()) throw unwritable(path_, "HDF5 cannot finish it (disk full?)");
}

void Hdf5Writer::write_attribute(const char* name, const std::string& text) {
  if (!write_hdf5_text(file_, name, text))
    throw unwritable(path_, fmt::format("cannot write attribute {}", name));
}

/// Lengthens the file, then gives the room back for chunks to come; the sentinel behind it keeps the length.
void Hdf5Writer::reserve() {
  const double chunk_bytes = 8.0 * static_cast<double>(row_.size()) * chunk_rows_;
  if (written_ % chunk_rows_ != 0) return;  // goes on in chunks that have their room
  if (reserved_ < chunk_bytes) {
    const double left = std::max(1.0, std::ceil((expected_ - static_cast<double>(written_)) / chunk_rows_));
    const double bytes = chunk_bytes * std::min(left, std::max(2.0, std::floor(kReserveBytes / chunk_bytes)));
    const Hdf5Id room = allocate_anonymous(file_, bytes);
    sentinels_.push_back(allocate_anonymous(file_, 8));
    if (!room || !sentinels_.back() || H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0) {
      throw unwritable(path_, "disk full?");
    }
    reserved_ = bytes;
  }
  reserved_ -= chunk_bytes;
}

void Hdf5Writer::append_block() {
  reserve();
  const hsize_t rows = std::exchange(block_rows_, 0);
  for (Dataset& dataset : datasets_) {
    const int rank = dataset.width == 1 ? 1 : 2;
    const std::array<hsize_t, 2> size{written_ + rows, hsize_t(dataset.width)}, start{written_, 0},
        count{rows, hsize_t(dataset.width)};
    if (H5Dset_extent(dataset.id.get(), size.data()) < 0) throw unwritable(path_, "disk full?");
    const Hdf5Id in_file(H5Dget_space(dataset.id.get()));
    const Hdf5Id in_memory(H5Screate_simple(rank, count.data(), nullptr));
    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    if (H5Dwrite(dataset.id.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT,
                 dataset.block.data()) < 0) {
      throw unwritable(path_, errno ? std::strerror(errno) : "disk full?");
    }
  }
  written_ += rows;
}

void Hdf5Writer::flush() {
  if (block_rows_ > 0) append_block();
  if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0) throw unwritable(path_, "disk full?");
  flushed_ = std::chrono::steady_clock::now();
}

void replace_ledger(const std::string& path, const std::string& ledger) {
  Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  if (!file) throw unwritable(path, "HDF5 cannot open it again");
  if (H5Aexists(file.get(), "ledger") > 0) H5Adelete(file.get(), "ledger");
  if (!write_hdf5_text(file, "ledger", ledger) || !file.close()) throw unwritable(path, "disk full?");
}

}  // namespace torsor
