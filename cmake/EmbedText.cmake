# A text becomes a function of the program: cmake -DINPUT=file -DOUTPUT=file.cpp -DHEADER=header -DFUNCTION=name -P this
# The header declares `std::string_view name();` in namespace riffle.

file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REPEAT "." 100 line)  # 20 bytes of "0x00,"
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "// Generated from ${name}.\n#include \"${HEADER}\"\n\nnamespace riffle {\n"
  "namespace {\nconst unsigned char bytes_of_${FUNCTION}[] = {\n${bytes}0};\n}  // namespace\n\n"
  "std::string_view ${FUNCTION}() { return {reinterpret_cast<const char*>(bytes_of_${FUNCTION}), sizeof bytes_of_${FUNCTION} - 1}; }\n"
  "}  // namespace riffle\n")
