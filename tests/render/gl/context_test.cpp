/// A missing context is a state with a reason.

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "core/error.h"
#include "render/media/process.h"
#include "tests/render/picture.h"

namespace riffle::test {
namespace {

/// This program again, with one test and a changed environment: libEGL reads its environment once per process.
std::string run_again(const std::string& filter, const std::string& variable) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0) return "";
  return render::output_of({"/usr/bin/env", variable, "RIFFLE_TEST_CHILD=1", self, "--gtest_filter=" + filter,
                            "--gtest_also_run_disabled_tests"})
      .value_or("the child failed");
}

bool is_child() { return std::getenv("RIFFLE_TEST_CHILD") != nullptr; }

TEST(Context, DISABLED_PrintsWhyThereIsNone) {
  if (!is_child()) GTEST_SKIP() << "a part of another test";
  const render::OffscreenContext::Probe probe = render::OffscreenContext::probe();
  EXPECT_FALSE(probe.found);
  EXPECT_THROW(render::OffscreenContext{}, Unavailable);
  std::printf("reason: %s\n", probe.why_not.c_str());
}

TEST(Context, WithoutADriverHasAReason) {
  const std::string text =
      run_again("Context.DISABLED_PrintsWhyThereIsNone", "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json");
  ASSERT_NE(text.find("reason: no off-screen OpenGL"), std::string::npos) << text;
  EXPECT_NE(text.find("EGL"), std::string::npos) << text;
}

class ContextInfo : public GlTest {};

TEST_F(ContextInfo, IsAtLeastWhatWasAskedFor) {
  const render::GlInfo& info = context()->info();
  EXPECT_GE(10 * info.major + info.minor, 45);
  EXPECT_FALSE(info.renderer.empty());
  EXPECT_FALSE(context()->platform().empty());
  EXPECT_EQ(info.software,
            info.renderer.find("llvmpipe") != std::string::npos || info.renderer.find("softpipe") != std::string::npos);
}

TEST_F(ContextInfo, SecondContextLeavesTheFirstAlone) {
  // Both share one EGL display: ending the second must not end the first.
  {
    render::OffscreenContext second;
    EXPECT_EQ(second.info().renderer, context()->info().renderer);
  }
  context()->make_current();
  render::Renderer renderer(16, 16, Device{});
  renderer.draw({}, {}, {}, unit_box());
  EXPECT_EQ(renderer.read_image().rgb.size(), 16u * 16 * 3);
}

// The window's interface restores the program that it found in use.
TEST_F(ContextInfo, ARendererThatIsGoneLeavesNoProgramInUse) {
  {
    render::Renderer renderer(16, 16, Device{});
    renderer.draw({}, {}, {}, unit_box());
    renderer.read_image();
  }
  GLint in_use = -1;
  glGetIntegerv(GL_CURRENT_PROGRAM, &in_use);
  EXPECT_EQ(in_use, 0);
}

}  // namespace
}  // namespace riffle::test
