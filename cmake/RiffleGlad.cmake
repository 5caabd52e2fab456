# GLAD: OpenGL 4.5 core and EGL 1.5 loaders, generated at build time from the specification that comes with the generator
# (no network).

find_program(RIFFLE_GLAD glad)
if(NOT RIFFLE_GLAD)
  message(FATAL_ERROR "glad was not found: install Debian's python3-glad, or glad2 from PyPI")
endif()
set(riffle_glad_dir ${PROJECT_BINARY_DIR}/glad)
set(riffle_glad_outputs ${riffle_glad_dir}/src/gl.c ${riffle_glad_dir}/src/egl.c
    ${riffle_glad_dir}/include/glad/gl.h ${riffle_glad_dir}/include/glad/egl.h)
add_custom_command(
  OUTPUT ${riffle_glad_outputs}
  COMMAND ${RIFFLE_GLAD} --reproducible --quiet --api gl:core=4.5 --extensions= --out-path ${riffle_glad_dir} c --loader
  COMMAND ${RIFFLE_GLAD} --reproducible --quiet --api egl=1.5
          --extensions=EGL_EXT_platform_device,EGL_EXT_platform_base,EGL_EXT_device_base,EGL_EXT_device_enumeration,EGL_EXT_device_query,EGL_MESA_platform_surfaceless,EGL_KHR_create_context,EGL_KHR_no_config_context,EGL_KHR_surfaceless_context,EGL_NV_device_cuda
          --out-path ${riffle_glad_dir} c --loader
  COMMENT "Generating the OpenGL and EGL loaders"
  VERBATIM)
enable_language(C)
add_library(riffle_glad STATIC ${riffle_glad_outputs})
target_include_directories(riffle_glad SYSTEM PUBLIC ${riffle_glad_dir}/include)
target_link_libraries(riffle_glad PUBLIC ${CMAKE_DL_LIBS})

# cuda_gl_interop.h asks for <GL/gl.h>; this answers with the generated header, so that no OpenGL development package
# is needed.
file(WRITE ${riffle_glad_dir}/cuda_compat/GL/gl.h "#include <glad/gl.h>\n")
add_library(riffle_glad_for_cuda INTERFACE)
target_include_directories(riffle_glad_for_cuda SYSTEM INTERFACE ${riffle_glad_dir}/cuda_compat)
target_link_libraries(riffle_glad_for_cuda INTERFACE riffle_glad)
