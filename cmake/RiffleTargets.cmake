# riffle_library(NAME [LIGHT] SOURCES ... DEPENDS ...): one static library per folder. LIGHT: see riffle_light().
# Sources ending in .cu are kernels: compiled by nvcc in a CUDA build and as plain C++ otherwise, from the same text.

add_library(riffle_flags INTERFACE)
target_include_directories(riffle_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_features(riffle_flags INTERFACE cxx_std_20)
target_compile_options(riffle_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${riffle_host_flags};${riffle_warnings}>")
if(RIFFLE_WITH_CUDA)
  target_compile_definitions(riffle_flags INTERFACE RIFFLE_WITH_CUDA=1)
  string(REPLACE ";" "," riffle_host_flags_joined "${riffle_host_flags};-Wall;-Wno-unknown-pragmas")
  target_compile_options(riffle_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=${riffle_host_flags_joined} --extended-lambda --expt-relaxed-constexpr -lineinfo>")
  target_include_directories(riffle_flags INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
else()
  target_compile_definitions(riffle_flags INTERFACE RIFFLE_WITH_CUDA=0)
endif()

# riffle_kernels(SOURCE...): the .cu files among the sources become C++ in a CPU build. They are compiled alone in every build:
# from CMake 3.31 on a unity build would join those of a CUDA build too.
function(riffle_kernels)
  foreach(source ${ARGN})
    if(source MATCHES "\\.cu$")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      if(NOT RIFFLE_WITH_CUDA)
        set_source_files_properties(${source} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
      endif()
    endif()
  endforeach()
endfunction()

# riffle_unity(TARGET): compiles the target's C++ files eight at a time, because most of them spend their time on headers.
# Kernels (.cu) and sources with flags of their own stay alone.
function(riffle_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIFFLE_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

function(riffle_library name)
  cmake_parse_arguments(ARG "LIGHT" "" "SOURCES;DEPENDS" ${ARGN})
  riffle_kernels(${ARG_SOURCES})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC riffle_flags ${ARG_DEPENDS})
  if(RIFFLE_WITH_CUDA AND NOT ARG_LIGHT)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_RUNTIME_LIBRARY Static)
  endif()
  riffle_unity(${name})
  if(ARG_LIGHT)
    riffle_light(${name})
  else()
    riffle_precompile(${name})
  endif()
endfunction()
