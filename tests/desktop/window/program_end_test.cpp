#include "program_end.h"

namespace riffle::test {
namespace {

const char* const kFailedLeakCheck =
    "Tracer caught signal 11: addr=0x7f20a41fa910 pc=0x7f20c1a3a9d5 sp=0x7f20a0bfed10\n"
    "==25102==LeakSanitizer has encountered a fatal error.\n"
    "==25102==HINT: For debugging, try setting environment variable LSAN_OPTIONS=verbosity=1:log_threads=1\n"
    "==25102==HINT: LeakSanitizer does not work under ptrace (strace, gdb, etc)\n";

TEST(ProgramEnd, WithoutAComplaintIsJudgedByTheExitCode) {
  EXPECT_EQ(judge_end({0, "", "a warning\n"}, 0, 0).fault, "");
  EXPECT_FALSE(judge_end({0, "", ""}, 0, 0).leaks_unknown);
  EXPECT_EQ(judge_end({139, "", ""}, std::nullopt, 0).fault, "exit code 139, expected 0\n");
  EXPECT_EQ(judge_end({1, "", ""}, 0, 0).fault, "exit code 1, expected 0\n") << "nothing says that a sanitizer did it";
  EXPECT_EQ(judge_end({143, "", ""}, 143, 143).fault, "");
  EXPECT_NE(judge_end({0, "", ""}, 0, 143).fault, "");
}

TEST(ProgramEnd, WithAComplaintIsAFault) {
  for (const char* complaint : {"==1==ERROR: LeakSanitizer: detected memory leaks", "x.cpp:3: runtime error: overflow",
                                "==1==ERROR: AddressSanitizer: heap-use-after-free", "OpenGL: out of memory"}) {
    EXPECT_EQ(judge_end({0, "", complaint}, 0, 0).fault, std::string(complaint) + "\n");
    EXPECT_EQ(judge_end({1, "", std::string(complaint) + "\n" + kFailedLeakCheck}, 0, 0).fault,
              std::string(complaint) + "\n");
  }
}

TEST(ProgramEnd, IsNoFaultWhereOnlyTheLeakCheckFailed) {
  const End end = judge_end({1, "", kFailedLeakCheck}, 0, 0);
  EXPECT_EQ(end.fault, "");
  EXPECT_TRUE(end.leaks_unknown);
}

TEST(ProgramEnd, IsTheProgramsOwnWhereTheLeakCheckFailed) {
  EXPECT_EQ(judge_end({1, "", kFailedLeakCheck}, 2, 0).fault, "exit code 2, expected 0\n");
  EXPECT_EQ(judge_end({1, "", kFailedLeakCheck}, std::nullopt, 0).fault, "the program did not come to its end\n");
}

}  // namespace
}  // namespace riffle::test
