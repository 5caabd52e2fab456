# Target riffle_hdf5: HDF5, which writes state files. Its static library where it can be linked, because with the shared one
# of Debian the program loads 30 libraries more, most of them for files on web servers, which Riffle does not read.
find_package(HDF5 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  message(FATAL_ERROR "HDF5, which writes state files, was not found: install Debian's libhdf5-dev, or run tools/install-packages")
endif()

set(riffle_hdf5_shared ${HDF5_LIBRARIES})
list(FILTER riffle_hdf5_shared INCLUDE REGEX "/libhdf5[^/]*\\.so$")
string(REGEX REPLACE "\\.so$" ".a" riffle_hdf5_archive "${riffle_hdf5_shared}")
set(riffle_hdf5_needs ${HDF5_LIBRARIES})   # for compression
list(FILTER riffle_hdf5_needs INCLUDE REGEX "/lib(sz|aec|z)\\.(so|a)$")
list(APPEND riffle_hdf5_needs m ${CMAKE_DL_LIBS})
if(riffle_hdf5_archive AND EXISTS "${riffle_hdf5_archive}")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${riffle_hdf5_archive} ${riffle_hdf5_needs})
  check_cxx_source_compiles("#include <hdf5.h>\nint main() { return H5Fopen(\"\", H5F_ACC_RDONLY, H5P_DEFAULT) < 0; }"
    RIFFLE_HDF5_STATIC)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

add_library(riffle_hdf5 INTERFACE)
if(RIFFLE_HDF5_STATIC)
  target_include_directories(riffle_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(riffle_hdf5 INTERFACE ${riffle_hdf5_archive} ${riffle_hdf5_needs})
else()
  target_link_libraries(riffle_hdf5 INTERFACE hdf5::hdf5)
endif()
