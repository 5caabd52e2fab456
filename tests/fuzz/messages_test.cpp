/// What readers say of the inputs of the corpus that they refuse: where, what was found, what is allowed. Among them is every input
/// that went wrong once (find_*).

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {
namespace {

struct Refused {
  const char* reader;
  const char* file;
  const char* message;  ///< a part of it; "": it is read
};

constexpr Refused kRefused[] = {
    {"scene", "bad_alias_in_itself", ":1:4: nested too deep, or an alias inside its own anchor"},
    {"scene", "bad_documents", ":2:1: a second YAML document begins here; a scene is one document"},
    {"scene", "bad_keys_and_values", ":3:26: particles.spacing: is given twice; the first is at line 3"},
    {"scene", "bad_yaml", ":2:1: not valid YAML: found a tab in the indentation; allowed: spaces"},
    {"particles_csv", "bad_half_a_velocity",
     ".csv:1: found only a part of a velocity among the columns 'x', 'y', 'z', 'vx', 'vy'; allowed: vx, vy and vz, or "
     "none"},
    {"particles_csv", "bad_number", ".csv:3: found 'two' for y; allowed: a number"},
    {"particles_lammps_data", "bad_number", "found 'two' for x; allowed: a number"},
    {"particles_lammps_dump", "bad_number", "found 'two' for x; allowed: a number"},
    {"particles_ply", "bad_count",
     "the file ends at byte 298, after 1 of 9223372036854775807 vertices of the element vertex (line 5 states them)"},
    {"particles_vtp", "bad_block",
     "found a block of 25 bytes for 'velocity' at byte 689; allowed: 12 bytes for each of 2 points"},
    {"particles_vtp", "bad_two_pieces", "found more than one Piece; allowed: one"},
    {"points_ply", "bad_list_of_negative_length",
     "byte 156: found -1 for the length of the list tags in row 0 of the element vertex; it must be 0 or more"},
    {"points_raw", "bad_length",
     "found 15 bytes, which are 1 points and 3 bytes more; a point is 12 bytes, three floats"},
    {"points_xyz", "bad_count", ".xyz:1: states 3 points, found 1 by the end of the file (line 2)"},
    {"points_xyz", "bad_decimal_commas",
     ".xyz:1: found '1,5 2,5 3,5', which is one point where commas separate columns and another where they are decimal "
     "ones"},
    {"motion_table", "bad_quotes", ".csv:1: a field whose quotes do not end"},
    {"motion_table", "bad_times", "found t = 0 after t = 1; allowed: times that ascend"},
    {"mesh_output", "find_loose_vertex_that_is_no_number", ""},
    {"mesh_output", "find_sliver",
     "none of its 1 triangles has an area where corners nearer than a millionth of the mesh are one; allowed: a "
     "surface around some volume"},
    {"scene", "find_box_far_longer_than_its_domain", ""},
    {"scene", "find_event_of_fluids_that_are_no_list",
     ":16:33: fluids: found a map with the key 'gravity', allowed: a list"},
    {"scene", "find_mesh_in_cells_without_end",
     ":13:10: bodies[0].box: every component of max must be above that of min"},
    {"scene", "find_polygon_far_beyond_its_domain", ""},
    {"scene", "find_sliver_mesh",
     ":6:31: solids[0].mesh.file: none of its 1 triangles has an area where corners nearer than a millionth of the "
     "mesh are one; allowed: a surface"},
    {"mesh_output", "bad_text", "input.obj: is not a mesh that the library Assimp reads: \\x1b[31mno"},
    {"mesh_output", "bad_vertex_that_is_not_there",
     "input.obj: its reader wrote no mesh; a copy that another program has written as STL or PLY may be readable"},
    {"mesh_output", "bad_without_area",
     "input.obj: none of its 1 triangles has an area; allowed: a surface around some volume"},
    {"pack", "bad_leads_out", "run.zip: the name \"../b.txt\" has the part \"..\", which may lead out of the folder"},
    {"pack", "bad_absolute", "has a part without a character between its slashes"},
    {"pack", "bad_backslash", "has a backslash, which other systems take for the end of a folder's name"},
    {"pack", "bad_twice", "run.zip: has two files \"a.h5\""},
    {"pack", "bad_file_and_folder", "run.zip: \"a.h5\" is a file and the folder of \"a.h5/b\""},
    {"pack", "bad_newer", "its format is 2, this version reads up to 1"},
    {"pack", "bad_lost", "is damaged: it has no \"b.h5\", which riffle-pack/manifest.json names"},
    {"pack", "bad_words", "riffle-pack/manifest.json does not name a format and a state"},
    {"pack", "bad_foreign", "is an archive of another program: it has no riffle-pack/manifest.json"},
    {"pack", "bad_large", "allowed: up to 100 times as many"},
    {"pack", "bad_cut", "is damaged: the list of files at its end is missing"},
    {"pack", "bad_locked", "is encrypted; allowed: files without a password"},
    {"pack", "bad_long_name", "cannot be the name of a file: File name too long"},
    {"state_header", "bad_length", ".h5: is incomplete: it has 520 bytes, and its header says 560"},
    {"state_header", "bad_newer",
     ".h5: is a state of a newer version of Riffle: its format is 2, this version reads up to 1"},
    {"state_header", "bad_other_hdf5_file", ".h5: is no state of Riffle: it has 48 bytes and does not begin like one"},
    {"state_header", "bad_short", ".h5: is incomplete: it has 100 bytes, and a state's header has 512"},
    {"state_header", "bad_sums", ".h5: is damaged: its contents have the checksum "},
    {"state_contents", "bad_shape", "\"particles/position\" is of 24 x 3 numbers, and there are 25 particles"},
    {"state_contents", "bad_without_count", "\"particles\" lacks the note \"count\""},
};

TEST(Refusals, SayWhereWhatWasFoundAndWhatIsAllowed) {
  for (const Refused& refused : kRefused) {
    SCOPED_TRACE(std::string(refused.reader) + "/" + refused.file);
    const Reader* const reader = find_reader(refused.reader);
    ASSERT_NE(reader, nullptr);
    std::ifstream in(std::string(RIFFLE_SOURCE_DIR "/tests/fuzz/corpus/") + refused.reader + "/" + refused.file,
                     std::ios::binary);
    ASSERT_TRUE(in);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    std::string said;
    try {
      reader->read(bytes.str());
    } catch (const InputError& error) {
      said = error.what();
    }
    if (*refused.message == '\0')
      EXPECT_EQ(said, "");
    else
      EXPECT_NE(said.find(refused.message), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace riffle::fuzz
