#include "app/state/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "app/state/hdf5_memory.h"
#include "app/state/hdf5_staged.h"
#include "core/error.h"

namespace riffle::hdf5 {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

namespace {

/// Debian's HDF5 may be used by one thread at a time.
std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

class Lock {
 public:
  Lock() : lock_(library()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }  // it would print every error

 private:
  std::lock_guard<std::mutex> lock_;
};

class Open {
 public:
  Open(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Open() {
    if (id_ >= 0) close_(id_);
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  operator hid_t() const { return id_; }
  bool failed() const { return id_ < 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

hid_t type_in_file(Type type) {
  switch (type) {
    case Type::Byte: return H5T_STD_U8LE;
    case Type::Int32: return H5T_STD_I32LE;
    case Type::Uint32: return H5T_STD_U32LE;
    case Type::Uint64: return H5T_STD_U64LE;
    case Type::Float: return H5T_IEEE_F32LE;
    case Type::Double: return H5T_IEEE_F64LE;
  }
  return H5I_INVALID_HID;
}

std::uint64_t bytes_of(Type type) {
  switch (type) {
    case Type::Byte: return 1;
    case Type::Int32:
    case Type::Uint32:
    case Type::Float: return 4;
    case Type::Uint64:
    case Type::Double: return 8;
  }
  return 1;
}

/// Names of one level only, so that links on the way can be looked at.
std::vector<std::string> levels_of(const std::string& name) {
  std::vector<std::string> levels;
  for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
    if (at > 0) levels.push_back(name.substr(0, at));
  levels.push_back(name);
  return levels;
}

/// The locks of riffle's own files are flock's, as HDF5's are: it would refuse a file that is being written.
void leave_unlocked(hid_t access) {
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);
#else
  static_cast<void>(access);
#endif
}

hid_t scalar_or_array(const Shape& shape) {
  if (shape.empty()) return H5Screate(H5S_SCALAR);
  std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
}

/// Properties of what is made. Without the time of day, equal states are equal files.
hid_t without_times(hid_t kind) {
  const hid_t creation = H5Pcreate(kind);
  H5Pset_obj_track_times(creation, false);
  return creation;
}

/// Pieces of whole rows, compressed. Bytes of equal rank lie side by side before, which floats gain by.
void pack(hid_t creation, const Shape& shape) {
  constexpr std::uint64_t kRows = 65536;
  constexpr unsigned kLevel = 3;  // of 9: higher ones take longer and gain a few per cent
  std::vector<hsize_t> piece(shape.begin(), shape.end());
  piece[0] = std::min(shape[0], kRows);
  H5Pset_chunk(creation, static_cast<int>(piece.size()), piece.data());
  H5Pset_shuffle(creation);
  H5Pset_deflate(creation, kLevel);
}

hid_t text_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

Writer::Writer(std::string shown, std::uint64_t user_block) : shown_(std::move(shown)), user_block_(user_block) {
  const Lock lock;
  errno = 0;
  const Open access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(without_times(H5P_FILE_CREATE), H5Pclose);
  // The metadata of this format have checksums of their own.
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  if (user_block > 0) H5Pset_userblock(creation, user_block);
  if (!keep_in_memory(access, image_.memory)) fail(errno);
  file_ = H5Fcreate("state", H5F_ACC_TRUNC, creation, access);
  if (file_ < 0) fail(errno);
}

Writer::Writer(const std::filesystem::path& file, Begin begin, std::uint64_t kept) : user_block_(0) {
  const Lock lock;
  errno = 0;
  const Open access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(without_times(H5P_FILE_CREATE), H5Pclose);
  if (!stage_changes(access, kept)) fail(errno);
  file_ = begin == Begin::New ? H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access)
                              : H5Fopen(file.c_str(), H5F_ACC_RDWR, access);
  if (file_ < 0) fail(errno);
}

Writer::~Writer() {
  const Lock lock;
  if (file_ >= 0) H5Fclose(file_);
}

void Writer::fail(int reason) const {
  if (shown_.empty()) throw RuntimeFailure(reason != 0 ? std::strerror(reason) : "HDF5 failed");
  throw RuntimeFailure(
      fmt::format("{}: cannot be written: {}", shown_, reason != 0 ? std::strerror(reason) : "HDF5 failed"));
}

void Writer::make_group(const std::string& name) {
  const Lock lock;
  errno = 0;
  const Open creation(without_times(H5P_GROUP_CREATE), H5Pclose);
  const Open group(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose);
  if (group.failed()) fail(errno);
}

void Writer::write(const std::string& name, Type type, const void* values, const Shape& shape, bool packed) {
  const Lock lock;
  errno = 0;
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  const Open space(scalar_or_array(shape), H5Sclose), creation(without_times(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  if (packed && count > 0) pack(creation, shape);
  const Open array(H5Dcreate2(file_, name.c_str(), type_in_file(type), space, H5P_DEFAULT, creation, H5P_DEFAULT),
                   H5Dclose);
  if (array.failed()) fail(errno);
  if (count > 0 && H5Dwrite(array, type_in_file(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail(errno);
}

std::uint64_t Writer::place(const std::string& name, Type type, const Shape& shape) {
  const Lock lock;
  errno = 0;
  const Open space(scalar_or_array(shape), H5Sclose), creation(without_times(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_layout(creation, H5D_CONTIGUOUS);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  const Open array(H5Dcreate2(file_, name.c_str(), type_in_file(type), space, H5P_DEFAULT, creation, H5P_DEFAULT),
                   H5Dclose);
  if (array.failed()) fail(errno);
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  const haddr_t place = H5Dget_offset(array);  // the user block counts
  if (place == HADDR_UNDEF || place < user_block_) fail(errno);
  return place;
}

void Writer::write_text(const std::string& name, const std::string& text) {
  const Lock lock;
  errno = 0;
  const Open type(text_type(text.size()), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Open creation(without_times(H5P_DATASET_CREATE), H5Pclose);
  const Open array(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (array.failed() || H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0) fail(errno);
}

void Writer::write_bytes(const std::string& name, const std::string& bytes) {
  write(name, Type::Byte, bytes.data(), {bytes.size()});
}

void Writer::note(const std::string& object, const std::string& name, const std::string& text) {
  const Lock lock;
  errno = 0;
  const Open at(H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose);
  const Open type(text_type(text.size()), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Open note(H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (note.failed() || H5Awrite(note, type, text.c_str()) < 0) fail(errno);
}

void Writer::note(const std::string& object, const std::string& name, Type type, const void* number) {
  const Lock lock;
  errno = 0;
  const Open at(H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose);
  const Open space(H5Screate(H5S_SCALAR), H5Sclose);
  const Open note(H5Acreate2(at, name.c_str(), type_in_file(type), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (note.failed() || H5Awrite(note, type_in_file(type), number) < 0) fail(errno);
}

void Writer::remove(const std::string& name) {
  const Lock lock;
  errno = 0;
  if (H5Ldelete(file_, name.c_str(), H5P_DEFAULT) < 0) fail(errno);
}

void Writer::close() {
  const Lock lock;
  errno = 0;
  publish_changes(true);
  const bool closed = H5Fclose(std::exchange(file_, -1)) >= 0;
  const int reason = errno;
  publish_changes(false);
  if (!closed) fail(reason);
}

Image Writer::finish() {
  const Lock lock;
  errno = 0;
  const ssize_t size = H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file_, nullptr, 0);
  if (H5Fclose(std::exchange(file_, -1)) < 0 || size < 0) fail(errno);
  image_.size = user_block_ + static_cast<std::size_t>(size);
  if (image_.memory.size() < image_.size && !image_.memory.resize(image_.size)) fail(errno);
  return std::move(image_);
}

Reader::Reader(const std::filesystem::path& file, std::string shown, std::uint64_t bytes)
    : shown_(std::move(shown)), bytes_(bytes) {
  const Lock lock;
  const Open access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  leave_unlocked(access);
  file_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, access);
  if (file_ < 0) refuse("HDF5 cannot open it");
}

Reader::~Reader() {
  const Lock lock;
  if (file_ >= 0) H5Fclose(file_);
}

void Reader::refuse(const std::string& what) const { throw InputError(fmt::format("{}: {}", shown_, what)); }

/// Of bytes of the file that nothing else has.
void Reader::take(const std::string& name, std::uint64_t bytes) const {
  if (bytes > bytes_ - taken_)
    refuse(fmt::format("\"{}\" and what was read before have more bytes than the file", name));
  taken_ += bytes;
}

/// The groups above it are the file's own. A link may lead to another file, which HDF5 opens when it looks behind the link.
bool Reader::is_there(const std::string& level) const {
  H5L_info_t link;
  if (H5Lexists(file_, level.c_str(), H5P_DEFAULT) <= 0 || H5Lget_info(file_, level.c_str(), &link, H5P_DEFAULT) < 0)
    return false;
  if (link.type != H5L_TYPE_HARD) refuse(fmt::format("\"{}\" is a link to something else", level));
  return true;
}

void Reader::require_own(const std::string& name) const {
  if (name == "/") return;
  for (const std::string& level : levels_of(name))
    if (!is_there(level)) refuse(fmt::format("lacks \"{}\"", level));
}

bool Reader::has(const std::string& name) const {
  const Lock lock;
  for (const std::string& level : levels_of(name))
    if (!is_there(level)) return false;
  return true;
}

std::vector<std::string> Reader::names(const std::string& group) const {
  constexpr hsize_t kMost = 10000;
  const Lock lock;
  require_own(group);
  const Open at(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
  H5G_info_t info;
  if (at.failed() || H5Gget_info(at, &info) < 0) refuse(fmt::format("\"{}\" is no group", group));
  if (info.nlinks > kMost) refuse(fmt::format("\"{}\" has {} members; allowed: {}", group, info.nlinks, kMost));
  // One after the other: HDF5 would sort all of them for each that is asked for by its number.
  std::vector<std::string> names;
  names.reserve(info.nlinks);
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    auto& found = *static_cast<std::vector<std::string>*>(to);
    if (found.size() == found.capacity() || std::strlen(name) > 255) return -1;
    found.emplace_back(name);
    return 0;
  };
  if (H5Literate(at, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names) < 0 || names.size() != info.nlinks)
    refuse(fmt::format("\"{}\" has a member whose name cannot be read", group));
  return names;
}

namespace {

/// Whether its numbers lie in other files, which HDF5 opens even to say how many they are.
bool is_elsewhere(hid_t array) {
  const Open creation(H5Dget_create_plist(array), H5Pclose);
  return creation.failed() || H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0;
}

/// Whether its numbers lie in the file as they are.
bool is_plain(hid_t array) {
  const Open creation(H5Dget_create_plist(array), H5Pclose);
  if (creation.failed()) return false;
  const H5D_layout_t layout = H5Pget_layout(creation);
  return (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) && H5Pget_external_count(creation) == 0 &&
         H5Pget_nfilters(creation) == 0;
}

}  // namespace

hid_t Reader::open_array(const std::string& name) const {
  require_own(name);
  const hid_t array = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  if (array < 0) refuse(fmt::format("\"{}\" is no array", name));
  if (is_elsewhere(array)) {
    H5Dclose(array);
    refuse(fmt::format("\"{}\" has its numbers in other files", name));
  }
  return array;
}

Shape Reader::shape(const std::string& array) const {
  const Lock lock;
  const Open at(open_array(array), H5Dclose), space(H5Dget_space(at), H5Sclose);
  const int axes = H5Sget_simple_extent_ndims(space);
  if (axes < 0 || axes > 4) refuse(fmt::format("\"{}\" has {} axes; allowed: up to 4", array, axes));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(axes));
  if (axes > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return Shape(sizes.begin(), sizes.end());
}

bool Reader::holds(const std::string& array, Type type) const {
  const Lock lock;
  const Open at(open_array(array), H5Dclose), found(H5Dget_type(at), H5Tclose);
  return H5Tequal(found, type_in_file(type)) > 0;
}

std::uint64_t Reader::elements(const std::string& array, Type type) const {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape(array)) {
    if (size > bytes_ || (size > 0 && count > bytes_ / size))
      refuse(fmt::format("\"{}\" is larger than the file", array));
    count *= size;
  }
  const Lock lock;
  const Open at(open_array(array), H5Dclose), found(H5Dget_type(at), H5Tclose);
  if (H5Tequal(found, type_in_file(type)) <= 0) refuse(fmt::format("\"{}\" has numbers of another type", array));
  if (!is_plain(at) || H5Dget_storage_size(at) != count * bytes_of(type))
    refuse(fmt::format("\"{}\" does not have its {} bytes", array, count * bytes_of(type)));
  return count;
}

void Reader::read(const std::string& array, Type type, void* values, std::uint64_t count) const {
  if (count == 0) return;
  const Lock lock;
  const Open at(open_array(array), H5Dclose);
  if (H5Dread(at, type_in_file(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    refuse(fmt::format("\"{}\" cannot be read", array));
}

void Reader::read_rows(const std::string& array, Type type, void* values, std::uint64_t first,
                       std::uint64_t count) const {
  const Lock lock;
  const Open at(open_array(array), H5Dclose), space(H5Dget_space(at), H5Sclose);
  hsize_t sizes[4] = {}, begin[4] = {first, 0, 0, 0};  // shape() refuses more axes
  const int axes = H5Sget_simple_extent_dims(space, sizes, nullptr);
  sizes[0] = count;
  const Open rows(H5Screate_simple(axes, sizes, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, nullptr, sizes, nullptr) < 0 ||
      H5Dread(at, type_in_file(type), rows, space, H5P_DEFAULT, values) < 0)
    refuse(fmt::format("\"{}\" cannot be read", array));
}

namespace {

/// [bytes] of a text of fixed length; 0: it is none.
std::size_t text_length(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  return H5Tget_size(type);
}

std::string without_padding(std::string text) {
  text.resize(std::strlen(text.c_str()));
  return text;
}

}  // namespace

std::string Reader::read_text(const std::string& name) const {
  if (!shape(name).empty()) refuse(fmt::format("\"{}\" is no text", name));
  const Lock lock;
  const Open at(open_array(name), H5Dclose), type(H5Dget_type(at), H5Tclose);
  const std::size_t length = text_length(type);
  if (length == 0 || length > bytes_ || !is_plain(at) || H5Dget_storage_size(at) != length)
    refuse(fmt::format("\"{}\" is no text", name));
  take(name, length);
  std::string text(length, '\0');
  if (H5Dread(at, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
    refuse(fmt::format("\"{}\" cannot be read", name));
  return without_padding(std::move(text));
}

std::string Reader::read_bytes(const std::string& name) const {
  const std::uint64_t count = elements(name, Type::Byte);
  take(name, count);
  std::string bytes(count, '\0');
  read(name, Type::Byte, bytes.data(), bytes.size());
  return bytes;
}

bool Reader::has_note(const std::string& object, const std::string& name) const {
  const Lock lock;
  require_own(object);
  return H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Reader::text_note(const std::string& object, const std::string& name) const {
  const Lock lock;
  require_own(object);
  const Open note(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (note.failed()) refuse(fmt::format("\"{}\" lacks the note \"{}\"", object, name));
  const Open type(H5Aget_type(note), H5Tclose), space(H5Aget_space(note), H5Sclose);
  const std::size_t length = text_length(type);
  if (length == 0 || length > bytes_ || H5Sget_simple_extent_npoints(space) != 1)
    refuse(fmt::format("the note \"{}\" of \"{}\" is no text", name, object));
  take(object, length);
  std::string text(length, '\0');
  if (H5Aread(note, type, text.data()) < 0)
    refuse(fmt::format("the note \"{}\" of \"{}\" cannot be read", name, object));
  return without_padding(std::move(text));
}

void Reader::note(const std::string& object, const std::string& name, Type type, void* number) const {
  const Lock lock;
  require_own(object);
  const Open note(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (note.failed()) refuse(fmt::format("\"{}\" lacks the note \"{}\"", object, name));
  const Open found(H5Aget_type(note), H5Tclose), space(H5Aget_space(note), H5Sclose);
  if (H5Tequal(found, type_in_file(type)) <= 0 || H5Sget_simple_extent_npoints(space) != 1)
    refuse(fmt::format("the note \"{}\" of \"{}\" is of another type", name, object));
  if (H5Aread(note, type_in_file(type), number) < 0)
    refuse(fmt::format("the note \"{}\" of \"{}\" cannot be read", name, object));
}

}  // namespace riffle::hdf5
