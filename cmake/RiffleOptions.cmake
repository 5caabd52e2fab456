# Options, and the compiler flags for them.

set(RIFFLE_CUDA AUTO CACHE STRING "CUDA kernels: AUTO (with nvcc and a visible GPU), ON or OFF")
set_property(CACHE RIFFLE_CUDA PROPERTY STRINGS AUTO ON OFF)
option(RIFFLE_ALL_GPUS "CUDA code for every GPU that nvcc compiles for, not only for this machine's" OFF)
option(RIFFLE_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(RIFFLE_SANITIZE_THREADS "Build with the thread sanitizer" OFF)
option(RIFFLE_FUZZ "Build tests/fuzz/fuzz_readers, with libFuzzer and sanitizers; needs clang" OFF)
option(RIFFLE_LINE_INFO "Kernels name their source lines to ncu and compute-sanitizer" OFF)
option(RIFFLE_UNITY "Compile the C++ files of a folder together, a few at a time; OFF to work on single files" ON)
set(RIFFLE_ARCH "x86-64-v3" CACHE STRING
    "-march for host code; the default needs AVX2 and FMA (2013 and later), 'native' is this machine's own")

include(RiffleGpu)
set(RIFFLE_WITH_CUDA OFF)
if(NOT RIFFLE_CUDA STREQUAL "OFF")
  # Debian's toolkit package and NVIDIA's own install put nvcc in different places; the second is often not on the PATH.
  find_program(RIFFLE_NVCC nvcc HINTS ENV CUDA_PATH /usr/local/cuda/bin)
  file(GLOB riffle_gpus /dev/nvidia[0-9]*)
  if(RIFFLE_CUDA STREQUAL "ON" AND NOT RIFFLE_NVCC)
    message(FATAL_ERROR "RIFFLE_CUDA=ON needs the CUDA Toolkit (nvcc), which was not found on the PATH or in /usr/local/cuda/bin")
  endif()
  riffle_gpu_capability(riffle_capability)
  if(NOT RIFFLE_NVCC AND riffle_gpus)
    message(STATUS "Riffle: a GPU is visible but nvcc is not: building for the CPU. Install the CUDA Toolkit 12.4 or newer and build again.")
  elseif(RIFFLE_CUDA STREQUAL "AUTO" AND riffle_capability AND riffle_capability LESS riffle_least_capability)
    message(STATUS "Riffle: the GPU has compute capability ${riffle_capability}, and ${riffle_least_capability} or above is needed: building for the CPU")
  elseif(RIFFLE_CUDA STREQUAL "ON" OR riffle_gpus)
    set(RIFFLE_WITH_CUDA ON)
  endif()
endif()

if(RIFFLE_WITH_CUDA)
  set(CMAKE_CUDA_COMPILER ${RIFFLE_NVCC})
  riffle_nvcc_capabilities(riffle_capabilities ${RIFFLE_NVCC})
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)   # this GPU's own compiles in a fifth of the time that all of them take
    if(riffle_capability AND NOT RIFFLE_ALL_GPUS)
      set(riffle_architectures ${riffle_capability}-real)
    else()
      riffle_all_architectures(riffle_architectures ${riffle_capabilities})
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${riffle_architectures} CACHE STRING "Compute capabilities, such as 80-real;90")
  endif()
  riffle_check_architectures("${CMAKE_CUDA_ARCHITECTURES}" "${riffle_capabilities}")
  enable_language(CUDA)
  # Older CMakes do not know that nvcc has had C++20 since 12.0.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_STANDARD__HAS_FULL_SUPPORT ON)
  endif()
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "Riffle: CUDA ${CMAKE_CUDA_COMPILER_VERSION} for architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "Riffle: building for the CPU (RIFFLE_CUDA=${RIFFLE_CUDA})")
endif()

# No contraction: separation() spells its fused operations out, so that neighbour sets are equal bit for bit
# between methods and devices. std::fma is one instruction only from x86-64-v3 on; below it, it is a library call.
set(riffle_host_flags -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND RIFFLE_ARCH)
  list(APPEND riffle_host_flags -march=${RIFFLE_ARCH})
endif()
if(RIFFLE_SANITIZE)
  list(APPEND riffle_host_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
       -D_GLIBCXX_ASSERTIONS)  # an index beyond a vector's size may lie within its capacity
  add_link_options(-fsanitize=address,undefined)
endif()
# Only the rooms that have threads of their own are watched; the others are compiled as for the release. riffle_watch_threads().
set(riffle_thread_options)
if(RIFFLE_SANITIZE_THREADS)
  if(RIFFLE_SANITIZE)
    message(FATAL_ERROR "RIFFLE_SANITIZE_THREADS=ON with RIFFLE_SANITIZE=ON; allowed: one of them, as a program has one of these sanitizers")
  endif()
  set(riffle_thread_options -fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
endif()
# Only what reads files is watched: the rest is compiled in a fifth of the time without, and no input changes what it does.
# riffle_fuzz_options are for sources and targets of readers. A number that does not fit a whole type is undefined too.
set(riffle_fuzz_options)
if(RIFFLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR RIFFLE_SANITIZE)
    message(FATAL_ERROR "RIFFLE_FUZZ=ON with the compiler ${CMAKE_CXX_COMPILER_ID} and RIFFLE_SANITIZE=${RIFFLE_SANITIZE};"
      " allowed: clang, which has libFuzzer, and OFF, as its own sanitizers are chosen (the preset fuzz has both)")
  endif()
  set(riffle_fuzz_options -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
      -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
endif()
set(riffle_warnings -Wall -Wextra)

find_program(RIFFLE_CCACHE ccache)
if(RIFFLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache caches a unit that uses precompiled headers only with these settings: it cannot see which macros such a header reads.
  # Here they all stand on the command line, which it compares anyway.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${RIFFLE_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${RIFFLE_CCACHE})
endif()

# What each unit took, for `make times`.
set(riffle_timer ${PROJECT_SOURCE_DIR}/tools/time-unit ${PROJECT_BINARY_DIR}/times.tsv)
foreach(language CXX CUDA)
  set(CMAKE_${language}_COMPILER_LAUNCHER ${riffle_timer} ${CMAKE_${language}_COMPILER_LAUNCHER})
  set(CMAKE_${language}_LINKER_LAUNCHER ${riffle_timer})
endforeach()
