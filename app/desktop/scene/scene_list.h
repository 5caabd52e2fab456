#pragma once
/// The list of scenes: those that are found by name, and other files that were opened or saved recently.

#include <string>
#include <utility>
#include <vector>

#include "scenes/catalog.h"

namespace riffle::desktop {

class SceneList {
 public:
  static constexpr std::size_t kRecent = 10;  ///< number of remembered files

  /// @param recent paths, the latest first; missing files are left out
  explicit SceneList(const std::vector<std::string>& recent);

  const std::vector<scenes::CatalogEntry>& found() const { return found_; }    ///< as list_scenes()
  const std::vector<scenes::CatalogEntry>& recent() const { return recent_; }  ///< the latest first; none of found()

  bool is_recent(const std::string& path) const;  ///< does not access the disk

  void leave_out_missing();  ///< files that were deleted

  /// Call this when a scene was opened from that path or saved there.
  void note(const std::string& path);

  /// Whether a new entry has come since the last call: the list then opens at its top.
  bool take_news() { return std::exchange(news_, false); }

  /// The file's name, with its folder where another scene of the list has the same: "tank in /home/ann/waves".
  std::string told_apart(const scenes::CatalogEntry& entry) const;

  std::vector<std::string> recent_paths() const;  ///< absolute, for the next start

 private:
  std::vector<scenes::CatalogEntry> found_, recent_;
  bool news_ = false;
};

}  // namespace riffle::desktop
