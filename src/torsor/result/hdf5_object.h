#pragma once
// Objects of an HDF5 file in the oldest format, the one that Hdf5Writer writes: groups and datasets with their attributes.
// For sources only.
//
// libhdf5 is not asked: the library follows addresses and sizes of a damaged file out of its memory and into endless loops,
// and other files where one names them. This reader knows the part of the format that results have, checks each number
// before it uses it, and refuses the rest by name. Section numbers are those of the HDF5 File Format Specification.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/result/hdf5_bytes.h"

namespace torsor {

inline constexpr int kMostHdf5Levels = 16;                        ///< of trees of names and of chunks
inline constexpr std::uint64_t kHdf5Nowhere = ~std::uint64_t(0);  ///< an address that is not set

/// (IV.A.2.d) Numbers as machines have them, and texts.
struct Hdf5Type {
  enum class Kind { real, natural, integer, text, text_elsewhere, other };
  Kind kind = Kind::other;
  std::uint32_t bytes = 0;
  bool big_endian = false, space_padded = false;

  bool is_number() const { return kind == Kind::real || kind == Kind::natural || kind == Kind::integer; }
};

/// (IV.A.2.b) Sizes along the axes; none of a single value.
struct Hdf5Space {
  std::vector<std::uint64_t> size;
  std::uint64_t count() const;  ///< saturates
};

struct Hdf5Attribute {
  Hdf5Type type;
  Hdf5Space space;
  std::vector<std::byte> value;
};

/// (IV.A.2.i) Where a dataset's values lie.
struct Hdf5Layout {
  enum class Kind { inside, in_one_piece, in_chunks };
  Kind kind = Kind::inside;
  std::uint64_t at = kHdf5Nowhere, bytes = 0;  ///< of the piece; of the tree of chunks
  std::vector<std::byte> inside;
  std::vector<std::uint32_t> chunk;  ///< along each axis
};

/// (IV.A.2.l) By their registered numbers, in the order in which they were applied.
enum class Hdf5Filter : std::uint16_t { deflate = 1, shuffle = 2, sums = 3 };

struct Hdf5Object {
  std::map<std::string, Hdf5Attribute> attributes;
  std::optional<std::array<std::uint64_t, 2>> group;  ///< (IV.A.2.r) tree and heap of the names
  std::optional<Hdf5Layout> layout;                   ///< of a dataset
  Hdf5Type type;
  Hdf5Space space;
  std::vector<Hdf5Filter> filters;

  bool is_dataset() const { return layout.has_value(); }
};

/// (IV.A.1.a) At this address.
Hdf5Object read_hdf5_object(const Hdf5Bytes& file, std::uint64_t at);

/// Of a fixed length, or in the file's global heap (III.E), as older files have it; empty where there is no single text.
std::string hdf5_text(const Hdf5Bytes& file, const Hdf5Type& type, const Hdf5Space& space,
                      std::span<const std::byte> value);

}  // namespace torsor
