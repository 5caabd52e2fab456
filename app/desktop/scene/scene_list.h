#pragma once
/// What the list of scenes offers: those that are found by name, and those from elsewhere that were opened or saved lately.

#include <string>
#include <utility>
#include <vector>

#include "scenes/catalog.h"

namespace riffle {

class SceneList {
 public:
  static constexpr std::size_t kRecent = 10;  ///< that are remembered

  /// @param recent  paths, the latest first; files that are gone are left out
  explicit SceneList(const std::vector<std::string>& recent);

  const std::vector<CatalogEntry>& found() const { return found_; }    ///< as list_scenes()
  const std::vector<CatalogEntry>& recent() const { return recent_; }  ///< the latest first; none of found()

  bool is_recent(const std::string& path) const;  ///< without a look at the disk

  /// A scene was opened from there, or saved there.
  void note(const std::string& path);

  /// Whether one has come to the list since this was last asked: to be shown, whatever else is.
  bool take_news() { return std::exchange(news_, false); }

  std::vector<std::string> recent_paths() const;  ///< absolute, for the next start

 private:
  std::vector<CatalogEntry> found_, recent_;
  bool news_ = false;
};

}  // namespace riffle
