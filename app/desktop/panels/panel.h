#pragma once
/// The interface of a panel: a row {name, title, place, open at first, draw} in its own file; panels.cpp lists them.

#include <any>
#include <functional>
#include <map>
#include <string>
#include <typeindex>

#include "core/math/camera.h"

namespace riffle::desktop {

class Exports;
class SceneEditor;
class SceneList;
class Thumbnails;
class Worker;
struct NewScene;
struct ViewState;
struct WorkerStatus;

/// A part of the window [pixel].
struct ScreenArea {
  float x = 0, y = 0, width = 0, height = 0;
};

/// The memory of panels from picture to picture: one value of each type, made at the first request.
class PanelMemory {
 public:
  template <class T>
  T& of() {
    std::any& kept = kept_[typeid(T)];
    if (!kept.has_value()) kept = T{};
    return *std::any_cast<T>(&kept);
  }

 private:
  std::map<std::type_index, std::any> kept_;
};

/// The data that a panel shows, and the actions that it can request.
struct PanelContext {
  Worker& worker;
  const WorkerStatus& status;
  SceneEditor& editor;
  ViewState& view;
  Exports& exports;
  SceneList& scenes;
  Thumbnails& thumbnails;
  PanelMemory& memory;
  std::function<void(const std::string&)> open_scene;  ///< takes a name or a path
  std::function<void(const NewScene&)> new_scene;
  bool escape = false;    ///< pressed since the last picture: closes what has popped up
  ScreenArea picture;     ///< of the particles; known once the panels beside it are drawn
  bool notice = false;    ///< a notice is shown; questions wait
  float taken_above = 0;  ///< [pixel] of the picture's height, from its upper edge, that the note of a recording covers
};

/// The window's camera along the axes of the domain in the newest picture: what places of particles are seen with.
Camera camera_in_picture(const PanelContext& context);

/// Whether the first scene, or one after a failure, is still to come.
bool awaits_scene(const PanelContext& context);

struct Panel {
  enum class Place {
    Side,       ///< in the column at the left, under a heading that opens and closes it; "" as title: without one
    LowerEdge,  ///< in the bar below the picture
    Picture     ///< over the picture, in a window of its own
  };

  const char* name;   ///< for InterfaceTrace, and for remembering whether the heading is open
  const char* title;  ///< of the heading
  Place place;
  bool open_at_first;
  void (*draw)(PanelContext&);
};

}  // namespace riffle::desktop
