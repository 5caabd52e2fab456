#pragma once
/// Writes files one after the other on a thread of its own.

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace riffle {

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

  /// From any thread. @param write makes the file; if it throws, Done::failure says why
  void write(std::filesystem::path file, std::function<void(const std::filesystem::path&)> write);

  std::deque<Done> take_done();
  std::size_t waiting() const;  ///< files not yet done

 private:
  struct Task {
    std::filesystem::path file;
    std::function<void(const std::filesystem::path&)> write;
  };
  void run();

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::deque<Done> done_;
  bool working_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace riffle
