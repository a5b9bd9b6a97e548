#include "torsor/result/hdf5_id.h"

#include <hdf5.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>

namespace torsor {

bool Hdf5Id::close() {
  const std::int64_t id = std::exchange(id_, -1);
  return id < 0 || H5Idec_ref(id) >= 0;
}

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

void leave_hdf5_at_exit() { H5dont_atexit(); }

bool is_memory_left(std::size_t bytes) {
  void* place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place != MAP_FAILED && munmap(place, bytes) == 0;
}

namespace {

/// Room for every byte, and at least for one.
Hdf5Id text_type(const std::string& text) {
  Hdf5Id type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

bool write_hdf5_text(const Hdf5Id& object, const char* name, const std::string& text) {
  const Hdf5Id type = text_type(text), space(H5Screate(H5S_SCALAR));
  const Hdf5Id attribute(H5Acreate2(object.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0;
}

bool write_hdf5_text_dataset(const Hdf5Id& place, const std::string& path, const std::string& text) {
  const Hdf5Id type = text_type(text), space(H5Screate(H5S_SCALAR)), links(H5Pcreate(H5P_LINK_CREATE)),
               layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  H5Pset_obj_track_times(layout.get(), false);
  H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER);
  const std::string group = path.substr(0, std::min(path.find('/'), path.size()));
  const bool replaces = H5Lexists(place.get(), group.c_str(), H5P_DEFAULT) > 0 &&
                        H5Lexists(place.get(), path.c_str(), H5P_DEFAULT) > 0;
  const std::string passing = replaces ? path + ".new" : path;
  Hdf5Id data(H5Dcreate2(place.get(), passing.c_str(), type.get(), space.get(), links.get(), layout.get(),
                         H5P_DEFAULT));
  if (!data || H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0)
    return false;
  if (!replaces) return true;
  return H5Ldelete(place.get(), path.c_str(), H5P_DEFAULT) >= 0 &&
         H5Lmove(place.get(), passing.c_str(), place.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

bool write_result_text(const Hdf5Id& file, const std::string& name, const std::string& text) {
  constexpr std::array kAttributes{"model", "settings", "version"};
  constexpr std::size_t kMostHeader = 60'000;  // the header of an object holds messages of 64 kB
  if (!write_hdf5_text_dataset(file, "text/" + name, text)) return false;
  if (std::find(kAttributes.begin(), kAttributes.end(), name) == kAttributes.end()) return true;
  if (H5Aexists(file.get(), name.c_str()) > 0 && H5Adelete(file.get(), name.c_str()) < 0) return false;
  return text.size() > kMostHeader || write_hdf5_text(file, name.c_str(), text);
}

std::string hdf5_link_name(const std::string& name) {
  std::string link;
  for (char c : name) {
    if (c == '/') {
      link += "%2F";
    } else if (c == '.' && link.empty()) {
      link += "%2E";
    } else {
      link += c;
    }
  }
  return link;
}

std::string hdf5_path(const std::vector<std::string>& path) {
  std::string joined;
  for (const std::string& part : path) joined.append(joined.empty() ? "" : "/").append(hdf5_link_name(part));
  return joined;
}

std::vector<std::string> parts_of_hdf5_path(const std::string& path) {
  std::vector<std::string> parts{""};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool slash = path.compare(i, 3, "%2F") == 0,
               dot = parts.back().empty() && path.compare(i, 3, "%2E") == 0;
    if (path[i] == '/') {
      parts.emplace_back();
    } else {
      parts.back() += slash ? '/' : dot ? '.' : path[i];
      if (slash || dot) i += 2;
    }
  }
  return parts;
}

}  // namespace torsor
