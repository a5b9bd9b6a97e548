#include "torsor/result/checkpoint_slots.h"

#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "torsor/base/error.h"
#include "torsor/result/checksum.h"
#include "torsor/result/hdf5_file.h"

namespace torsor {
namespace {

constexpr std::uint64_t kMark = 0x31504b5243535254ULL;  // "TRSCRKP1"
constexpr std::size_t kHead = 24;                       ///< mark, size, sum
constexpr int kMostSlots = 12, kFewestSlots = 4;
constexpr double kMostBytes = 64e6;  ///< of all slots, where they need not be fewer than that

/// Numbers, lists and texts one after the other.
class Packing {
 public:
  void put(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  template <class Number>
  void put(const Number& number) {
    put(&number, sizeof(number));
  }
  template <class Number>
  void put(const std::vector<Number>& numbers) {
    put(std::uint64_t(numbers.size()));
    put(numbers.data(), numbers.size() * sizeof(Number));
  }
  void put(const std::string& text) {
    put(std::uint64_t(text.size()));
    put(text.data(), text.size());
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// What Packing wrote; false where it ends too early.
class Unpacking {
 public:
  explicit Unpacking(std::span<const std::byte> bytes) : left_(bytes) {}
  bool get(void* data, std::size_t size) {
    if (size > left_.size()) return false;
    if (size > 0) std::memcpy(data, left_.data(), size);
    left_ = left_.subspan(size);
    return true;
  }
  template <class Number>
  bool get(Number& number) {
    return get(&number, sizeof(number));
  }
  template <class List>
  bool get_list(List& list) {
    std::uint64_t size = 0;
    if (!get(size) || size > left_.size() / sizeof(typename List::value_type)) return false;
    list.resize(size);
    return get(list.data(), size * sizeof(typename List::value_type));
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

std::vector<std::byte> encoded(const StoredCheckpoint& checkpoint) {
  const RunCheckpoint& run = checkpoint.run;
  Packing body;
  body.put(checkpoint.sequence);
  body.put(checkpoint.rows);
  body.put(checkpoint.row_sums);
  body.put(run.time);
  body.put(std::int64_t(run.steps));
  body.put(run.wall_seconds);
  body.put(std::uint64_t(run.resumed.size()));
  for (const Resumption& one : run.resumed) {
    body.put(one.time);
    body.put(one.date);
  }
  body.put(run.numbers);
  Packing all;
  all.put(kMark);
  all.put(std::uint64_t(body.bytes().size()));
  all.put(sum_of(body.bytes()));
  all.put(body.bytes().data(), body.bytes().size());
  return std::move(all.bytes());
}

bool decode(std::span<const std::byte> bytes, StoredCheckpoint& checkpoint) {
  Unpacking head(bytes);
  std::uint64_t mark = 0, size = 0, sum = 0, resumptions = 0;
  if (!head.get(mark) || !head.get(size) || !head.get(sum) || mark != kMark) return false;
  if (size > bytes.size() - kHead || sum_of(bytes.subspan(kHead, size)) != sum) return false;
  Unpacking body(bytes.subspan(kHead, size));
  RunCheckpoint& run = checkpoint.run;
  std::int64_t steps = 0;
  if (!body.get(checkpoint.sequence) || !body.get(checkpoint.rows) || !body.get_list(checkpoint.row_sums) ||
      !body.get(run.time) || !body.get(steps) || !body.get(run.wall_seconds) || !body.get(resumptions)) {
    return false;
  }
  run.steps = steps;
  for (std::uint64_t i = 0; i < resumptions; ++i) {
    Resumption one;
    if (!body.get(one.time) || !body.get_list(one.date)) return false;
    run.resumed.push_back(one);
  }
  return body.get_list(run.numbers) && body.at_end();
}

std::string slot_of(std::uint64_t sequence, std::size_t bytes) {
  if (sequence == 0) return "0";
  const int slots =
      std::clamp(static_cast<int>(kMostBytes / static_cast<double>(bytes)), kFewestSlots, kMostSlots);
  return std::to_string(1 + std::min(std::countr_zero(sequence), slots - 2));
}

/// Empty where they cannot be read.
std::vector<std::byte> slot_bytes(const Hdf5File& file, int slot) {
  try {
    const Hdf5Object* object = file.find(std::string(kCheckpointGroup) + "/" + std::to_string(slot));
    if (!object || !object->is_dataset() || object->type.kind != Hdf5Type::Kind::natural ||
        object->type.bytes != 1 || object->layout->kind != Hdf5Layout::Kind::in_one_piece) {
      return {};
    }
    return file.bytes().read(object->layout->at, object->layout->bytes);
  } catch (const ModelError&) {
    return {};
  }
}

hsize_t size_of(const Hdf5Id& dataset) {
  const Hdf5Id space(H5Dget_space(dataset.get()));
  hsize_t size = 0;
  if (H5Sget_simple_extent_ndims(space.get()) != 1) return 0;
  H5Sget_simple_extent_dims(space.get(), &size, nullptr);
  return size;
}

}  // namespace

bool CheckpointSlots::write(const StoredCheckpoint& checkpoint) {
  const std::vector<std::byte> bytes = encoded(checkpoint);
  const std::string name = slot_of(checkpoint.sequence, bytes.size());
  const hsize_t size = bytes.size();
  Hdf5Id dataset;
  if (H5Lexists(group_.get(), name.c_str(), H5P_DEFAULT) > 0) {
    dataset = Hdf5Id(H5Dopen2(group_.get(), name.c_str(), H5P_DEFAULT));
    if (size_of(dataset) < size) {
      dataset.close();
      if (H5Ldelete(group_.get(), name.c_str(), H5P_DEFAULT) < 0) return false;
    }
  }
  if (!dataset) {
    const hsize_t room = size + size / 4 + 4096;  // states grow a little as a run goes
    const Hdf5Id space(H5Screate_simple(1, &room, nullptr)), layout(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
    dataset = Hdf5Id(H5Dcreate2(group_.get(), name.c_str(), H5T_STD_U8LE, space.get(), H5P_DEFAULT,
                                layout.get(), H5P_DEFAULT));
  }
  const Hdf5Id in_file(H5Dget_space(dataset.get())), in_memory(H5Screate_simple(1, &size, nullptr));
  const hsize_t begin = 0;
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &begin, nullptr, &size, nullptr);
  return dataset && H5Dwrite(dataset.get(), H5T_STD_U8LE, in_memory.get(), in_file.get(), H5P_DEFAULT,
                             bytes.data()) >= 0;
}

std::vector<StoredCheckpoint> read_checkpoints(const Hdf5File& file) {
  std::vector<StoredCheckpoint> whole;
  for (int slot = 0; slot < kMostSlots; ++slot) {
    StoredCheckpoint checkpoint;
    if (decode(slot_bytes(file, slot), checkpoint)) whole.push_back(std::move(checkpoint));
  }
  std::sort(whole.begin(), whole.end(), [](const auto& a, const auto& b) { return a.sequence > b.sequence; });
  return whole;
}

}  // namespace torsor
