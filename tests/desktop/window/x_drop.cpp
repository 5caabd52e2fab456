// Dragging files from a file manager onto a window: the source's half of the protocol XDND, version 5.

#include <poll.h>

#include <chrono>
#include <stdexcept>

#include "x_connection.h"

namespace riffle::test {

namespace {

constexpr auto kPatience = std::chrono::minutes(1);

/// The source's own window, and the selection that the target requests from it.
class DragSource {
 public:
  DragSource(Display* display, Window root) : display_(display) {
    window_ = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display, XInternAtom(display, "XdndSelection", False), window_, CurrentTime);
  }
  ~DragSource() { XDestroyWindow(display_, window_); }
  DragSource(const DragSource&) = delete;
  DragSource& operator=(const DragSource&) = delete;

  Window window() const { return window_; }

  /// Serves requests for the list until the target sends such a message. @return its data; empty if it never arrived
  std::vector<long> wait_for(const char* message, const std::string& list) {
    const auto begin = std::chrono::steady_clock::now();
    const Atom wanted = XInternAtom(display_, message, False);
    while (std::chrono::steady_clock::now() - begin < kPatience) {
      while (XPending(display_) > 0) {
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) hand_over(event.xselectionrequest, list);
        if (event.type == ClientMessage && event.xclient.message_type == wanted)
          return {std::begin(event.xclient.data.l), std::end(event.xclient.data.l)};
      }
      pollfd ready{ConnectionNumber(display_), POLLIN, 0};
      poll(&ready, 1, 100);
    }
    return {};
  }

 private:
  void hand_over(const XSelectionRequestEvent& request, const std::string& list) {
    XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list.data()), static_cast<int>(list.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
    XFlush(display_);
  }

  Display* display_;
  Window window_ = 0;
};

}  // namespace

std::string XDisplay::drop_files(XWindow window, const std::vector<std::filesystem::path>& files) {
  if (x_->property(window, "XdndAware").empty()) return "the window takes no dropped files";
  std::string list;
  for (const auto& file : files) list += "file://" + file.string() + "\r\n";

  DragSource source(x_->display, x_->root);
  const auto from = static_cast<long>(source.window());
  const WindowArea at = area(window);
  const Point middle{at.corner.x + at.width / 2, at.corner.y + at.height / 2};
  x_->send(window, window, "XdndEnter", {from, 5L << 24, static_cast<long>(x_->atom("text/uri-list")), 0, 0},
           NoEventMask);
  x_->send(window, window, "XdndPosition",
           {from, 0, static_cast<long>(middle.x) << 16 | middle.y, CurrentTime,
            static_cast<long>(x_->atom("XdndActionCopy"))},
           NoEventMask);
  const std::vector<long> status = source.wait_for("XdndStatus", list);
  if (status.empty()) return "the window does not answer to a drag over it";
  if (!(status[1] & 1)) return "the window does not want the files";
  x_->send(window, window, "XdndDrop", {from, 0, CurrentTime, 0, 0}, NoEventMask);
  return source.wait_for("XdndFinished", list).empty() ? "the window does not finish the drop" : "";
}

}  // namespace riffle::test
