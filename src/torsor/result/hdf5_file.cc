#include "torsor/result/hdf5_file.h"

#include <algorithm>

namespace torsor {
namespace {

constexpr std::size_t kLongestName = 4096;
constexpr int kDeepest = 32;            ///< groups in groups
constexpr std::uint64_t kSoftLink = 2;  ///< (III.B) kinds of entries

/// (II.A) Where the root lies.
std::uint64_t read_superblock(const Hdf5Bytes& file, MissingEnd missing) {
  if (file.size() < 96) file.refuse("", "a result file (HDF5)", "too few bytes");
  const std::vector<std::byte> block = file.read(0, 96);
  Hdf5Cursor cursor(file, block);
  constexpr unsigned char kSignature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  for (const unsigned char one : kSignature) {
    if (cursor.u8() != one)
      file.refuse("", "a result file (HDF5)",
                  "another kind of file (`torsor run MODEL --out FILE.h5` writes results)");
  }
  const int version = cursor.u8();
  if (version > 1) {
    file.refuse("", "the oldest format of HDF5 (h5py: libver='earliest')", "a newer one");
  }
  cursor.skip(4);
  const int offset_bytes = cursor.u8(), length_bytes = cursor.u8();
  if (offset_bytes != 8 || length_bytes != 8) file.damaged("addresses of another size than 8 bytes");
  cursor.skip(1 + 4 + 4 + (version == 1 ? 4 : 0));
  const std::uint64_t base = cursor.u64();
  cursor.skip(8);
  const std::uint64_t end = cursor.u64();
  cursor.skip(8 + 8);
  if (base != 0) file.damaged("a file within a file");
  if (missing == MissingEnd::refused && !file.holds(end, 0)) file.damaged("one that is cut short");
  return cursor.u64();
}

struct Entry {
  std::string name;
  std::uint64_t at = 0;
};

/// (III.A.1, III.B, III.D) Leaf by leaf, each once.
class NameTree {
 public:
  NameTree(const Hdf5Bytes& file, std::uint64_t heap) : file_(file) {
    const std::vector<std::byte> head = file.read(heap, 32);
    Hdf5Cursor cursor(file, head);
    cursor.expect("HEAP", "a heap of names without its mark");
    cursor.skip(4);
    const std::uint64_t size = cursor.u64();
    cursor.skip(8);
    heap_ = file.read(cursor.u64(), size);
  }

  void read(std::uint64_t at, int level) {
    if (!seen_.insert(at).second) file_.damaged("a tree of names that runs in a circle");
    const std::vector<std::byte> head = file_.read(at, 24);
    Hdf5Cursor cursor(file_, head);
    cursor.expect("TREE", "a tree of names without its mark");
    const int kind = cursor.u8(), own_level = cursor.u8(), count = cursor.u16();
    if (kind != 0 || own_level > kMostHdf5Levels || (level >= 0 && own_level != level)) {
      file_.damaged("a tree of names of another kind or depth");
    }
    const std::vector<std::byte> children = file_.read(at + 24, 8 + 16u * static_cast<unsigned>(count));
    Hdf5Cursor next(file_, children);
    next.skip(8);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t child = next.u64();
      next.skip(8);
      own_level > 0 ? read(child, own_level - 1) : read_leaf(child);
    }
  }

  std::vector<Entry> entries;

 private:
  void read_leaf(std::uint64_t at) {
    if (!seen_.insert(at).second) file_.damaged("a tree of names that runs in a circle");
    const std::vector<std::byte> head = file_.read(at, 8);
    Hdf5Cursor cursor(file_, head);
    cursor.expect("SNOD", "a list of names without its mark");
    cursor.skip(2);
    const unsigned count = cursor.u16();
    const std::vector<std::byte> list = file_.read(at + 8, 40u * count);
    Hdf5Cursor next(file_, list);
    for (unsigned i = 0; i < count; ++i) {
      const std::string name = name_at(next.u64());
      const std::uint64_t address = next.u64(), kind = next.u32();
      next.skip(20);
      if (kind == kSoftLink) file_.refuse("", "data under names of their own", "a link at '" + name + "'");
      entries.push_back({name, address});
    }
  }
  std::string name_at(std::uint64_t place) const {
    if (place >= heap_.size()) file_.damaged("a name beyond its heap");
    const auto first = heap_.begin() + static_cast<std::ptrdiff_t>(place);
    const auto last = std::find(first, heap_.end(), std::byte{0});
    if (last == heap_.end() || last - first > static_cast<std::ptrdiff_t>(kLongestName)) {
      file_.damaged("a name without an end");
    }
    file_.charge(static_cast<double>(last - first) + sizeof(Entry));
    return {reinterpret_cast<const char*>(&*first), static_cast<std::size_t>(last - first)};
  }

  const Hdf5Bytes& file_;
  std::vector<std::byte> heap_;
  std::set<std::uint64_t> seen_;
};

}  // namespace

Hdf5File::Hdf5File(const std::string& path, MissingEnd missing) : bytes_(path, missing) {
  root_ = read_superblock(bytes_, missing);
  if (!root().group) bytes_.damaged("a root that is no group");
}

const Hdf5Object& Hdf5File::object(std::uint64_t at) const {
  const auto found = objects_.find(at);
  return found != objects_.end() ? found->second
                                 : objects_.emplace(at, read_hdf5_object(bytes_, at)).first->second;
}

const Hdf5File::Names& Hdf5File::names(const Hdf5Object& group) const {
  const auto [tree, heap] = *group.group;
  const auto found = names_.find(tree);
  if (found != names_.end()) return found->second;
  NameTree reader(bytes_, heap);
  reader.read(tree, -1);
  Names names;
  for (const Entry& entry : reader.entries) names.emplace(entry.name, entry.at);
  return names_.emplace(tree, std::move(names)).first->second;
}

const Hdf5Object* Hdf5File::find(const std::string& path) const {
  const Hdf5Object* at = &root();
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty()) continue;
    if (!at->group) return nullptr;
    const Names& all = names(*at);
    const auto found = all.find(name);
    if (found == all.end()) return nullptr;
    at = &object(found->second);
  }
  return at;
}

std::vector<std::string> Hdf5File::members(const std::string& path) const {
  const Hdf5Object* group = find(path);
  if (!group || !group->group) bytes_.refuse(path, "a group of the result file", "none");
  std::vector<std::string> all;
  for (const auto& [name, at] : names(*group)) all.push_back(name);
  return all;
}

void Hdf5File::for_each_dataset(
    const std::function<void(const std::string&, const Hdf5Object&)>& call) const {
  std::set<std::uint64_t> seen;
  const auto visit = [&](const auto& self, const Hdf5Object& group, const std::string& path,
                         int depth) -> void {
    if (depth > kDeepest) bytes_.damaged("groups within groups without end");
    if (!seen.insert((*group.group)[0]).second) bytes_.damaged("a group under two names");
    for (const auto& [name, at] : names(group)) {
      const Hdf5Object& member = object(at);
      const std::string place = path.empty() ? name : path + "/" + name;
      if (member.is_dataset()) call(place, member);
      if (member.group) self(self, member, place, depth + 1);
    }
  };
  visit(visit, root(), "", 0);
}

std::string Hdf5File::attribute_text(const Hdf5Object& object, const std::string& name) const {
  const auto found = object.attributes.find(name);
  if (found == object.attributes.end()) return "";
  return hdf5_text(bytes_, found->second.type, found->second.space, found->second.value);
}

std::string Hdf5File::dataset_text(const std::string& path) const {
  const Hdf5Object* object = find(path);
  if (!object || !object->is_dataset() || object->type.kind != Hdf5Type::Kind::text) return "";
  const Hdf5Layout& layout = *object->layout;
  if (layout.kind == Hdf5Layout::Kind::inside) {
    return hdf5_text(bytes_, object->type, object->space, layout.inside);
  }
  if (layout.kind != Hdf5Layout::Kind::in_one_piece || layout.at == kHdf5Nowhere) return "";
  return hdf5_text(bytes_, object->type, object->space, bytes_.read(layout.at, object->type.bytes));
}

}  // namespace torsor
