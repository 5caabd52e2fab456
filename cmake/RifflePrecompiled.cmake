# Headers of other projects that most units include are parsed once, which saves about 0.9 s in each unit. Riffle's own headers
# are not precompiled, so that changing one recompiles only the units that include it.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without.
#
# riffle_precompile(TARGET) is for libraries; riffle_precompile_tests(TARGET), with GoogleTest, for executables of tests.
# GCC accepts a precompiled header only with the same flags. All targets but those in CUDA itself have the same.

set(riffle_precompiled_headers
  <algorithm> <array> <atomic> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric>
  <optional> <set> <span> <sstream> <string> <thread> <tuple> <variant> <vector> <fmt/format.h>)
set(riffle_empty_unit ${PROJECT_BINARY_DIR}/generated/empty.cpp)
file(CONFIGURE OUTPUT ${riffle_empty_unit} CONTENT "" @ONLY)

add_library(riffle_precompiled OBJECT ${riffle_empty_unit})
target_link_libraries(riffle_precompiled PRIVATE riffle_flags fmt::fmt)
target_precompile_headers(riffle_precompiled PRIVATE ${riffle_precompiled_headers})
set_target_properties(riffle_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ${RIFFLE_WITH_CUDA})   # as riffle_library()

function(riffle_precompile target)
  target_precompile_headers(${target} REUSE_FROM riffle_precompiled)
endfunction()

function(riffle_precompile_tests target)
  if(NOT TARGET riffle_precompiled_tests)
    add_library(riffle_precompiled_tests OBJECT ${riffle_empty_unit})
    target_link_libraries(riffle_precompiled_tests PRIVATE riffle_flags fmt::fmt GTest::gtest)
    target_precompile_headers(riffle_precompiled_tests PRIVATE ${riffle_precompiled_headers} <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM riffle_precompiled_tests)
endfunction()
