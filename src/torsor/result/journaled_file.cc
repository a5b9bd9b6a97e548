#include "torsor/result/journaled_file.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <thread>

#include "torsor/base/error.h"
#include "torsor/result/file_lock.h"
#include "torsor/result/journal.h"

namespace torsor {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);  ///< with a program that is about to finish a journal

/// What HDF5 holds of an open file; it fills the base itself.
struct JournaledFile : H5FD_t {
  int descriptor = -1;
  haddr_t allocated = 0;  ///< end that HDF5 has given out
  haddr_t length = 0;     ///< as HDF5 sees it
  haddr_t committed = 0;  ///< end of what is on the disk
  dev_t device = 0;
  ino_t inode = 0;
  Sectors held;         ///< back until the next flush
  bool failed = false;  ///< once: the file stays as the last flush left it, and HDF5 can close it

  /// Of the sectors in a range, the parts in it: use(sector, offset in it, offset in the range, bytes).
  template <class Map, class Use>
  static void overlaps(Map& sectors, haddr_t at, std::size_t size, const Use& use) {
    for (auto one = sectors.lower_bound(at - at % kSector); one != sectors.end() && one->first < at + size;
         ++one) {
      const haddr_t from = std::max<haddr_t>(at, one->first),
                    to = std::min<haddr_t>(at + size, one->first + kSector);
      use(one->second, from - one->first, from - at, to - from);
    }
  }
  herr_t fail() {
    failed = true;
    return -1;
  }
  bool hold(haddr_t at, std::span<const std::byte> bytes) {
    for (haddr_t sector = at - at % kSector; sector < at + bytes.size(); sector += kSector) {
      const auto [place, fresh] = held.try_emplace(sector);
      if (fresh && !read_at(descriptor, sector, place->second)) return false;
    }
    overlaps(held, at, bytes.size(), [&](Sector& sector, std::size_t in, std::size_t from, std::size_t n) {
      std::memcpy(sector.data() + in, bytes.data() + from, n);
    });
    return true;
  }
};

JournaledFile& of(H5FD_t* file) { return *static_cast<JournaledFile*>(file); }
const JournaledFile& of(const H5FD_t* file) { return *static_cast<const JournaledFile*>(file); }

/// What HDF5 calls must not throw through it: a lack of memory is a fault as any other.
template <class Work>
herr_t without_throwing(JournaledFile& file, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return file.fail();
  }
}

extern "C" {

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  int how = O_CLOEXEC | ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY);
  if ((flags & H5F_ACC_TRUNC) != 0) how |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) how |= O_CREAT;
  if ((flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) how |= O_NOFOLLOW;  // a link leads to somebody's file
  if ((flags & H5F_ACC_EXCL) != 0) how |= O_EXCL;
  std::unique_ptr<JournaledFile> file(new (std::nothrow) JournaledFile);
  if (!file) return nullptr;
  struct stat status = {};
  file->descriptor = open(name, how, 0666);
  if (file->descriptor < 0) return nullptr;
  if (fstat(file->descriptor, &status) != 0) {
    close(file->descriptor);
    return nullptr;
  }
  file->length = file->committed = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return file.release();
}

herr_t flush_file(H5FD_t* base, hid_t, hbool_t) {
  JournaledFile& file = of(base);
  if (file.failed || (file.held.empty() && file.allocated == file.committed)) return 0;
  return without_throwing(file, [&]() -> herr_t {
    if (!commit(file.descriptor, file.held, file.committed, file.allocated)) return file.fail();
    file.held.clear();
    file.committed = file.length = file.allocated;
    return 0;
  });
}

herr_t close_file(H5FD_t* base) {
  const herr_t flushed = of(base).held.empty() ? 0 : flush_file(base, 0, 1);
  JournaledFile& file = of(base);
  without_throwing(file, [&]() -> herr_t {
    Journal begun;  // what failed in its midst is finished by whoever reads the file
    if (file.failed && !read_journal(file.descriptor, begun) &&
        ftruncate(file.descriptor, static_cast<off_t>(file.committed)) != 0) {
      // What lies behind the end that the file knows is nobody's: it stays.
    }
    return 0;
  });
  const int closed = close(file.descriptor);
  delete &file;
  return flushed < 0 || closed != 0 ? -1 : 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const JournaledFile& file) { return std::pair(file.device, file.inode); };
  return key(of(a)) < key(of(b)) ? -1 : key(of(a)) == key(of(b)) ? 0 : 1;
}

herr_t query_file(const H5FD_t*, unsigned long* flags) {
  if (flags) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).allocated = end;
  return 0;
}
haddr_t file_end(const H5FD_t* file, H5FD_mem_t) { return std::max(of(file).length, of(file).allocated); }

herr_t read_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
  JournaledFile& file = of(base);
  const std::span bytes(static_cast<std::byte*>(buffer), size);
  if (!read_at(file.descriptor, at, bytes)) return -1;
  JournaledFile::overlaps(file.held, at, size,
                          [&](const Sector& sector, std::size_t in, std::size_t from, std::size_t n) {
                            std::memcpy(bytes.data() + from, sector.data() + in, n);
                          });
  return 0;
}

herr_t write_file(H5FD_t* base, H5FD_mem_t type, hid_t, haddr_t at, std::size_t size, const void* buffer) {
  JournaledFile& file = of(base);
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  if (file.failed) return 0;
  file.length = std::max<haddr_t>(file.length, at + size);
  if (type != H5FD_MEM_DRAW) {
    return without_throwing(file, [&]() -> herr_t { return file.hold(at, bytes) ? 0 : file.fail(); });
  }
  if (!write_at(file.descriptor, at, bytes)) return file.fail();
  JournaledFile::overlaps(file.held, at, size,
                          [&](Sector& sector, std::size_t in, std::size_t from, std::size_t n) {
                            std::memcpy(sector.data() + in, bytes.data() + from, n);
                          });
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  of(file).length = of(file).allocated;  // by the next flush
  return 0;
}

}  // extern "C"

hid_t driver() {
  static const H5FD_class_t methods = [] {
    H5FD_class_t m = {};
#ifdef H5FD_CLASS_VERSION  // since HDF5 1.13
    m.version = H5FD_CLASS_VERSION;
    m.value = static_cast<H5FD_class_value_t>(513);  // of those that nobody has registered
#endif
    m.name = "torsor journal";
    m.maxaddr = haddr_t(1) << 62;
    m.fc_degree = H5F_CLOSE_WEAK;
    m.open = open_file;
    m.close = close_file;
    m.cmp = compare_files;
    m.query = query_file;
    m.get_eoa = allocated_end;
    m.set_eoa = set_allocated_end;
    m.get_eof = file_end;
    m.read = read_file;
    m.write = write_file;
    m.flush = flush_file;
    m.truncate = truncate_file;
    const H5FD_mem_t apart[] = H5FD_FLMAP_DICHOTOMY;  // numbers never take room that structure has had
    std::copy(std::begin(apart), std::end(apart), std::begin(m.fl_map));
    return m;
  }();
  static const hid_t id = H5FDregister(&methods);
  return id;
}

}  // namespace

void set_journaled_access(const Hdf5Id& access) { H5Pset_driver(access.get(), driver(), nullptr); }

void finish_journal(const std::string& path) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    Journal journal;
    const int file =
        open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe would wait for its writer
    const bool cut_off = file >= 0 && read_journal(file, journal);
    if (file >= 0) close(file);
    if (!cut_off) return;
    FileLock lock;
    const FileLock::Outcome outcome = lock.lock(path);
    if (outcome == FileLock::Outcome::busy && std::chrono::steady_clock::now() - begin < kPatience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    // Its writer may have finished it meanwhile.
    if (outcome == FileLock::Outcome::locked &&
        (!read_journal(lock.descriptor(), journal) || apply(lock.descriptor(), journal))) {
      return;
    }
    throw ModelError("", "a result file that can be written, to finish a write in which its run was cut off",
                     std::strerror(errno), path);
  }
}

}  // namespace torsor
