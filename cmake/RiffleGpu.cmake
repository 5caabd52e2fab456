# The GPUs that CUDA code is compiled for. A number is a compute capability without its point: 90 is 9.0.

set(riffle_least_capability 70)   # core/device/atomic.h needs it; kLeastComputeCapability in core/device/device.h is the same

# riffle_gpu_capability(OUT): of the first GPU here, by its driver; "" without one.
function(riffle_gpu_capability out)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE result)
  set(${out} "" PARENT_SCOPE)
  if(result EQUAL 0 AND answer MATCHES "^([0-9]+)\\.([0-9]+)")
    set(${out} "${CMAKE_MATCH_1}${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

# riffle_nvcc_capabilities(OUT NVCC): those that this nvcc compiles for; none if it cannot say.
function(riffle_nvcc_capabilities out nvcc)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE answer ERROR_QUIET)
  string(REGEX MATCHALL "compute_[0-9]+" known "${answer}")
  list(TRANSFORM known REPLACE "compute_" "")
  set(${out} ${known} PARENT_SCOPE)
endfunction()

# riffle_all_architectures(OUT CAPABILITY...): one for each generation among those of nvcc. The newest also as PTX, which later
# GPUs compile when the program starts.
function(riffle_all_architectures out)
  set(chosen)
  foreach(capability 70 75 80 86 89 90 100 120)
    if(capability IN_LIST ARGN)
      list(APPEND chosen ${capability})
    endif()
  endforeach()
  if(NOT chosen)
    message(FATAL_ERROR "nvcc --list-gpu-arch names none of 70 75 80 86 89 90 100 120; install the CUDA Toolkit 12.4 or newer")
  endif()
  list(POP_BACK chosen newest)
  list(TRANSFORM chosen APPEND -real)
  set(${out} ${chosen} ${newest} PARENT_SCOPE)
endfunction()

# riffle_check_architectures(ARCHITECTURES CAPABILITIES): stops at one that is below the least, or that this nvcc does not know.
function(riffle_check_architectures architectures capabilities)
  foreach(architecture ${architectures})
    set(number 0)
    if(architecture MATCHES "^([0-9]+)[a-z]?(-real|-virtual)?$")
      set(number ${CMAKE_MATCH_1})
    endif()
    if(number EQUAL 0)
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES: found '${architecture}'; allowed: numbers such as 80 or 90-real."
        " -DRIFFLE_ALL_GPUS=ON compiles for every GPU that nvcc knows.")
    elseif(number LESS riffle_least_capability)
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES: found ${architecture}; allowed: ${riffle_least_capability} and above"
        " (compute capability 7.0: Volta, 2017, and later). -DRIFFLE_CUDA=OFF builds for the CPU.")
    elseif(capabilities AND NOT number IN_LIST capabilities)
      string(REPLACE ";" " " known "${capabilities}")
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES: found ${architecture}, for which this nvcc has no code; it has: ${known}."
        " Another CUDA Toolkit may (12.9 is the last for 70), and -DRIFFLE_CUDA=OFF builds for the CPU.")
    endif()
  endforeach()
endfunction()
