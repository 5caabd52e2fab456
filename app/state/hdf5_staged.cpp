#include "app/state/hdf5_staged.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/hdf5_driver.h"

namespace riffle::hdf5 {

namespace {

constexpr haddr_t kPage = 4096;  // a process is not killed while the system copies a page

bool read_all(int descriptor, haddr_t place, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = pread(descriptor, bytes, count, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) {  // behind the end
      std::memset(bytes, 0, count);
      return true;
    }
    bytes += got, place += static_cast<haddr_t>(got), count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, haddr_t place, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t done = pwrite(descriptor, bytes, count, static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done, place += static_cast<haddr_t>(done), count -= static_cast<std::size_t>(done);
  }
  return true;
}

struct StagedFile : H5FD_t {
  int descriptor = -1;
  haddr_t allocated = 0;                 ///< [bytes] up to which HDF5 uses the file
  haddr_t size = 0;                      ///< [bytes] on the disk
  haddr_t found = 0;                     ///< [bytes] on the disk when it was opened
  haddr_t before = 0;                    ///< [bytes] that stay as they are until the file is closed
  std::map<haddr_t, std::string> pages;  ///< of those, the ones with changes, by their places

  /// Calls with each page's place, the offset in it and the number of bytes, for those before `before`.
  template <class Action>
  bool for_each_page(haddr_t place, std::size_t count, const Action& action) {
    const haddr_t end = std::min(before, place + count);
    for (haddr_t at = place; at < end;) {
      const haddr_t page = at - at % kPage;
      const haddr_t next = std::min(end, page + kPage);
      if (!action(page, static_cast<std::size_t>(at - page), static_cast<std::size_t>(at - place),
                  static_cast<std::size_t>(next - at)))
        return false;
      at = next;
    }
    return true;
  }

  bool read_bytes(haddr_t place, std::size_t count, char* bytes) {
    return read_all(descriptor, place, bytes, count) &&
           for_each_page(place, count, [&](haddr_t page, std::size_t inside, std::size_t from, std::size_t length) {
             if (const auto found = pages.find(page); found != pages.end())
               std::memcpy(bytes + from, found->second.data() + inside, length);
             return true;
           });
  }

  bool write_bytes(haddr_t place, std::size_t count, const char* bytes) {
    const bool staged =
        for_each_page(place, count, [&](haddr_t page, std::size_t inside, std::size_t from, std::size_t length) {
          auto found = pages.find(page);
          if (found == pages.end()) {
            std::string old(static_cast<std::size_t>(std::min(kPage, before - page)), '\0');
            if (!read_all(descriptor, page, old.data(), old.size())) return false;
            found = pages.emplace(page, std::move(old)).first;
          }
          std::memcpy(found->second.data() + inside, bytes + from, length);
          return true;
        });
    if (!staged) return false;
    const std::size_t old = place < before ? static_cast<std::size_t>(std::min<haddr_t>(count, before - place)) : 0;
    if (!write_all(descriptor, place + old, bytes + old, count - old)) return false;
    size = std::max(size, place + count);
    return true;
  }

  /// The first page says how far the file goes and where its root is; it comes first. Nodes of groups (SNOD) name entries by
  /// their places in the heap of names; they come last.
  bool write_changes() {
    std::vector<haddr_t> order;
    for (const auto& [place, bytes] : pages) order.push_back(place);
    std::stable_partition(order.begin(), order.end(),
                          [&](haddr_t place) { return place == 0 || pages[place].find("SNOD") == std::string::npos; });
    for (const haddr_t place : order)
      if (!write_all(descriptor, place, pages[place].data(), pages[place].size())) return false;
    return ftruncate(descriptor, static_cast<off_t>(allocated)) == 0;
  }

  bool drop_changes() { return size <= found || ftruncate(descriptor, static_cast<off_t>(found)) == 0; }
};

// HDF5 is used by one thread at a time.
haddr_t kept_of_next = 0;
bool publishing = false;  ///< whether a file that is closed now gets its changes

StagedFile& staged(H5FD_t* file) { return *static_cast<StagedFile*>(file); }

H5FD_t* open_staged(const char* name, unsigned flags, hid_t, haddr_t) {
  const int how = ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY) | ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0) |
                  ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0) | ((flags & H5F_ACC_EXCL) != 0 ? O_EXCL : 0);
  const int descriptor = open(name, how | O_CLOEXEC, 0666);
  struct stat found {};
  if (descriptor < 0) return nullptr;
  if (fstat(descriptor, &found) != 0) {
    close(descriptor);
    return nullptr;
  }
  auto* file = new StagedFile();
  file->descriptor = descriptor;
  file->size = file->found = static_cast<haddr_t>(found.st_size);
  file->before = std::min<haddr_t>(kept_of_next, file->size);
  return file;
}

herr_t close_staged(H5FD_t* file) {
  StagedFile& closing = staged(file);
  const bool written = publishing ? closing.write_changes() : closing.drop_changes();
  const bool closed = close(closing.descriptor) == 0;
  delete &closing;
  return written && closed ? 0 : -1;
}

herr_t query_staged(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated_of(const H5FD_t* file, H5FD_mem_t) { return static_cast<const StagedFile*>(file)->allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t bytes) {
  staged(file).allocated = bytes;
  return 0;
}
haddr_t size_of(const H5FD_t* file, H5FD_mem_t) {
  const auto* at = static_cast<const StagedFile*>(file);
  return std::max(at->size, at->allocated);
}
herr_t read_staged(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t count, void* bytes) {
  return staged(file).read_bytes(place, count, static_cast<char*>(bytes)) ? 0 : -1;
}
herr_t write_staged(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t count, const void* bytes) {
  try {
    return staged(file).write_bytes(place, count, static_cast<const char*>(bytes)) ? 0 : -1;
  } catch (const std::bad_alloc&) {  // HDF5 is C
    errno = ENOMEM;
    return -1;
  }
}

H5FD_class_t staged_class() {
  H5FD_class_t driver = driver_class("riffle_staged", 700);
  driver.open = open_staged;
  driver.close = close_staged;
  driver.query = query_staged;
  driver.get_eoa = allocated_of;
  driver.set_eoa = set_allocated;
  driver.get_eof = size_of;
  driver.read = read_staged;
  driver.write = write_staged;
  return driver;
}

}  // namespace

void publish_changes(bool publish) { publishing = publish; }

bool stage_changes(hid_t access, std::uint64_t kept) {
  kept_of_next = kept;
  static const H5FD_class_t driver = staged_class();
  static const hid_t id = H5FDregister(&driver);
  return id >= 0 && H5Pset_driver(access, id, nullptr) >= 0;
}

}  // namespace riffle::hdf5
