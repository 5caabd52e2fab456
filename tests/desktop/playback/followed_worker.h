#pragma once
/// Waiting for a worker while the editor follows it, as in the window.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/desktop/playback/scene_editor.h"
#include "app/desktop/playback/worker.h"

namespace riffle::test {

/// condition(WorkerStatus): whether the wait is over. A failure after a minute.
template <class Condition>
::testing::AssertionResult follow_until(desktop::Worker& worker, desktop::SceneEditor& editor,
                                        const Condition& condition) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const auto status = worker.status();
    editor.follow(*status);
    if (condition(*status)) return ::testing::AssertionSuccess();
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60))
      return ::testing::AssertionFailure()
             << "not within a minute; state " << status->state << ", step " << status->clock.step;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace riffle::test
