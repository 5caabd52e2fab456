#pragma once
/// Walks the scene format and a document together: every value is checked and stored, everything wrong is reported.

#include <map>
#include <string>

#include "scenes/document/document.h"
#include "scenes/format/format.h"

namespace riffle {

/// Where each key of the document is, by its path.
class KeyLocations {
 public:
  void add(const std::string& path, const Location& at) { at_[path] = at; }
  bool given(const std::string& path) const { return at_.count(path) > 0; }
  const Location& of(const std::string& path)
      const;  ///< of an override at or below it, else of the key, else of the nearest one above

 private:
  std::map<std::string, Location> at_;
};

SceneDraft read_document(const Node& root, Problems& problems, KeyLocations& locations);

}  // namespace riffle
