#include "app/run/frame_sink.h"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/text/output_files.h"
#include "render/media/png.h"
#include "render/media/video.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

class MovieSink : public FrameSink {
 public:
  MovieSink(const fs::path& file, int width, int height, double frames_per_second)
      : video_(file.string(), width, height, frames_per_second) {}

  bool full() const override { return video_.full(); }
  void write(Image frame) override { video_.write(std::move(frame.rgb)); }
  void finish() override { video_.finish(); }
  int frames() const override { return video_.frames(); }
  std::uintmax_t bytes() const override { return video_.bytes(); }

 private:
  VideoWriter video_;
};

class PictureSink : public FrameSink {
 public:
  explicit PictureSink(fs::path folder) : folder_(std::move(folder)) {
    prepare_folder(folder_);
    thread_ = std::thread([this] { run(); });
  }
  ~PictureSink() override { stop(true); }

  bool full() const override {
    const std::lock_guard lock(mutex_);
    return queue_.size() >= kQueue && !failure_;
  }

  void write(Image frame) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.size() < kQueue || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    queue_.push_back(std::move(frame));
    ++frames_;
    changed_.notify_all();
  }

  void finish() override {
    stop(false);
    if (failure_) std::rethrow_exception(failure_);
  }

  int frames() const override {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  std::uintmax_t bytes() const override { return bytes_; }

 private:
  static constexpr std::size_t kQueue = 8;

  void stop(bool abandon) {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      if (abandon) queue_.clear();
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    std::error_code not_empty;
    fs::remove(folder_, not_empty);  // what no picture came into
  }

  void run() {
    for (int number = 1;; ++number) {
      Image frame;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !queue_.empty() || closing_; });
        if (queue_.empty()) return;
        frame = std::move(queue_.front());
        queue_.pop_front();
        changed_.notify_all();
      }
      try {
        const fs::path file = folder_ / fmt::format("frame_{:06}.png", number);
        write_png(file.string(), frame.width, frame.height, frame.rgb);
        std::error_code ignored;
        bytes_ += fs::file_size(file, ignored);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        queue_.clear();
        changed_.notify_all();
        return;
      }
    }
  }

  fs::path folder_;
  std::atomic<std::uintmax_t> bytes_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Image> queue_;
  std::exception_ptr failure_;
  int frames_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<FrameSink> make_movie_sink(const fs::path& file, int width, int height, double frames_per_second) {
  prepare_file(file);
  return std::make_unique<MovieSink>(file, width, height, frames_per_second);
}

std::unique_ptr<FrameSink> make_picture_sink(const fs::path& folder) { return std::make_unique<PictureSink>(folder); }

}  // namespace riffle
