#include "app/desktop/recording/background_writer.h"

#include <exception>
#include <new>
#include <utility>

#include "core/text/log.h"

namespace riffle::desktop {

BackgroundWriter::~BackgroundWriter() {
  tasks_.close();
  thread_.join();
  for (const Done& done : done_)
    if (!done.failure.empty()) log::error("{}", done.failure);
}

void BackgroundWriter::write(std::filesystem::path file, std::function<void(const std::filesystem::path&)> write,
                             AfterEnd after_end) {
  ++waiting_;
  tasks_.push({std::move(file), std::move(write), after_end});
}

std::deque<BackgroundWriter::Done> BackgroundWriter::take_done() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

void BackgroundWriter::run() {
  while (auto task = tasks_.pop()) {
    if (early_ && task->after_end == AfterEnd::Dropped) {
      log::warn("{}: not written, because the window was closed", task->file.string());
      task->write = nullptr;
      --waiting_;
      continue;
    }
    Done done{task->file, ""};
    try {
      task->write(task->file);
    } catch (const std::bad_alloc&) {
      done.failure = task->file.string() + ": out of memory";
    } catch (const std::exception& failure) {
      done.failure = failure.what();
    }
    task->write = nullptr;  // it may hold much memory
    const std::lock_guard lock(mutex_);
    done_.push_back(std::move(done));
    --waiting_;
  }
}

}  // namespace riffle::desktop
