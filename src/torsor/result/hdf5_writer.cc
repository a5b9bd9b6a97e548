#include "torsor/result/hdf5_writer.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/checksum.h"
#include "torsor/result/hdf5_memory.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/journaled_file.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/json_scene.h"
#include "torsor/result/output_file.h"
#include "torsor/result/record_rows.h"
#include "torsor/result/result_place.h"
#include "torsor/result/resumable_run.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr double kBlockBytes = 8e6;  ///< of all datasets together
constexpr int kMostRows = 8192, kFewestRows = 16;
constexpr std::size_t kMostDatasets = 100'000;
constexpr int kMostRecords = 2'147'483'647;  ///< that Hdf5Reader takes
constexpr double kChunksInAll = 60;          ///< wished for: beyond 64 the index of chunks grows by nodes
constexpr int kShare = 200;  ///< of the time that a flush took: at least so much lies between two
constexpr auto kLookAgain = std::chrono::milliseconds(1);  ///< at the clock, whether a checkpoint is due
constexpr long kMostBetween = 4096;

/// No lock keeps readers out, and blocks go straight to the disk instead of through a cache for each dataset. File structure
/// stays in memory until a flush; that of `many` datasets goes to the driver, which holds it back as well, and in less
/// room.
Hdf5Id file_access(bool many = false) {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access.get(), &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  if (!many) H5Pset_mdc_config(access.get(), &cache);
  H5Pset_file_locking(access.get(), false, true);
  H5Pset_cache(access.get(), 0, 1, 0, 0.0);
  set_journaled_access(access);
  return access;
}

/// Of the call of the system that failed within HDF5.
std::string reason_of_fault() { return errno != 0 ? std::strerror(errno) : "disk full?"; }

/// Files list their datasets by name alone.
std::string hdf5_order(const std::vector<Channel>& channels) {
  std::string order;
  for (const Channel& channel : channels) order.append(hdf5_path(channel.path)).append("\n");
  return order;
}

}  // namespace

Hdf5Writer::Hdf5Writer(std::string path, const Model& model, std::string settings,
                       CheckpointChoice checkpoints)
    : path_(std::move(path)), settings_(std::move(settings)), model_(model), checkpoints_(checkpoints) {}

Hdf5Writer::Hdf5Writer(const ResumableRun& run, const Model& model, std::string settings,
                       CheckpointChoice checkpoints)
    : Hdf5Writer(run.path, model, std::move(settings), checkpoints) {
  resumed_ = &run;
}

Hdf5Writer::~Hdf5Writer() {
  if (!file_ || block_rows_ == 0 || lags()) return;
  try {
    flush();
  } catch (const std::exception&) {
    // The run already ends by an error of its own, which says more than a second one.
  }
}

void Hdf5Writer::on_start(const Manifest& manifest, const RunSettings& settings) {
  manifest_ = manifest;
  duration_ = settings.duration;
  row_ = RecordRow(manifest, settings.record);
  const double row_bytes = 8.0 * static_cast<double>(row_.size());
  const double rows = record_count(settings);
  if (rows > kMostRecords) {
    throw ModelError("simulation.record_every", fmt::format("at most {} records in a file", kMostRecords),
                     fmt::format("{:.0f}", rows));
  }
  if (row_.channels().size() > kMostDatasets) {
    throw ModelError("simulation.record", fmt::format("at most {} datasets in a file", kMostDatasets),
                     fmt::format("{}; name those that are wanted", row_.channels().size()));
  }
  chunk_rows_ = static_cast<int>(std::clamp(std::min(kBlockBytes / row_bytes, rows / kChunksInAll),
                                            double(kFewestRows), double(kMostRows)));
  require_space(path_, row_bytes * std::max(rows, double(chunk_rows_)) + 2000.0 * row_.channels().size());
  const std::string scene = scene_json(model_);
  place_ = std::make_unique<ResultPlace>(path_);
  // The records that it goes on from would be gone before they are read.
  if (resumed_ && place_->is_in_place()) {
    throw unwritable(path_, "its folder takes no new file, which resume needs");
  }
  require_memory();
  silence_hdf5();
  errno = 0;
  const bool many = row_.channels().size() > kMostOpen;
  file_ = Hdf5Id(H5Fcreate(place_->working().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, file_access(many).get()));
  if (!file_) throw unwritable(path_, errno ? std::strerror(errno) : "HDF5 cannot create it");
  write_text("model", model_.text());
  write_text("scene", scene);
  write_text("settings", settings_);
  write_text("version", kVersion);
  write_text("channels", hdf5_order(row_.channels()));
  make_datasets(chunk_rows_);
  make_slots();
  if (!resumed_) return;
  copy_rows();
  if (!lags()) flush();
}

void Hdf5Writer::make_datasets(int chunk_rows) {
  const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  for (const Channel& column : row_.channels()) {
    if (datasets_.size() % kLookEvery == 0) require_memory();
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
                    width, std::vector<double>(std::size_t(chunk_rows) * width), kSumStart};
    if (!dataset.id || !write_hdf5_text(dataset.id, "unit", column.unit) ||
        (width > 1 &&
         !write_hdf5_text(dataset.id, "components", fmt::format("{}", fmt::join(column.components, ", "))))) {
      throw write_failed(path_, reason_of_fault());
    }
    if (row_.channels().size() > kMostOpen) dataset.id = Hdf5Id();
    datasets_.push_back(std::move(dataset));
  }
}

void Hdf5Writer::make_slots() {
  if (checkpoints_.is_off()) return;
  slots_ = std::make_unique<CheckpointSlots>(
      Hdf5Id(H5Gcreate2(file_.get(), kCheckpointGroup, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  if (!write_hdf5_text_dataset(slots_->group(), "run", checkpoint_origin(model_))) {
    throw write_failed(path_, reason_of_fault());
  }
}

/// The records up to the checkpoint, and the checkpoints before it.
void Hdf5Writer::copy_rows() {
  const Hdf5Reader old(path_, true);
  const std::string order = old.text("channels");
  if (order != hdf5_order(row_.channels())) {
    throw ModelError("channels", "those of the run", "others", path_);
  }
  const StoredCheckpoint& from = resumed_->checkpoints.front();
  const RecordRows rows(old.file(), order);
  rows_before_ = rows.rows();
  for (std::size_t i = 0; i < datasets_.size();
       ++i) {  // the file may say otherwise, and the blocks have room for this
    if (rows.width(i) != static_cast<std::uint64_t>(datasets_[i].width)) {
      throw ModelError("records", "as many numbers in each as the model's channels have", "others", path_);
    }
  }
  while (written_ < from.rows) {
    block_rows_ = static_cast<int>(std::min<unsigned long long>(chunk_rows_, from.rows - written_));
    for (std::size_t i = 0; i < datasets_.size(); ++i) {
      if (!rows.read(i, written_, block_rows_, datasets_[i].block.data())) {
        throw ModelError("records", "those before the checkpoint", "a damaged dataset", path_);
      }
    }
    append_block();
  }
  for (std::size_t i = 0; i < datasets_.size(); ++i) datasets_[i].sum = from.row_sums[i];
  newest_ = std::make_unique<StoredCheckpoint>(from);
  for (auto one = resumed_->checkpoints.rbegin(); one != resumed_->checkpoints.rend() && slots_; ++one) {
    if (!slots_->write(*one)) throw write_failed(path_, reason_of_fault());
  }
  write_text("resumed", resumed_json(resumed_->from().resumed));
  due_ = false;
  kept_ = Clock::now();
}

void Hdf5Writer::on_record(const Observation& observation, double energy_residual) {
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  require_finite(row_.channels(), row);
  const double* next = row.data();
  for (Dataset& dataset : datasets_) {
    std::copy_n(next, dataset.width, dataset.block.data() + std::size_t(block_rows_) * dataset.width);
    for (int i = 0; i < dataset.width; ++i) {
      dataset.sum = add_to_sum(dataset.sum, std::bit_cast<std::uint64_t>(next[i]));
    }
    next += dataset.width;
  }
  last_ = observation;
  // A block ends where a chunk of the file ends, so that a full block is one write.
  if (++block_rows_ == chunk_rows_ - static_cast<int>(written_ % chunk_rows_)) append_block();
  const Clock::duration between = std::max<Clock::duration>(kFlushInterval, kShare * cost_);
  // The first one brings the checkpoint of the start, from which a run can go on.
  const bool first = flushed_ == Clock::time_point();
  const bool awaited = !checkpoints_.is_off() && written_ + block_rows_ == 1;
  if (!lags() && (first ? !awaited : Clock::now() - flushed_ > between)) flush();
}

bool Hdf5Writer::checkpoint_is_due(long steps) {
  if (checkpoints_.steps > 0) return due_ = steps % checkpoints_.steps == 0;
  if (++asked_ < between_) return false;
  asked_ = 0;
  const Clock::duration since = Clock::now() - kept_;
  // Quick steps look at the clock less often.
  const std::chrono::duration<double> look = since - looked_;
  looked_ = since;
  if (look < kLookAgain) between_ = std::min(2 * between_, kMostBetween);
  if (look > 20 * kLookAgain) between_ = std::max(1L, between_ / 2);
  return due_ = since >= std::max<Clock::duration>(std::chrono::duration_cast<Clock::duration>(
                                                       std::chrono::duration<double>(checkpoints_.seconds)),
                                                   checkpoints_.spares ? kShare * cost_ : Clock::duration{});
}

/// One that is not due, since the run is about to end, waits for its end.
void Hdf5Writer::on_checkpoint(const RunCheckpoint& checkpoint) {
  const std::uint64_t sequence = newest_ ? newest_->sequence + (waits_ ? 0 : 1) : 0;
  newest_ = std::make_unique<StoredCheckpoint>();
  newest_->sequence = sequence;
  newest_->rows = written_ + block_rows_;
  for (const Dataset& dataset : datasets_) newest_->row_sums.push_back(dataset.sum);
  newest_->run = checkpoint;
  waits_ = true;
  if (!std::exchange(due_, false)) return;
  write_checkpoint();
  if (!lags()) flush();
  kept_ = Clock::now();
  looked_ = {};
}

void Hdf5Writer::write_checkpoint() {
  if (!waits_) return;
  if (!slots_->write(*newest_)) throw write_failed(path_, reason_of_fault());
  waits_ = false;
}

void Hdf5Writer::on_end(const Ledger& ledger) {
  write_checkpoint();
  const bool done = ledger.time >= duration_ * (1 - 1e-9);
  write_text("ledger", ledger_json(ledger, manifest_, last_, {done ? "done" : "incomplete", {}}));
  flush();
  datasets_.clear();
  slots_.reset();
  if (!file_.close()) throw write_failed(path_, reason_of_fault());
}

void Hdf5Writer::write_text(const char* name, const std::string& text) {
  if (!write_result_text(file_, name, text)) throw write_failed(path_, reason_of_fault());
}

void Hdf5Writer::append_block() {
  errno = 0;
  const hsize_t rows = std::exchange(block_rows_, 0);
  for (std::size_t i = 0; i < datasets_.size(); ++i) {
    Dataset& dataset = datasets_[i];
    if (i % kLookEvery == 0) require_memory();
    const Hdf5Id passing(
        dataset.id ? -1 : H5Dopen2(file_.get(), hdf5_path(row_.channels()[i].path).c_str(), H5P_DEFAULT));
    const hid_t id = dataset.id ? dataset.id.get() : passing.get();
    const int rank = dataset.width == 1 ? 1 : 2;
    const std::array<hsize_t, 2> size{written_ + rows, hsize_t(dataset.width)}, start{written_, 0},
        count{rows, hsize_t(dataset.width)};
    if (H5Dset_extent(id, size.data()) < 0) throw write_failed(path_, reason_of_fault());
    const Hdf5Id in_file(H5Dget_space(id));
    const Hdf5Id in_memory(H5Screate_simple(rank, count.data(), nullptr));
    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    if (H5Dwrite(id, H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT, dataset.block.data()) <
        0) {
      throw write_failed(path_, reason_of_fault());
    }
  }
  written_ += rows;
}

void Hdf5Writer::require_memory() { require_hdf5_memory(row_.channels().size(), path_); }

void Hdf5Writer::flush() {
  const Clock::time_point begin = Clock::now();
  if (block_rows_ > 0) append_block();
  require_memory();
  errno = 0;
  if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0) throw write_failed(path_, reason_of_fault());
  const bool first = flushed_ == Clock::time_point();
  if (first) place_->settle();
  flushed_ = Clock::now();
  cost_ = first ? Clock::duration() : flushed_ - begin;  // the first one also makes the file
}

void replace_ledger(const std::string& path, const std::string& ledger) {
  require_hdf5_memory(0, path);  // datasets stay as they are
  Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, file_access().get()));
  if (!file) throw unwritable(path, "HDF5 cannot open it again");
  errno = 0;
  // HDF5 must not meet the fault while it closes the file: it would crash at the end of the program.
  const bool whole = write_result_text(file, "ledger", ledger) && H5Fflush(file.get(), H5F_SCOPE_LOCAL) >= 0;
  const std::string reason = reason_of_fault();
  if (!file.close() || !whole) throw write_failed(path, reason);
}

}  // namespace torsor
