#include "app/state/hdf5_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "app/state/hdf5_driver.h"

namespace riffle::hdf5 {

namespace {

struct MemoryFile : H5FD_t {
  FileMemory* memory = nullptr;
  haddr_t allocated = 0;  ///< [bytes] up to which HDF5 uses the file
};

FileMemory* memory_of_next = nullptr;  // HDF5 is used by one thread at a time

H5FD_t* open_memory(const char*, unsigned, hid_t, haddr_t) {
  auto* file = new MemoryFile();
  file->memory = memory_of_next;
  return file;
}
herr_t close_memory(H5FD_t* file) {
  delete static_cast<MemoryFile*>(file);
  return 0;
}
herr_t query_memory(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}
haddr_t allocated_of_memory(const H5FD_t* file, H5FD_mem_t) { return static_cast<const MemoryFile*>(file)->allocated; }
herr_t set_allocated_of_memory(H5FD_t* file, H5FD_mem_t, haddr_t bytes) {
  static_cast<MemoryFile*>(file)->allocated = bytes;
  return 0;
}
haddr_t size_of_memory(const H5FD_t* file, H5FD_mem_t) {
  const auto* at = static_cast<const MemoryFile*>(file);
  return std::max<haddr_t>(at->memory->size(), at->allocated);
}
herr_t read_memory(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t count, void* bytes) {
  const FileMemory& memory = *static_cast<MemoryFile*>(file)->memory;
  const std::size_t there = place < memory.size() ? std::min<std::size_t>(count, memory.size() - place) : 0;
  if (there > 0) std::memcpy(bytes, memory.bytes() + place, there);
  std::memset(static_cast<char*>(bytes) + there, 0, count - there);
  return 0;
}
herr_t write_memory(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t count, const void* bytes) {
  FileMemory& memory = *static_cast<MemoryFile*>(file)->memory;
  if (memory.size() < place + count && !memory.resize(place + count)) {
    errno = ENOMEM;
    return -1;
  }
  std::memcpy(memory.bytes() + place, bytes, count);
  return 0;
}

H5FD_class_t memory_class() {
  H5FD_class_t driver = driver_class("riffle_memory", 701);
  driver.open = open_memory;
  driver.close = close_memory;
  driver.query = query_memory;
  driver.get_eoa = allocated_of_memory;
  driver.set_eoa = set_allocated_of_memory;
  driver.get_eof = size_of_memory;
  driver.read = read_memory;
  driver.write = write_memory;
  return driver;
}

}  // namespace

bool keep_in_memory(hid_t access, FileMemory& memory) {
  memory_of_next = &memory;
  static const H5FD_class_t driver = memory_class();
  static const hid_t id = H5FDregister(&driver);
  return id >= 0 && H5Pset_driver(access, id, nullptr) >= 0;
}

}  // namespace riffle::hdf5
