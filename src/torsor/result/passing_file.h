#pragma once
// Files and folders that are on the disk only until something is made. They have names that nobody can foresee, and are gone again
// however the program ends, except by `kill -9`.

#include <string>
#include <utility>

namespace torsor {

/// One of them: removed at the end, unless it has found its place.
class Passing {
 public:
  enum class Kind { file, folder };

  Passing() = default;
  /// Noted before it is made: a signal may come between the two. A folder is removed when what is in it has been.
  Passing(std::string path, Kind kind);
  Passing(Passing&& other) noexcept { swap(other); }
  Passing& operator=(Passing&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Passing();

  const std::string& path() const { return path_; }
  void keep();  ///< it is not to be removed any more: renamed, or never ours

 private:
  void swap(Passing& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(kind_, other.kind_);
    std::swap(slot_, other.slot_);
  }

  std::string path_;
  Kind kind_ = Kind::file;
  int slot_ = -1;
};

/// A new, empty file beside the target, on the same disk, which no link can stand for. The descriptor, to be closed; -1 with
/// errno.
int make_passing_file(const std::string& target, Passing& file);
/// A new folder that only we can look into, for temporary files. False with errno.
bool make_passing_folder(Passing& folder);

/// Of all of them, by a signal handler that then ends the program: whoever makes another waits for that end.
void remove_passing() noexcept;

}  // namespace torsor
