#include "app/desktop/recording/background_writer.h"

#include <exception>
#include <new>
#include <utility>

#include "core/text/log.h"

namespace riffle {

BackgroundWriter::~BackgroundWriter() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  thread_.join();
  for (const Done& done : done_)
    if (!done.failure.empty()) log::error("{}", done.failure);
}

void BackgroundWriter::write(std::filesystem::path file, std::function<void(const std::filesystem::path&)> write) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back({std::move(file), std::move(write)});
  changed_.notify_all();
}

std::deque<BackgroundWriter::Done> BackgroundWriter::take_done() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

std::size_t BackgroundWriter::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size() + (working_ ? 1 : 0);
}

void BackgroundWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !tasks_.empty() || stop_; });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    working_ = true;
    lock.unlock();
    Done done{task.file, ""};
    try {
      task.write(task.file);
    } catch (const std::bad_alloc&) {
      done.failure = task.file.string() + ": out of memory";
    } catch (const std::exception& failure) {
      done.failure = failure.what();
    }
    task.write = nullptr;  // it may hold much memory
    lock.lock();
    working_ = false;
    done_.push_back(std::move(done));
  }
}

}  // namespace riffle
