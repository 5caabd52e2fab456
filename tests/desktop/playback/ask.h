#pragma once

#include <future>
#include <memory>
#include <utility>

#include "app/desktop/playback/playback.h"
#include "app/desktop/playback/worker.h"

namespace riffle::test {

/// What `question(playback)` returns on the worker's own thread, after all earlier requests. `Worker::status()` may still be
/// the one from before them.
template <class Question>
auto ask(desktop::Worker& worker, Question question) {
  auto answer = std::make_shared<std::promise<decltype(question(std::declval<desktop::Playback&>()))>>();
  auto future = answer->get_future();
  worker.post("a question", [=](desktop::Playback& playback) { answer->set_value(question(playback)); });
  return future.get();
}

}  // namespace riffle::test
