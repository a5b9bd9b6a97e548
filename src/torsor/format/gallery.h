#pragma once
// The models that come with the program.

#include <string>
#include <vector>

namespace torsor {

struct GalleryEntry {
  std::string name;     ///< of the file, without its ending
  std::string file;     ///< path
  std::string summary;  ///< its first comment
};

/// In the folder that the environment's TORSOR_MODELS names, or else looked for near the program: in the
/// source tree it was built in, or installed in share/torsor/models. Alphabetical; empty if there is none.
std::vector<GalleryEntry> gallery();

/// The file of a model given by path or by gallery name. Throws ModelError with the nearest name.
std::string find_model(const std::string& path_or_name);

}  // namespace torsor
