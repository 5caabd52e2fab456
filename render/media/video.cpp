#include "render/media/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/bounded_queue.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "render/media/process.h"

namespace riffle::render {
namespace {

constexpr std::size_t kQueueFrames = 8;  // 22 MB at 1280 x 720: enough for the burst of a key frame

const char* container_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".mp4" || extension == ".m4v") return "mp4";
  if (extension == ".mov") return "mov";
  if (extension == ".mkv") return "matroska";
  throw InputError(fmt::format("{}: a movie's name must end in .mp4, .m4v, .mov or .mkv", path));
}

/// The best encoder that this ffmpeg has, and its options.
std::vector<std::string> choose_encoder(const std::string& ffmpeg) {
  const std::string list = output_of({ffmpeg, "-hide_banner", "-loglevel", "error", "-encoders"}).value_or("");
  const auto has = [&](const char* name) { return list.find(fmt::format(" {} ", name)) != std::string::npos; };
  if (has("libx264")) return {"libx264", "-preset", "veryfast", "-crf", "18"};
  if (has("libopenh264")) return {"libopenh264", "-b:v", "12M"};
  if (has("mpeg4")) return {"mpeg4", "-q:v", "3"};
  throw Unavailable(fmt::format("{} has none of the encoders libx264, libopenh264, mpeg4", ffmpeg));
}

}  // namespace

void require_movie_name(const std::string& path) { container_of(path); }

struct VideoWriter::Impl {
  std::string path, temporary, encoder;
  PartialLock lock;  ///< of `temporary`
  std::size_t frame_bytes = 0;
  int frames = 0;
  pid_t process = -1;
  int input = -1;   ///< the writing end of ffmpeg's standard input
  int errors = -1;  ///< ffmpeg's standard error, a file in memory
  bool finished = false;

  BoundedQueue<std::vector<std::uint8_t>> queue{kQueueFrames};
  std::atomic<int> write_error = 0;  ///< errno of the pipe; set before the queue is closed for it
  std::atomic<int> written = 0;      ///< whole frames in the pipe
  std::atomic<bool> early = false;
  std::thread feeder;

  void feed() {
    // A dead reader must give an error code here, not a signal to the whole program.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (const auto frame = queue.pop()) {
      if (early && written > 0) continue;
      for (std::size_t done = 0; done < frame->size() && write_error == 0;) {
        const ssize_t written = ::write(input, frame->data() + done, frame->size() - done);
        if (written > 0) done += static_cast<std::size_t>(written);
        if (written < 0 && errno != EINTR) write_error = errno;
      }
      if (write_error != 0)
        queue.abandon();
      else
        ++written;
    }
    close(std::exchange(input, -1));
  }

  void stop(bool abandon) {
    abandon ? queue.abandon() : queue.close();
    if (abandon && process > 0) kill(process, SIGKILL);  // also ends a write that waits for the process
    if (feeder.joinable()) feeder.join();
  }

  std::string ffmpeg_says() const {
    const std::string text = last_lines(errors, 4);
    return text.empty() ? "it gave no reason" : text;
  }

  void clean_up() {
    stop(true);
    if (process > 0) wait_process(std::exchange(process, -1));
    if (input >= 0) close(std::exchange(input, -1));
    if (errors >= 0) close(std::exchange(errors, -1));
    if (!finished && !temporary.empty()) unlink(temporary.c_str());
  }
};

VideoWriter::VideoWriter(const std::string& path, int width, int height, double frames_per_second)
    : impl_(std::make_unique<Impl>()) {
  Impl& v = *impl_;
  const char* container = container_of(path);
  if (width <= 0 || height <= 0 || !(frames_per_second > 0))
    throw InputError(fmt::format("{}: a movie needs a size and a frame rate above zero", path));
  const std::string ffmpeg = find_program("ffmpeg");
  if (ffmpeg.empty()) throw Unavailable(fmt::format("{}: movies need ffmpeg, which is not on the PATH", path));
  const std::vector<std::string> encoder = choose_encoder(ffmpeg);
  v.path = path;
  v.temporary = partial_name(path).string();
  v.encoder = encoder[0];
  v.frame_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;

  v.lock = PartialLock(v.temporary, path);  // ffmpeg would report a failure too, but only after the first frames

  int ends[2] = {-1, -1};
  v.errors = memfd_create("ffmpeg errors", MFD_CLOEXEC);
  if (v.errors < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    const int error = errno;
    v.clean_up();
    throw RuntimeFailure(fmt::format("{}: cannot write the movie: {}", path, std::strerror(error)));
  }
  v.input = ends[1];
  fcntl(v.input, F_SETPIPE_SZ, 1 << 20);  // fewer process switches; if this is not allowed, the default remains
  std::vector<std::string> arguments = {
      ffmpeg, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
      fmt::format("{}x{}", width, height), "-framerate", fmt::format("{}", frames_per_second), "-i", "pipe:0", "-an",
      // 4:2:0 needs even sides; the matrix is named, since players guess it from the size
      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p",
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-c:v"};
  arguments.insert(arguments.end(), encoder.begin(), encoder.end());
  if (std::string_view(container) != "matroska") arguments.insert(arguments.end(), {"-movflags", "+faststart"});
  arguments.insert(arguments.end(), {"-f", container, "file:" + v.temporary});
  try {
    v.process = start_process(arguments, ends[0], -1, v.errors);
    close(std::exchange(ends[0], -1));
    v.feeder = std::thread([&v] { v.feed(); });
  } catch (...) {
    if (ends[0] >= 0) close(ends[0]);
    v.clean_up();
    throw;
  }
  if (v.encoder != "libx264")
    log::info("{}: this ffmpeg has no libx264, the movie is encoded with {}", path, v.encoder);
}

VideoWriter::~VideoWriter() { impl_->clean_up(); }

void VideoWriter::write(std::vector<std::uint8_t> rgb) {
  Impl& v = *impl_;
  if (rgb.size() != v.frame_bytes)
    throw RuntimeFailure(
        fmt::format("{}: a frame of {} bytes where {} are expected", v.path, rgb.size(), v.frame_bytes));
  if (v.queue.push(std::move(rgb))) {
    ++v.frames;
    return;
  }
  if (v.write_error == 0) throw RuntimeFailure(fmt::format("{}: the movie is already finished", v.path));
  if (v.process > 0) wait_process(std::exchange(v.process, -1));  // a later write after the failure finds no process
  throw RuntimeFailure(fmt::format("{}: ffmpeg stopped: {}", v.path, v.ffmpeg_says()));
}

void VideoWriter::finish() {
  Impl& v = *impl_;
  if (v.finished) return;
  v.stop(false);
  const int code = v.process > 0 ? wait_process(std::exchange(v.process, -1)) : 1;
  // If the disk is too full for the file's index, ffmpeg still ends with 0 but prints an error. Such a file cannot be
  // played.
  if (code != 0 || v.write_error != 0 || !last_lines(v.errors, 1).empty())
    throw RuntimeFailure(fmt::format("{}: ffmpeg failed with code {}: {}", v.path, code, v.ffmpeg_says()));
  if (v.frames == 0) throw RuntimeFailure(fmt::format("{}: a movie without frames is not written", v.path));
  publish(v.temporary, v.path);
  v.finished = true;
}

void VideoWriter::end_early() { impl_->early = true; }

bool VideoWriter::full() const { return impl_->queue.full(); }

std::uintmax_t VideoWriter::bytes() const {
  std::error_code not_there;
  const auto bytes = std::filesystem::file_size(impl_->finished ? impl_->path : impl_->temporary, not_there);
  return not_there ? 0 : bytes;
}

int VideoWriter::frames() const { return impl_->frames; }
int VideoWriter::written() const { return impl_->written; }
const std::string& VideoWriter::encoder() const { return impl_->encoder; }

bool VideoWriter::available(std::string* version) {
  const std::string ffmpeg = find_program("ffmpeg");
  if (ffmpeg.empty()) {
    if (version) *version = "ffmpeg is not on the PATH";
    return false;
  }
  const auto text = output_of({ffmpeg, "-version"});
  if (!text || !text->starts_with("ffmpeg version ")) {
    if (version) *version = ffmpeg + " does not run";
    return false;
  }
  if (version) *version = text->substr(15, text->find(' ', 15) - 15);
  return true;
}

}  // namespace riffle::render
