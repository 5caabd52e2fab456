#include "core/text/log.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

struct Captured {
  std::string out, err;
};

template <class Action>
Captured capture(const Action& action) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  action();
  std::fflush(nullptr);
  Captured captured;
  captured.err = testing::internal::GetCapturedStderr();
  captured.out = testing::internal::GetCapturedStdout();
  return captured;
}

TEST(Log, EveryMessageGoesToStandardErrorAndNoneToTheResults) {
  const Captured captured = capture([] {
    log::set_level(log::Level::Debug);
    log::debug("one {}", 1);
    log::info("two {}", 2);
    log::warn("three {}", 3);
    log::error("four {}", 4);
    log::set_level(log::Level::Info);
  });
  EXPECT_EQ(captured.out, "");
  for (const char* text : {"one 1", "two 2", "three 3", "four 4"})
    EXPECT_NE(captured.err.find(text), std::string::npos) << captured.err;
}

TEST(Log, ALevelSilencesWhatIsBelowIt) {
  const Captured captured = capture([] {
    log::set_level(log::Level::Warning);
    log::info("quiet");
    log::warn("loud");
    log::set_level(log::Level::Off);
    log::error("off");
    log::set_level(log::Level::Info);
  });
  EXPECT_EQ(captured.err.find("quiet"), std::string::npos);
  EXPECT_NE(captured.err.find("loud"), std::string::npos);
  EXPECT_EQ(captured.err.find("off"), std::string::npos);
}

TEST(Log, BracesInAMessageAreNotAFormat) {
  const Captured captured = capture([] { log::write(log::Level::Error, "{} {0} {nonsense"); });
  EXPECT_NE(captured.err.find("{} {0} {nonsense"), std::string::npos) << captured.err;
}

}  // namespace
}  // namespace riffle::test
