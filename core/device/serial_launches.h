#pragma once
/// Launches on a GPU that do not overlap (core/device/launch.cuh), for a part of a program that is slower with overlap.

namespace riffle {

/// While one exists, no launch of its thread overlaps the one before it.
class SerialLaunches {
 public:
  SerialLaunches() { ++number(); }
  ~SerialLaunches() { --number(); }
  SerialLaunches(const SerialLaunches&) = delete;
  SerialLaunches& operator=(const SerialLaunches&) = delete;

  static bool asked_for() { return number() > 0; }

 private:
  static int& number() {
    static thread_local int number = 0;
    return number;
  }
};

}  // namespace riffle
