# Headers of other projects that most units include are parsed once, which saves about 0.9 s in each unit. Riffle's own headers
# are not precompiled, so that changing one recompiles only the units that include it.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without.
#
# riffle_precompile(TARGET) is for libraries of kernels and of what runs in every step or picture.
# riffle_light(TARGET) is for all else of the program: text, files, options, panels. It runs once, or once for a picture. -O1
# compiles it in three quarters of the time; with sanitizers -O0 compiles it in half of the time.
# riffle_light_tests(TARGET) is for executables of tests: -O0, with GoogleTest.
# Each of the three has a precompiled header of its own, since GCC 12 crashes where a unit has another -O than the header. A source
# with flags of its own needs SKIP_PRECOMPILE_HEADERS.

set(riffle_precompiled_headers
  <algorithm> <array> <atomic> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric>
  <optional> <set> <span> <sstream> <string> <thread> <tuple> <variant> <vector> <fmt/format.h>)
set(riffle_empty_unit ${PROJECT_BINARY_DIR}/generated/empty.cpp)
file(CONFIGURE OUTPUT ${riffle_empty_unit} CONTENT "" @ONLY)

# riffle_precompiled_headers(NAME LIBRARIES ... HEADERS ... OPTIONS ...): the target NAME, whose headers others reuse.
function(riffle_precompiled_headers name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS;OPTIONS" ${ARGN})
  add_library(${name} OBJECT ${riffle_empty_unit})
  target_link_libraries(${name} PRIVATE riffle_flags fmt::fmt ${ARG_LIBRARIES})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${riffle_precompiled_headers} ${ARG_HEADERS})
endfunction()

set(riffle_light_level -O1)
if(RIFFLE_SANITIZE)
  set(riffle_light_level -O0)
endif()
set(riffle_light_options "$<$<AND:$<NOT:$<CONFIG:Debug>>,$<COMPILE_LANGUAGE:CXX>>:${riffle_light_level}>")
riffle_precompiled_headers(riffle_precompiled)
set_target_properties(riffle_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ${RIFFLE_WITH_CUDA})   # as riffle_library()
riffle_precompiled_headers(riffle_precompiled_light OPTIONS ${riffle_light_options})

function(riffle_precompile target)
  target_precompile_headers(${target} REUSE_FROM riffle_precompiled)
endfunction()

function(riffle_light target)
  target_compile_options(${target} PRIVATE ${riffle_light_options})
  target_precompile_headers(${target} REUSE_FROM riffle_precompiled_light)
endfunction()

# riffle_light_tests(TARGET LOOPS): for tests that loop over all pairs. With sanitizers they are compiled with -O1, because
# running them at -O0 takes longer than compiling them with -O1.
function(riffle_light_tests target)
  set(level -O0)
  if(RIFFLE_SANITIZE AND "LOOPS" IN_LIST ARGN)
    set(level -O1)
  endif()
  set(options "$<$<COMPILE_LANGUAGE:CXX>:${level}>")
  if(NOT TARGET riffle_precompiled_tests${level})
    riffle_precompiled_headers(riffle_precompiled_tests${level}
      LIBRARIES GTest::gtest HEADERS <gtest/gtest.h> OPTIONS ${options})
  endif()
  riffle_unity(${target} 8)
  target_compile_options(${target} PRIVATE ${options})
  target_precompile_headers(${target} REUSE_FROM riffle_precompiled_tests${level})
  riffle_watch_threads(${target})
endfunction()
