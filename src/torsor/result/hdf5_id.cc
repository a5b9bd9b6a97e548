#include "torsor/result/hdf5_id.h"

#include <hdf5.h>

#include <algorithm>

namespace torsor {

bool Hdf5Id::close() {
  const std::int64_t id = std::exchange(id_, -1);
  return id < 0 || H5Idec_ref(id) >= 0;
}

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

bool write_hdf5_text(const Hdf5Id& object, const char* name, const std::string& text) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Hdf5Id attribute(H5Acreate2(object.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  const char* content = text.c_str();
  return attribute && H5Awrite(attribute.get(), type.get(), &content) >= 0;
}

std::string hdf5_text(const Hdf5Id& attribute) {
  if (!attribute) return "";
  const Hdf5Id type(H5Aget_type(attribute.get())), space(H5Aget_space(attribute.get()));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return "";
  if (H5Tis_variable_str(type.get()) > 0) {
    char* content = nullptr;
    if (H5Aread(attribute.get(), type.get(), &content) < 0 || !content) return "";
    const std::string text = content;
    H5free_memory(content);
    return text;
  }
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  if (H5Tget_strpad(type.get()) == H5T_STR_SPACEPAD) text.resize(text.find_last_not_of(' ') + 1);
  return text;
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
