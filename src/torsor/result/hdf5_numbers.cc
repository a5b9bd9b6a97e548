#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_file.h"

namespace torsor {
namespace {

/// One number as the file has it.
double number_at(const std::byte* from, const Hdf5Type& type) {
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < type.bytes; ++i) {
    const std::byte one = from[type.big_endian ? type.bytes - 1 - i : i];
    bits |= std::to_integer<std::uint64_t>(one) << (8 * i);
  }
  if (type.kind == Hdf5Type::Kind::real) {
    return type.bytes == 8 ? std::bit_cast<double>(bits)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (type.kind == Hdf5Type::Kind::natural) return static_cast<double>(bits);
  const int unused = 64 - 8 * static_cast<int>(type.bytes);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

void convert(const std::byte* from, std::uint64_t count, const Hdf5Type& type, double* numbers) {
  if (type.kind == Hdf5Type::Kind::real && type.bytes == 8 && !type.big_endian) {
    std::memcpy(numbers, from, count * 8);
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) numbers[i] = number_at(from + i * type.bytes, type);
}

/// Bytes of equal rank lie together in what was shuffled.
std::vector<std::byte> unshuffled(const std::vector<std::byte>& from, std::size_t width) {
  std::vector<std::byte> to = from;
  const std::size_t count = from.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte) {
    for (std::size_t i = 0; i < count; ++i) to[i * width + byte] = from[byte * count + i];
  }
  return to;
}

/// At most `size` bytes; false where it is no stream of deflate, or a longer one.
bool inflate_whole(const std::vector<std::byte>& from, std::vector<std::byte>& to) {
  uLongf size = to.size();
  const bool whole = uncompress(reinterpret_cast<Bytef*>(to.data()), &size,
                                reinterpret_cast<const Bytef*>(from.data()), from.size()) == Z_OK;
  return whole && size == to.size();
}

}  // namespace

Hdf5Numbers::Hdf5Numbers(const Hdf5Bytes& file, const Hdf5Object& object, const std::string& name)
    : file_(file), object_(object) {
  if (!object.is_dataset()) file.refuse(name, "a dataset of the result file", "none");
  if (!object.type.is_number()) file.refuse(name, "numbers", "values of another type");
  const std::vector<std::uint64_t>& size = object.space.size;
  if (size.size() > 2) file.refuse(name, "one or two axes", "more");
  rows_ = size.empty() ? 0 : size[0];
  columns_ = size.size() < 2 ? 1 : size[1];
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  if (rows_ > kMost || columns_ > kMost) file.refuse(name, "at most 2147483647 rows and columns", "more");
  if (columns_ == 0) file.refuse(name, "a number or more in each row", "none");
  const Hdf5Layout& layout = *object.layout;
  if (layout.kind != Hdf5Layout::Kind::in_chunks) {
    if (!object.filters.empty()) file.damaged("filters without chunks");
    return;
  }
  if (layout.chunk.size() != size.size()) file.damaged("chunks of another number of axes than their table");
  chunk_rows_ = layout.chunk[0];
  chunk_columns_ = size.size() < 2 ? 1 : layout.chunk[1];
  // Wider ones could unpack far more than the table holds.
  if (chunk_columns_ > columns_) file.damaged("chunks that are wider than their table");
  std::set<std::uint64_t> seen;
  if (layout.at != kHdf5Nowhere) add_chunks(layout.at, -1, seen);
}

/// (III.A.1) Chunks come in order, and each once: so they cover the table once at most.
void Hdf5Numbers::add_chunks(std::uint64_t node, int level, std::set<std::uint64_t>& seen) {
  if (!seen.insert(node).second) file_.damaged("a tree of chunks that runs in a circle");
  const std::vector<std::byte> head = file_.read(node, 24);
  Hdf5Cursor cursor(file_, head);
  cursor.expect("TREE", "a tree of chunks without its mark");
  const int kind = cursor.u8(), own_level = cursor.u8();
  const unsigned count = cursor.u16();
  if (kind != 1 || own_level > kMostHdf5Levels || (level >= 0 && own_level != level)) {
    file_.damaged("a tree of chunks of another kind or depth");
  }
  const unsigned axes = static_cast<unsigned>(object_.space.size.size()), key = 8 + 8 * (axes + 1);
  const std::vector<std::byte> body = file_.read(node + 24, key + std::uint64_t(key + 8) * count);
  Hdf5Cursor next(file_, body);
  for (unsigned i = 0; i < count; ++i) {
    Chunk chunk{};
    chunk.bytes = next.u32();
    chunk.unused = next.u32();
    chunk.row = next.u64();
    chunk.column = axes > 1 ? next.u64() : 0;
    next.skip(8);
    chunk.at = next.u64();
    if (own_level > 0) {
      try {
        add_chunks(chunk.at, own_level - 1, seen);
      } catch (const ModelError&) {
        if (!file_.lenient()) throw;  // else these rows are among what was lost
      }
      continue;
    }
    if (chunk.row % chunk_rows_ != 0 || chunk.column % chunk_columns_ != 0)
      file_.damaged("a chunk between chunks");
    const auto order = [](const Chunk& one) { return std::pair(one.row, one.column); };
    if (!chunks_.empty() && order(chunks_.back()) >= order(chunk)) file_.damaged("chunks out of order");
    chunks_.push_back(chunk);
  }
}

std::vector<std::byte> Hdf5Numbers::unpacked(const Chunk& chunk) const {
  const double size =
      static_cast<double>(chunk_rows_) * static_cast<double>(chunk_columns_) * object_.type.bytes;
  file_.charge(size);
  std::vector<std::byte> bytes = file_.read(chunk.at, chunk.bytes);
  for (std::size_t i = object_.filters.size(); i-- > 0;) {
    if ((chunk.unused >> i & 1) != 0) continue;
    if (object_.filters[i] == Hdf5Filter::sums) {
      bytes.resize(bytes.size() - std::min<std::size_t>(4, bytes.size()));
    } else if (object_.filters[i] == Hdf5Filter::shuffle) {
      bytes = unshuffled(bytes, object_.type.bytes);
    } else {
      file_.charge(size);
      // With the sum of a filter that was applied before.
      const bool summed =
          std::find(object_.filters.begin(), object_.filters.begin() + static_cast<std::ptrdiff_t>(i),
                    Hdf5Filter::sums) != object_.filters.begin() + static_cast<std::ptrdiff_t>(i);
      std::vector<std::byte> whole(static_cast<std::size_t>(size) + (summed ? 4 : 0));
      if (!inflate_whole(bytes, whole)) file_.damaged("a chunk that cannot be unpacked");
      bytes = std::move(whole);
    }
  }
  if (static_cast<double>(bytes.size()) < size) file_.damaged("a chunk that is too short");
  return bytes;
}

void Hdf5Numbers::read_chunk(const Chunk& chunk, std::uint64_t first, std::uint64_t count,
                             double* numbers) const {
  const std::uint64_t width = object_.type.bytes, from = std::max(first, chunk.row),
                      to = std::min(first + count, chunk.row + chunk_rows_);
  if (chunk.column >= columns_ || from >= to) return;
  const std::uint64_t used = std::min(chunk_columns_, columns_ - chunk.column), line = chunk_columns_ * width;
  const bool packed = !object_.filters.empty();
  const std::vector<std::byte> bytes =
      packed ? unpacked(chunk) : file_.read(chunk.at + (from - chunk.row) * line, (to - from) * line);
  const std::byte* source = bytes.data() + (packed ? (from - chunk.row) * line : 0);
  for (std::uint64_t row = from; row < to; ++row, source += line) {
    convert(source, used, object_.type, numbers + (row - first) * columns_ + chunk.column);
  }
}

void Hdf5Numbers::charge(std::uint64_t count) const {
  file_.charge(8 * static_cast<double>(count) * static_cast<double>(columns_));
}

void Hdf5Numbers::read(std::uint64_t first, std::uint64_t count, double* numbers) const {
  if (first > rows_ || count > rows_ - first) file_.damaged("fewer rows than there should be");
  if (count == 0) return;
  const std::uint64_t all = count * columns_;
  const Hdf5Layout& layout = *object_.layout;
  if (layout.kind == Hdf5Layout::Kind::in_chunks) {
    std::fill_n(numbers, all, 0.0);
    auto chunk = std::lower_bound(chunks_.begin(), chunks_.end(), first - first % chunk_rows_,
                                  [](const Chunk& one, std::uint64_t row) { return one.row < row; });
    for (; chunk != chunks_.end() && chunk->row < first + count; ++chunk)
      read_chunk(*chunk, first, count, numbers);
    return;
  }
  const std::uint64_t begin = first * columns_ * object_.type.bytes, bytes = all * object_.type.bytes;
  if (layout.kind == Hdf5Layout::Kind::inside) {
    if (begin > layout.inside.size() || bytes > layout.inside.size() - begin) {
      file_.damaged("a table that is too short");
    }
    convert(layout.inside.data() + begin, all, object_.type, numbers);
  } else if (layout.at == kHdf5Nowhere) {
    std::fill_n(numbers, all, 0.0);
  } else {
    const std::vector<std::byte> piece = file_.read(layout.at + begin, bytes);
    convert(piece.data(), all, object_.type, numbers);
  }
}

}  // namespace torsor
