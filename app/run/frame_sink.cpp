#include "app/run/frame_sink.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "core/bounded_queue.h"
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
  void write(render::Image frame) override { video_.write(std::move(frame.rgb)); }
  void finish() override { video_.finish(); }
  void end_early() override {
    early_ = true;
    video_.end_early();
  }
  bool ended_early() const override { return early_; }
  int frames() const override { return video_.frames(); }
  int written() const override { return video_.written(); }
  std::uintmax_t bytes() const override { return video_.bytes(); }

 private:
  render::VideoWriter video_;
  std::atomic<bool> early_ = false;
};

class PictureSink : public FrameSink {
 public:
  explicit PictureSink(fs::path folder) : folder_(std::move(folder)) {
    prepare_folder(folder_);
    thread_ = std::thread([this] { run(); });
  }
  ~PictureSink() override {
    queue_.abandon();
    stop();
  }

  bool full() const override { return queue_.full(); }

  void write(render::Image frame) override {
    if (queue_.push(std::move(frame)))
      ++frames_;
    else if (failure_)
      std::rethrow_exception(failure_);
  }

  void finish() override {
    queue_.close();
    stop();
    if (failure_) std::rethrow_exception(failure_);
  }

  void end_early() override { early_ = true; }
  bool ended_early() const override { return early_; }
  int frames() const override { return frames_; }
  int written() const override { return written_; }
  std::uintmax_t bytes() const override { return bytes_; }

 private:
  static constexpr std::size_t kQueueFrames = 8;

  void stop() {
    if (thread_.joinable()) thread_.join();
    std::error_code not_empty;
    fs::remove(folder_, not_empty);  // only if there is no picture in it
  }

  void run() {
    try {
      while (const auto frame = queue_.pop()) {
        if (early_ && written_ > 0) continue;
        const fs::path file = folder_ / fmt::format("frame_{:06}.png", written_ + 1);
        render::write_png(file.string(), *frame);
        std::error_code ignored;
        bytes_ += fs::file_size(file, ignored);
        ++written_;
      }
    } catch (...) {
      failure_ = std::current_exception();
      queue_.abandon();
    }
  }

  fs::path folder_;
  std::atomic<std::uintmax_t> bytes_ = 0;
  std::atomic<int> frames_ = 0, written_ = 0;
  std::atomic<bool> early_ = false;
  BoundedQueue<render::Image> queue_{kQueueFrames};
  std::exception_ptr failure_;  ///< set before the queue is closed for it
  std::thread thread_;
};

}  // namespace

std::unique_ptr<FrameSink> make_movie_sink(const fs::path& file, int width, int height, double frames_per_second) {
  prepare_file(file);
  return std::make_unique<MovieSink>(file, width, height, frames_per_second);
}

std::unique_ptr<FrameSink> make_picture_sink(const fs::path& folder) { return std::make_unique<PictureSink>(folder); }

}  // namespace riffle
