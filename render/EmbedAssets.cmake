# riffle_embed_assets(TARGET FILES ... [FROM NAME=PATH ...]): files of assets/, and others under a name given to them, become
# bytes in the program, so that it runs from anywhere.
# As a script (cmake -P) it writes one C++ source with the table that render/assets.h declares.

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Generated from assets/.\n#include \"render/assets.h\"\n\nnamespace riffle::render {\nnamespace {\n")
  set(table "")
  set(number 0)
  string(REPLACE "|" ";" files "${FILES}")
  string(REPEAT "." 100 line)  # 20 bytes of "0x00,"
  foreach(entry ${files})
    string(REPLACE "=" ";" parts "${entry}")
    list(GET parts 0 file)
    list(GET parts -1 path)
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND text "const unsigned char bytes_${number}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${file}\", {reinterpret_cast<const char*>(bytes_${number}), sizeof bytes_${number} - 1}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  string(APPEND text "const Asset table[] = {\n${table}};\n}  // namespace\n\nstd::span<const Asset> assets() { return table; }\n}  // namespace riffle::render\n")
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

set(riffle_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(riffle_embed_assets target)
  set(root ${PROJECT_SOURCE_DIR}/assets)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_assets.cpp)
  cmake_parse_arguments(ARG "" "" "FROM" ${ARGN})
  set(entries ${ARG_FROM})
  foreach(file ${ARG_UNPARSED_ARGUMENTS})
    list(APPEND entries ${file}=${root}/${file})
  endforeach()
  list(TRANSFORM entries REPLACE "^[^=]*=" "" OUTPUT_VARIABLE inputs)
  string(REPLACE ";" "|" files "${entries}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUTPUT=${output} -P ${riffle_embed_script}
    DEPENDS ${inputs} ${riffle_embed_script}
    COMMENT "Embedding shaders, fonts and thumbnails"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
