/// Writes the files that follow from the scene format: write_format SCHEMA.json PAGE.md

#include <cstdio>
#include <fstream>

#include "scenes/format/format.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: write_format SCHEMA.json PAGE.md\n");
    return 2;
  }
  std::ofstream(argv[1]) << riffle::scenes::scene_format_as_json_schema();
  std::ofstream(argv[2]) << riffle::scenes::scene_format_as_markdown();
  return 0;
}
