#include <unistd.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

namespace fs = std::filesystem;

namespace {

/// A folder that goes when the process ends. In memory where there is one: a disk flushes a file that is written again.
class Folder {
 public:
  Folder() {
    std::error_code none;
    const fs::path memory = "/dev/shm";
    const fs::path base =
        fs::is_directory(memory, none) && access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    std::string name = (base / "riffle-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path;
};

}  // namespace

fs::path input_file(const std::string& ending, std::string_view bytes) {
  static const Folder folder;
  const fs::path file = folder.path / ("input" + ending);
  static fs::path last;  // whose folder is there
  if (file != last) fs::create_directories(file.parent_path());
  last = file;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
  return file;
}

void require(bool promised, const char* what) {
  if (!promised) throw std::logic_error(what);
}

}  // namespace riffle::fuzz
