#include "torsor/result/hdf5_id.h"

#include <hdf5.h>

namespace torsor {

bool Hdf5Id::close() {
  const std::int64_t id = std::exchange(id_, -1);
  return id < 0 || H5Idec_ref(id) >= 0;
}

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

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

}  // namespace torsor
