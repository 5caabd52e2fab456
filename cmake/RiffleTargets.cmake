# riffle_library(NAME [LIGHT] [BATCH N] SOURCES ... [ALONE ...] DEPENDS ...): one static library per folder. LIGHT: see
# riffle_light(). BATCH: with RIFFLE_UNITY, kernels are compiled N at a time; those of ALONE, which take long, one at a time.
# Sources ending in .cu are kernels: compiled by nvcc in a CUDA build and as plain C++ otherwise, from the same text.

add_library(riffle_flags INTERFACE)
target_include_directories(riffle_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_features(riffle_flags INTERFACE cxx_std_20)
target_compile_options(riffle_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${riffle_host_flags};${riffle_warnings}>")
if(RIFFLE_WITH_CUDA)
  target_compile_definitions(riffle_flags INTERFACE RIFFLE_WITH_CUDA=1)
  string(REPLACE ";" "," riffle_host_flags_joined "${riffle_host_flags};-Wall;-Wno-unknown-pragmas")
  # A call of a host function from a kernel is only a warning of nvcc, and the kernel then does nothing.
  target_compile_options(riffle_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=${riffle_host_flags_joined} --extended-lambda --expt-relaxed-constexpr -Werror cross-execution-space-call $<$<BOOL:${RIFFLE_LINE_INFO}>:-lineinfo>>")
  target_include_directories(riffle_flags INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
else()
  target_compile_definitions(riffle_flags INTERFACE RIFFLE_WITH_CUDA=0)
endif()

# riffle_kernels(SOURCE...): the .cu files among the sources become C++ in a CPU build. CMake's unity builds leave them out, since
# CMake joins those of a CUDA build only from 3.31 on.
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

# riffle_join_kernels(NAME RESULT BATCH SOURCE...): RESULT lists files that each include BATCH of the sources. A kernel spends 3 to
# 4 s on headers.
function(riffle_join_kernels name result batch)
  set(files)
  set(lines)
  set(sources ${ARGN})
  foreach(source IN LISTS sources)
    list(APPEND lines "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"")
    list(LENGTH lines count)
    list(GET sources -1 last)
    if(count EQUAL batch OR source STREQUAL last)
      list(LENGTH files number)
      list(JOIN lines "\n" text)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_kernels_${number}.cu)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
      list(APPEND files ${file})
      set(lines)
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# riffle_unity(TARGET BATCH): compiles BATCH of the target's C++ files at a time, because most of them spend their time on headers.
# Sources with flags of their own stay alone.
function(riffle_unity target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIFFLE_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# riffle_watch_threads(TARGET): with the thread sanitizer in a build that has it. Precompiled headers are without.
function(riffle_watch_threads target)
  if(RIFFLE_SANITIZE_THREADS)
    target_compile_options(${target} PRIVATE ${riffle_thread_options})
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

function(riffle_library name)
  cmake_parse_arguments(ARG "LIGHT" "BATCH" "SOURCES;ALONE;DEPENDS" ${ARGN})
  set(sources ${ARG_SOURCES} ${ARG_ALONE})
  if(RIFFLE_UNITY AND ARG_BATCH)
    set(kernels ${ARG_SOURCES})
    list(FILTER kernels INCLUDE REGEX "\\.cu$")
    list(FILTER sources EXCLUDE REGEX "\\.cu$")
    riffle_join_kernels(${name} joined ${ARG_BATCH} ${kernels})
    list(APPEND sources ${joined} ${ARG_ALONE})
  endif()
  riffle_kernels(${sources})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC riffle_flags ${ARG_DEPENDS})
  if(RIFFLE_WITH_CUDA AND NOT ARG_LIGHT)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_RUNTIME_LIBRARY Static)
  endif()
  riffle_unity(${name} 12)
  if(ARG_LIGHT)
    riffle_light(${name})
  else()
    riffle_precompile(${name})
  endif()
endfunction()
