#pragma once
/// Reads a document by the scene format: checks and stores every value, and reports every mistake.

#include <map>
#include <string>

#include "scenes/document/document.h"
#include "scenes/format/format.h"

namespace riffle::scenes {

/// The locations of the keys of a document, by path.
class KeyLocations {
 public:
  void add(const std::string& path, const Location& at) { at_[path] = at; }
  bool given(const std::string& path) const { return at_.count(path) > 0; }
  /// The location of an override of the key or of a key in it; else of the key; else of the nearest map or list above it.
  const Location& of(const std::string& path) const;

 private:
  std::map<std::string, Location> at_;
};

SceneDraft read_document(const Node& root, Problems& problems, KeyLocations& locations);

}  // namespace riffle::scenes
