#include "core/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace riffle {

TEST(BoundedQueue, KeepsTheOrderOfTwoThreads) {
  BoundedQueue<std::unique_ptr<int>> queue(3);
  std::thread producer([&] {
    for (int k = 0; k < 1000; ++k) EXPECT_TRUE(queue.push(std::make_unique<int>(k)));
    queue.close();
  });
  int expected = 0;
  while (const auto item = queue.pop()) EXPECT_EQ(**item, expected++);
  producer.join();
  EXPECT_EQ(expected, 1000) << "what was pushed before close() is popped";
}

TEST(BoundedQueue, AFullOneMakesAPushWait) {
  BoundedQueue<int> queue(2);
  EXPECT_FALSE(queue.full());
  queue.push(1);
  queue.push(2);
  EXPECT_TRUE(queue.full());
  std::atomic<bool> pushed = false;
  std::thread producer([&] {
    queue.push(3);
    pushed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(pushed);
  EXPECT_EQ(queue.pop(), 1);
  producer.join();
  EXPECT_TRUE(pushed);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 3);
}

TEST(BoundedQueue, AClosedOneTakesNothingAndWaitsForNothing) {
  BoundedQueue<int> queue(1);
  queue.push(1);
  std::atomic<bool> taken = true;
  std::thread producer([&] { taken = queue.push(2); });
  std::thread closer([&] { queue.close(); });
  producer.join();
  closer.join();
  EXPECT_FALSE(taken);
  EXPECT_FALSE(queue.full()) << "a push would not wait";
  EXPECT_FALSE(queue.push(3));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, AnAbandonedOneDropsWhatIsInIt) {
  BoundedQueue<std::shared_ptr<int>> queue(BoundedQueue<std::shared_ptr<int>>::kNoLimit);
  const auto held = std::make_shared<int>(7);
  for (int k = 0; k < 100; ++k) EXPECT_TRUE(queue.push(held));
  EXPECT_EQ(held.use_count(), 101);
  queue.abandon();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, APopThatWaitsEndsWithClose) {
  BoundedQueue<int> queue(1);
  std::thread consumer([&] { EXPECT_EQ(queue.pop(), std::nullopt); });
  queue.close();
  consumer.join();
}

}  // namespace riffle
