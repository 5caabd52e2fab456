// Every report of a test program names the commit that the program was built from.

#include <gtest/gtest.h>

#include "commit_stamp.h"

namespace riffle::test {
namespace {

class ReportEnvironment : public ::testing::Environment {
  void SetUp() override { ::testing::Test::RecordProperty("commit", RIFFLE_COMMIT); }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new ReportEnvironment);

}  // namespace
}  // namespace riffle::test
