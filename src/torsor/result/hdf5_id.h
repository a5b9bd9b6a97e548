#pragma once
// Ownership of one object of the HDF5 library: a file, dataset, group, type, space or property list.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace torsor {

/// Closes what it holds; negative when empty. HDF5 identifiers are 64-bit integers since version 1.10.
class Hdf5Id {
 public:
  Hdf5Id() = default;
  explicit Hdf5Id(std::int64_t id) : id_(id) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Id() { close(); }

  bool close();  ///< false if the library could not (a full disk)
  std::int64_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  std::int64_t id_ = -1;
};

/// Lets the caller report faults instead of the library's own trace on stderr.
void silence_hdf5();

/// Before the first call of HDF5: at its end the program does not close files in HDF5 once more, which crashes where one could
/// not be closed for lack of memory. We close them all ourselves.
void leave_hdf5_at_exit();

/// Whether there are so many bytes to be had. HDF5 frees what it did not get, and crashes, when it finds none.
bool is_memory_left(std::size_t bytes);

/// A short attribute of any object, of fixed length; false if the library could not.
bool write_hdf5_text(const Hdf5Id& object, const char* name, const std::string& text);

/// A text of any length as a dataset: the group `text` of a file, or another. One that was there is replaced, and its bytes
/// are not written over before the next flush. HDF5's texts of variable length lie in a heap that it cannot read safely
/// from a damaged file. False if the library could not.
bool write_hdf5_text_dataset(const Hdf5Id& place, const std::string& path, const std::string& text);

/// A text of a result, under its name in the group `text`. Those of the start that programs outside read as attributes of the
/// file (model, settings, version) are such an attribute, too, if they fit into one (60 000 bytes). The ledger is none: at the
/// end of a run it would move the header of the whole file to where a damaged end takes it along. False if the library could not.
bool write_result_text(const Hdf5Id& file, const std::string& name, const std::string& text);

/// A body's or joint's name as one link of a path: `/` and a leading `.` mean something to HDF5.
std::string hdf5_link_name(const std::string& name);
/// `bodies/link1/com`, and its parts again.
std::string hdf5_path(const std::vector<std::string>& path);
std::vector<std::string> parts_of_hdf5_path(const std::string& path);

}  // namespace torsor
