#pragma once
/// Writes files one after the other on a thread of its own.

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/bounded_queue.h"

namespace riffle::desktop {

class BackgroundWriter {
 public:
  struct Done {
    std::filesystem::path file;
    std::string failure;  ///< "" if the file was written
  };

  BackgroundWriter() : thread_([this] { run(); }) {}
  ~BackgroundWriter();  ///< waits until all is written; logs failures that were not taken
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  enum class AfterEnd { Dropped, Written };

  /// May be called from any thread. @param write makes the file; its exception becomes Done::failure
  /// @param after_end what happens to a file that waits when end_early() is called, or comes after it
  void write(std::filesystem::path file, std::function<void(const std::filesystem::path&)> write,
             AfterEnd after_end = AfterEnd::Dropped);

  /// Files that have not begun to be written are dropped from now on, with a line in the log for each.
  void end_early() { early_ = true; }
  void go_on() { early_ = false; }  ///< takes end_early() back for the files to come

  std::deque<Done> take_done();
  std::size_t waiting() const { return waiting_; }  ///< files not yet done

 private:
  struct Task {
    std::filesystem::path file;
    std::function<void(const std::filesystem::path&)> write;
    AfterEnd after_end = AfterEnd::Dropped;
  };
  void run();

  BoundedQueue<Task> tasks_{BoundedQueue<Task>::kNoLimit};
  std::atomic<std::size_t> waiting_ = 0;
  std::atomic<bool> early_ = false;
  std::mutex mutex_;  // of done_
  std::deque<Done> done_;
  std::thread thread_;
};

}  // namespace riffle::desktop
