#include "torsor/result/hdf5_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace torsor {
namespace {

constexpr double kMostHeaderBytes = 16e6;  ///< of one object: an attribute has 64 kB at the most
constexpr int kMostAxes = 32;              ///< (IV.A.2.b)

/// Kinds of messages, (IV.A.2).
enum Message : std::uint16_t {
  kSpace = 0x01,
  kLinkInfo = 0x02,
  kType = 0x03,
  kLink = 0x06,
  kExternalFiles = 0x07,
  kLayout = 0x08,
  kFilters = 0x0b,
  kAttribute = 0x0c,
  kContinuation = 0x10,
  kSymbolTable = 0x11,
  kAttributeInfo = 0x15
};

Hdf5Space read_space(const Hdf5Bytes& file, Hdf5Cursor cursor) {
  const int version = cursor.u8(), axes = cursor.u8();
  cursor.skip(version == 1 ? 6 : 2);
  if (version != 1 && version != 2) file.damaged("a dataspace of an unknown version");
  if (axes > kMostAxes) file.damaged("a dataspace of too many axes");
  Hdf5Space space;
  for (int i = 0; i < axes; ++i) space.size.push_back(cursor.u64());
  return space;
}

/// Only bits where IEEE 754 has them.
bool is_ieee(std::uint32_t bytes, Hdf5Cursor properties) {
  const int offset = properties.u16(), precision = properties.u16(), exponent_at = properties.u8(),
            exponent = properties.u8(), mantissa_at = properties.u8(), mantissa = properties.u8();
  const std::uint32_t bias = properties.u32();
  const bool whole = offset == 0 && mantissa_at == 0;
  return whole && ((bytes == 8 && precision == 64 && exponent_at == 52 && exponent == 11 && mantissa == 52 &&
                    bias == 1023) ||
                   (bytes == 4 && precision == 32 && exponent_at == 23 && exponent == 8 && mantissa == 23 &&
                    bias == 127));
}

Hdf5Type read_type(Hdf5Cursor cursor) {
  const int kind = cursor.u8() & 15;
  const std::uint32_t bits = static_cast<std::uint32_t>(cursor.number(3));
  Hdf5Type type;
  type.bytes = cursor.u32();
  type.big_endian = (bits & 1) != 0;
  if (kind == 0 && (type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8)) {
    const int offset = cursor.u16(), precision = cursor.u16();
    if (offset == 0 && precision == 8 * static_cast<int>(type.bytes)) {
      type.kind = (bits & 8) != 0 ? Hdf5Type::Kind::integer : Hdf5Type::Kind::natural;
    }
  } else if (kind == 1 && (bits & 0x40) == 0 && is_ieee(type.bytes, cursor)) {
    type.kind = Hdf5Type::Kind::real;
  } else if (kind == 3) {
    type.kind = Hdf5Type::Kind::text;
    type.space_padded = (bits & 15) == 2;
  } else if (kind == 9 && (bits & 15) == 1 && type.bytes == 16) {
    type.kind = Hdf5Type::Kind::text_elsewhere;
  }
  return type;
}

Hdf5Layout read_layout(const Hdf5Bytes& file, Hdf5Cursor cursor) {
  const int version = cursor.u8(), kind = cursor.u8();
  if (version == 4 && kind == 3)
    file.refuse("", "data in the file itself", "a virtual dataset, whose data lie elsewhere");
  if (version != 3) {
    file.refuse("", "the oldest layout of HDF5 (h5py: libver='earliest')",
                fmt::format("version {}", version));
  }
  Hdf5Layout layout;
  if (kind == 0) {
    const std::span<const std::byte> inside = cursor.take(cursor.u16());
    layout.inside.assign(inside.begin(), inside.end());
  } else if (kind == 1) {
    layout.kind = Hdf5Layout::Kind::in_one_piece;
    layout.at = cursor.u64();
    layout.bytes = cursor.u64();
  } else if (kind == 2) {
    layout.kind = Hdf5Layout::Kind::in_chunks;
    const int axes = cursor.u8() - 1;  // one more, for the bytes of a value
    if (axes < 1 || axes > kMostAxes) file.damaged("chunks of no axes or of too many");
    layout.at = cursor.u64();
    for (int i = 0; i < axes; ++i) {
      layout.chunk.push_back(cursor.u32());
      if (layout.chunk.back() == 0) file.damaged("chunks of no size");
    }
  } else {
    file.damaged("a layout of an unknown kind");
  }
  return layout;
}

std::vector<Hdf5Filter> read_filters(const Hdf5Bytes& file, Hdf5Cursor cursor) {
  const int version = cursor.u8(), count = cursor.u8();
  if (version != 1) file.damaged("a list of filters of an unknown version");
  cursor.skip(6);
  std::vector<Hdf5Filter> filters;
  for (int i = 0; i < count; ++i) {
    const std::uint16_t number = cursor.u16(), name = cursor.u16();
    cursor.skip(2);
    const std::uint16_t values = cursor.u16();
    cursor.skip(name + 4u * (values + values % 2u));
    if (number < 1 || number > 3 || filters.size() == 3) {
      file.refuse("", "data as they are, or packed by deflate", fmt::format("filter {} of HDF5", number));
    }
    filters.push_back(static_cast<Hdf5Filter>(number));
  }
  return filters;
}

void read_attribute(Hdf5Cursor cursor, Hdf5Object& object, const Hdf5Bytes& file) {
  const int version = cursor.u8();
  if (version < 1 || version > 3) file.damaged("an attribute of an unknown version");
  if (cursor.u8() != 0 && version > 1) return;  // a type that is kept elsewhere: none of ours
  const std::uint16_t name_bytes = cursor.u16(), type_bytes = cursor.u16(), space_bytes = cursor.u16();
  if (version == 3) cursor.skip(1);
  const auto part = [&](unsigned bytes) { return cursor.take(version == 1 ? (bytes + 7u) / 8 * 8 : bytes); };
  const std::span<const std::byte> raw = part(name_bytes);
  std::string name(reinterpret_cast<const char*>(raw.data()), raw.size());
  name.resize(std::min(name.find('\0'), name.size()));
  file.charge(4 * sizeof(Hdf5Attribute));  // beside its bytes
  Hdf5Attribute attribute;
  attribute.type = read_type({file, part(type_bytes)});
  attribute.space = read_space(file, {file, part(space_bytes)});
  const std::span<const std::byte> value = cursor.take(cursor.left());
  attribute.value.assign(value.begin(), value.end());
  object.attributes.insert_or_assign(name, std::move(attribute));
}

void read_message(const Hdf5Bytes& file, std::uint16_t kind, int flags, Hdf5Cursor cursor,
                  Hdf5Object& object) {
  const bool shared = (flags & 2) != 0;
  if (shared && (kind == kSpace || kind == kType || kind == kFilters)) {
    file.refuse("", "types and sizes in the dataset itself", "some that are shared by datasets");
  }
  switch (kind) {
    case kSpace:
      object.space = read_space(file, cursor);
      break;
    case kType:
      object.type = read_type(cursor);
      break;
    case kLayout:
      object.layout = read_layout(file, cursor);
      break;
    case kFilters:
      object.filters = read_filters(file, cursor);
      break;
    case kAttribute:
      if (!shared) read_attribute(cursor, object, file);
      break;
    case kSymbolTable:
      object.group = {cursor.u64(), cursor.u64()};
      break;
    case kExternalFiles:
      file.refuse("", "data in the file itself", "a dataset in another file");
    case kLink:
    case kLinkInfo:
      file.refuse("", "groups of the oldest format of HDF5 (h5py: libver='earliest')", "newer ones");
    default:
      break;
  }
}

/// (III.E) One text of a collection.
std::string text_in_heap(const Hdf5Bytes& file, std::uint64_t at, std::uint32_t index, std::uint32_t length) {
  const std::vector<std::byte> start = file.read(at, 16);
  Hdf5Cursor first(file, start);
  first.expect("GCOL", "a heap of texts without its mark");
  first.skip(4);
  const std::uint64_t size = first.u64();
  if (size < 16) file.damaged("a heap of texts of no size");
  const std::vector<std::byte> all = file.read(at, size);
  Hdf5Cursor objects(file, all);
  objects.skip(16);
  while (objects.left() >= 16) {
    const std::uint16_t number = objects.u16();
    objects.skip(6);
    const std::uint64_t bytes = objects.u64();
    if (number == 0) break;  // free room
    if (bytes > objects.left()) file.damaged("a text that is longer than its heap");
    if (number == index) {
      const std::span<const std::byte> text = objects.take(std::min<std::uint64_t>(bytes, length));
      return {reinterpret_cast<const char*>(text.data()), text.size()};
    }
    objects.skip(std::min<std::uint64_t>((bytes + 7) / 8 * 8, objects.left()));
  }
  file.damaged("a text that is not in its heap");
}

}  // namespace

std::uint64_t Hdf5Space::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t one : size) {
    if (one != 0 && product > std::numeric_limits<std::uint64_t>::max() / one) {
      product = std::numeric_limits<std::uint64_t>::max();  // unless another axis is empty
    } else {
      product *= one;
    }
  }
  return std::find(size.begin(), size.end(), 0) != size.end() ? 0 : product;
}

Hdf5Object read_hdf5_object(const Hdf5Bytes& file, std::uint64_t at) {
  const std::vector<std::byte> prefix = file.read(at, 16);
  Hdf5Cursor head(file, prefix);
  const int version = head.u8();
  if (version == 'O')
    file.refuse("", "objects of the oldest format of HDF5 (h5py: libver='earliest')", "newer ones");
  if (version != 1) file.damaged("an object without a header");
  head.skip(1);
  int messages = head.u16();
  head.skip(4);
  std::vector<std::array<std::uint64_t, 2>> blocks{{at + 16, head.u32()}};
  Hdf5Object object;
  double bytes = 0;
  for (std::size_t b = 0; b < blocks.size() && messages > 0; ++b) {
    bytes += static_cast<double>(blocks[b][1]);
    if (bytes > kMostHeaderBytes) file.damaged("an object whose header has no end");
    const std::vector<std::byte> block = file.read(blocks[b][0], blocks[b][1]);
    Hdf5Cursor cursor(file, block);
    for (; messages > 0 && cursor.left() >= 8; --messages) {
      const std::uint16_t kind = cursor.u16(), size = cursor.u16();
      const int flags = cursor.u8();
      cursor.skip(3);
      Hdf5Cursor message(file, cursor.take(size));
      if (kind == kContinuation) {
        const std::uint64_t next = message.u64();
        blocks.push_back({next, message.u64()});
      } else {
        read_message(file, kind, flags, message, object);
      }
    }
  }
  return object;
}

std::string hdf5_text(const Hdf5Bytes& file, const Hdf5Type& type, const Hdf5Space& space,
                      std::span<const std::byte> value) {
  if (space.count() != 1 || value.size() < type.bytes) return "";
  std::string text;
  if (type.kind == Hdf5Type::Kind::text_elsewhere) {
    Hdf5Cursor reference(file, value);
    const std::uint32_t length = reference.u32();
    const std::uint64_t at = reference.u64();
    const std::uint32_t index = reference.u32();
    if (length == 0 || at == 0 || at == kHdf5Nowhere) return "";
    text = text_in_heap(file, at, index, length);
  } else if (type.kind == Hdf5Type::Kind::text) {
    text.assign(reinterpret_cast<const char*>(value.data()), type.bytes);
  }
  text.resize(std::min(text.find('\0'), text.size()));
  if (type.space_padded) text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace torsor
