#include "app/state/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <fstream>
#include <future>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/state/attribute_units.h"
#include "app/state/descriptor.h"
#include "app/state/hdf5_file.h"
#include "app/state/large_file.h"
#include "app/state/pack_file.h"
#include "app/state/placed_array.h"
#include "app/state/rows_text.h"
#include "app/state/state_image.h"
#include "app/state/xdmf.h"
#include "core/device/threads.h"
#include "core/error.h"
#include "core/text/checksum.h"
#include "core/text/file_ending.h"
#include "core/text/near_file.h"
#include "core/text/number_text.h"
#include "core/text/output_files.h"

namespace riffle {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are written as the values lie in memory");

namespace {

constexpr std::uint64_t kUserBlock = 512;
/// A copy that changed ends of lines, or dropped the eighth bit, has another one.
constexpr char kMagic[17] = "RIFFLE STATE\r\n\x1a\n";
constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

/// The file's first bytes. HDF5 begins at kUserBlock.
struct StateHeader {
  char magic[16] = {};
  std::uint32_t format = kStateFormat;
  std::uint32_t bytes = kUserBlock;  ///< of the header
  std::uint64_t length = 0;          ///< of the file
  std::uint64_t checksum = 0;        ///< of all that follows the header
  std::uint64_t own_checksum = 0;    ///< of the header, while this number is 0
  char note[kUserBlock - 48] = {};   ///< for people
};
static_assert(sizeof(StateHeader) == kUserBlock);

std::uint64_t checksum_of(StateHeader header) {
  header.own_checksum = 0;
  Checksum sum;
  sum.add(&header, sizeof header);
  return sum.value();
}

/// Adds the bytes from `begin` to `end` of a file. @throws RuntimeFailure with the reason
void add_bytes(Checksum& sum, int descriptor, std::uint64_t begin, std::uint64_t end) {
  std::vector<char> piece(std::min(end - begin, std::uint64_t{1} << 20));
  while (begin < end) {
    const ssize_t got =
        pread(descriptor, piece.data(), std::min<std::uint64_t>(piece.size(), end - begin), static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw RuntimeFailure(std::strerror(errno));
    if (got == 0) throw RuntimeFailure("it ended while it was read");
    sum.add(piece.data(), static_cast<std::size_t>(got));
    begin += static_cast<std::uint64_t>(got);
  }
}

/// The same of all of them, by all threads if they are many.
std::uint64_t checksum_of_file(int descriptor, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kPart = std::uint64_t{8} << 20;
  Checksum sum;
  if (end - begin <= kPart) {
    add_bytes(sum, descriptor, begin, end);
    return sum.value();
  }
  std::vector<Checksum> parts((end - begin + kPart - 1) / kPart);
  const auto end_of = [&](std::uint64_t part) { return std::min(end, begin + (part + 1) * kPart); };
  parallel_ranges(static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t first, std::int64_t last) {
    for (auto part = static_cast<std::uint64_t>(first); part < static_cast<std::uint64_t>(last); ++part)
      add_bytes(parts[part], descriptor, begin + part * kPart, end_of(part));
  });
  for (std::uint64_t part = 0; part < parts.size(); ++part)
    sum.append(parts[part], end_of(part) - (begin + part * kPart));
  return sum.value();
}

// ---- the contents -------------------------------------------------------------------------------------------------

/// Every number of the clock with its name: write and read walk the same list.
template <class Clock, class Each>
void for_each_number(Clock& clock, const Each& each) {
  each("clock", "time", clock.time);
  each("clock", "step", clock.step);
  each("clock", "dt", clock.dt);
  each("clock", "last_dt", clock.last_dt);
  each("clock", "previous_dt", clock.previous_dt);
  each("clock", "max_speed", clock.max_speed);
  each("clock", "max_acceleration", clock.max_acceleration);
  each("clock", "max_speed2_bits", clock.max_speed2_bits);
  each("clock", "max_acceleration2_bits", clock.max_acceleration2_bits);
  each("clock", "contained", clock.contained);
  each("clock", "unconverged", clock.unconverged);
  each("clock", "viscous_unconverged", clock.viscous_unconverged);
  each("clock", "viscous_step", clock.viscous_step);
  each("clock", "step_share", clock.step_share);
  const auto solve = [&](const char* group, auto& report) {
    each(group, "all_iterations", report.all_iterations);
    each(group, "iterations", report.iterations);
    each(group, "mean_error", report.mean_error);
    each(group, "largest_error", report.largest_error);
  };
  solve("clock/density_solve", clock.density_solve);
  solve("clock/divergence_solve", clock.divergence_solve);
  solve("clock/viscous_solve", clock.viscous_solve);
}
constexpr const char* kClockGroups[] = {"clock", "clock/density_solve", "clock/divergence_solve",
                                        "clock/viscous_solve"};

/// "compression rate" -> "compression_rate": XDMF's readers stop at blanks.
std::string array_name(std::string attribute) {
  std::replace(attribute.begin(), attribute.end(), ' ', '_');
  return "particles/" + attribute;
}

/// A file that is made, with the large arrays that its image gets afterwards.
struct Contents {
  hdf5::Writer out;
  std::vector<PlacedArray> arrays;

  template <class T>
  void place(const std::string& name, std::span<const T> values, const hdf5::Shape& shape, hdf5::Type type) {
    place(name, {values.data(), values.size_bytes()}, shape, type);
  }
  void place(const std::string& name, PlacedArray array, const hdf5::Shape& shape, hdf5::Type type) {
    array.begin = out.place(name, type, shape);
    if (array.count > 0) arrays.push_back(array);
  }
};

void write_attribute(Contents& contents, const AttributeView& attribute, const SimulationSetup& setup) {
  const std::string name = array_name(attribute.name);
  const auto describe = [&](const std::string& array, const std::string& unit) {
    contents.out.note(array, "attribute", attribute.name);
    contents.out.note(array, "unit", unit);
  };
  if (const auto* vectors = std::get_if<std::span<const Vec4>>(&attribute.values)) {
    const std::uint64_t count = vectors->size();
    contents.place(name, {vectors->data(), count, PlacedArray::Form::Three}, {count, 3}, hdf5::Type::Float);
    describe(name, attribute_unit(attribute.name, setup));
    if (!any_fourth(*vectors)) return;
    const std::string place = "fourth/" + name.substr(name.find('/') + 1);
    contents.place(place, {vectors->data(), count, PlacedArray::Form::Fourth}, {count}, hdf5::Type::Float);
    describe(place, "");
  } else if (const auto* numbers = std::get_if<std::span<const float>>(&attribute.values)) {
    contents.place(name, *numbers, {numbers->size()}, hdf5::Type::Float);
    describe(name, attribute_unit(attribute.name, setup));
  } else {
    const auto& words = std::get<std::span<const std::uint32_t>>(attribute.values);
    contents.place(name, words, {words.size()}, hdf5::Type::Uint32);
    describe(name, attribute_unit(attribute.name, setup));
  }
}

void write_particles(Contents& contents, const SimulationState& state, std::span<const AttributeView> attributes) {
  hdf5::Writer& out = contents.out;
  out.make_group("particles");
  out.make_group("fourth");
  out.note("particles", "count", static_cast<std::uint64_t>(state.count));
  out.note("particles", "next_id", state.next_id);
  out.note("particles", "started", static_cast<std::uint32_t>(state.started ? 1 : 0));
  out.note("particles", "knows_last_step", static_cast<std::uint32_t>(state.knows_last_step ? 1 : 0));
  for (const AttributeView& attribute : attributes) write_attribute(contents, attribute, state.setup);
  if (state.turns.empty()) return;
  static_assert(sizeof(BoxTurns) == 3 * sizeof(std::int32_t));
  contents.place("turns", std::span(state.turns), {state.turns.size(), 3}, hdf5::Type::Int32);
  out.note("turns", "unit", std::string("1"));
}

void write_search(Contents& contents, const KeptSearch& search) {
  if (search.empty()) return;
  contents.out.make_group("search");
  contents.out.note("search", "radius", search.radius);
  contents.place("search/positions", std::span(search.positions), {search.positions.size(), 4}, hdf5::Type::Float);
  contents.place("search/words", std::span(search.builds.words), {search.builds.words.size()}, hdf5::Type::Uint32);
  contents.place("search/numbers", std::span(search.builds.numbers), {search.builds.numbers.size()},
                 hdf5::Type::Double);
}

// Of a free body: what MovingBody holds, in its order, and the states and pushes that contact works on.
constexpr std::size_t kBodyNumbers = sizeof(MovingBody) / sizeof(double);
constexpr std::size_t kStateNumbers = sizeof(BodyState) / sizeof(double), kPushNumbers = 6;
static_assert(std::is_trivially_copyable_v<MovingBody> && kBodyNumbers == 49 && kStateNumbers == 13);
constexpr std::size_t kContactNumbers = 9;
static_assert(std::is_trivially_copyable_v<KeptContact> && sizeof(KeptContact) == kContactNumbers * sizeof(double));
static_assert(std::is_trivially_copyable_v<BodyPush> && sizeof(BodyPush) == kPushNumbers * sizeof(double));

// Of inlets and outlets: what OpeningCounts holds.
constexpr std::size_t kFlowNumbers = 1 + 2 * kMostInlets + kMostOutlets;
static_assert(sizeof(OpeningCounts) ==
              kFlowNumbers * sizeof(double) + kMostOutlets * (sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t)));

template <class T>
std::vector<double> numbers_of(const std::vector<T>& records) {
  std::vector<double> numbers(records.size() * sizeof(T) / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), records.data(), numbers.size() * sizeof(double));
  return numbers;
}

void write_bodies(hdf5::Writer& out, const KeptBodies& kept) {
  if (kept.empty()) return;
  const std::uint64_t count = kept.bodies.size();
  out.make_group("bodies");
  out.write("bodies/moving", numbers_of(kept.bodies), {count, kBodyNumbers});
  out.note(
      "bodies/moving", "columns",
      std::string("start and end of the last step: centre of mass 3, rotation w x y z, velocity 3, angular velocity 3; "
                  "rates of pushing out 6; gains 6; elapsed, farthest, began, dt; push 6; went"));
  out.write("bodies/impulses", kept.left_impulses, {count + 1, 6});
  if (!kept.later.empty()) out.write("bodies/later", kept.later, {kept.later.size()});
  out.note("bodies", "interval", kept.interval);
  out.note("bodies", "steps_left", kept.steps_left);
  out.note("bodies", "contact_steps", kept.report.contact_steps);
  out.note("bodies", "long_ways", kept.report.long_ways);
  out.note("bodies", "touching", kept.report.touching);
  if (kept.from.empty()) return;
  out.write("bodies/contact_from", numbers_of(kept.from), {count, kStateNumbers});
  out.write("bodies/contact_pushes", numbers_of(kept.pushes), {count, kPushNumbers});
  out.note("bodies", "contact_time", kept.time);
  out.note("bodies", "contact_dt", kept.dt);
  out.note("bodies", "contact_long_ways", kept.long_ways);
  if (kept.contacts.empty()) return;
  out.write("bodies/contacts", numbers_of(kept.contacts), {kept.contacts.size(), kContactNumbers});
  out.note(
      "bodies/contacts", "columns",
      std::string(
          "solid; the other solid, or -1 - the face; place from the centre of mass, along the solid's axes "
          "[spacings] 3; force along the normal, and by friction along x, y, z. Where the first is negative: -1 - a "
          "joint, the number of its line, 3 that count for nothing, its force"));
}

void write_openings(hdf5::Writer& out, const KeptOpenings& kept) {
  if (kept.empty()) return;
  std::vector<OpeningCounts> counts{kept.counts};
  counts.insert(counts.end(), kept.late.begin(), kept.late.end());
  std::vector<double> flow;
  std::vector<std::uint64_t> taken, layers;
  std::vector<std::uint32_t> marked;
  for (const OpeningCounts& c : counts) {
    flow.push_back(c.time);
    for (const auto* values : {&c.way, &c.speed, &c.due})
      flow.insert(flow.end(), std::begin(*values), std::end(*values));
    taken.insert(taken.end(), std::begin(c.taken), std::end(c.taken));
    for (const auto* values : {&c.marked, &c.inside})
      marked.insert(marked.end(), std::begin(*values), std::end(*values));
  }
  for (const NozzleLayer& layer : kept.layers) layers.insert(layers.end(), {layer.first_id, layer.inlet, layer.number});
  out.make_group("openings");
  out.note("openings", "turn", kept.turn);
  out.note("openings", "standing", kept.standing);
  out.write("openings/flow", flow, {counts.size(), kFlowNumbers});
  out.note(
      "openings/flow", "columns",
      std::string("now, then after the last steps: time; way and speed of each inlet; particles due to each outlet"));
  out.write("openings/taken", taken, {counts.size(), kMostOutlets});
  out.write("openings/marked", marked, {counts.size(), 2 * kMostOutlets});
  out.write("openings/layers", layers, {kept.layers.size(), 3});
  out.note("openings/layers", "columns", std::string("id of the first particle, inlet, number of the layer"));
  out.write("openings/made", kept.made, {kept.made.size()});
  out.write("openings/length", kept.length, {kept.length.size()});
  out.write("openings/paused_steps", kept.paused_steps, {kept.paused_steps.size()});
}

void write_inheritance(hdf5::Writer& out, const SimulationState& state) {
  const KeptInheritance& kept = state.inheritance;
  if (!(kept.until > state.clock.time)) return;
  out.make_group("inheritance");
  out.note("inheritance", "begins", std::uint32_t{kept.begins ? 1u : 0u});
  out.note("inheritance", "until", kept.until);
  out.note("inheritance", "share", kept.share);
  if (!kept.walls.empty()) out.write("inheritance/walls", kept.walls, {kept.walls.size()});
}

void write_rows(hdf5::Writer& out, const SavedRows& rows) {
  if (rows.empty()) return;
  out.make_group("diagnostics");
  out.note("diagnostics", "every", rows.every);
  out.write("diagnostics/rows", rows.values, {rows.rows(), rows.columns.size()});
  std::vector<std::uint64_t> due;
  for (std::size_t k = 0; k < rows.rows(); ++k) due.insert(due.end(), {rows.multiples[k], rows.strides[k]});
  out.write("diagnostics/due", due, {rows.rows(), 2});
  out.note("diagnostics/due", "columns",
           std::string("multiple of `every` at which the row was due; multiples after the row before, at the least"));
  out.write_text("diagnostics/columns", columns_text(rows));
  if (!rows.changes.empty()) out.write_text("diagnostics/changes", changes_text(rows));
}

void write_acts(hdf5::Writer& out, const SavedActs& acts) {
  if (acts == SavedActs{}) return;
  out.make_group("acts");
  out.note("acts", "hands", acts.hands);
  out.note("acts", "eased", std::uint32_t{acts.eased ? 1u : 0u});
  out.note("acts", "devices", std::uint32_t{acts.devices ? 1u : 0u});
  if (acts.shortened_step) out.note("acts", "shortened_step", *acts.shortened_step);
}

void write_scene(hdf5::Writer& out, const SavedScene& scene) {
  out.make_group("scene");
  out.note("scene", "name", scene.name);
  out.write_text("scene/text", scene.text);
  if (scene.files.empty()) return;
  out.make_group("scene/files");
  for (std::size_t k = 0; k < scene.files.size(); ++k) {
    const std::string array = fmt::format("scene/files/{:04}", k);
    out.write_bytes(array, scene.files[k].bytes);
    out.note(array, "name", scene.files[k].name);
  }
}

void write_contents(Contents& contents, const SavedRun& run, std::span<const AttributeView> attributes) {
  hdf5::Writer& out = contents.out;
  out.note("/", "program", "riffle " + run.version);
  out.note("/", "version", run.version);
  for (const char* group : kClockGroups) out.make_group(group);
  for_each_number(run.state.clock,
                  [&](const char* group, const char* name, const auto& number) { out.note(group, name, number); });
  out.note("clock", "unit", time_unit(run.state.setup));
  if (run.goal.step) out.note("clock", "goal_step", *run.goal.step);
  if (run.goal.time) out.note("clock", "goal_time", *run.goal.time);
  if (run.keeping) {
    out.note("clock", "states_every", run.keeping->every);
    out.note("clock", "states_file", run.keeping->file);
  }
  write_particles(contents, run.state, attributes);
  write_search(contents, run.state.search);
  write_bodies(out, run.state.bodies);
  write_openings(out, run.state.openings);
  write_inheritance(out, run.state);
  write_rows(out, run.rows);
  write_acts(out, run.acts);
  write_scene(out, run.scene);
}

/// Of a file whose contents have that checksum.
StateHeader header_of(std::uint64_t length, std::uint64_t checksum) {
  StateHeader header;
  std::memcpy(header.magic, kMagic, sizeof header.magic);
  header.length = length;
  header.checksum = checksum;
  const std::string note = "A state of the fluid simulator Riffle. HDF5 begins at byte 512.\n";
  std::memcpy(header.note, note.data(), std::min(note.size(), sizeof header.note - 1));
  header.own_checksum = checksum_of(header);
  return header;
}

/// Waits until the disk has it all. Blocks are written while later ones are filled; the first page, with the header, comes last.
void write_blocks(const fs::path& partial, const StateImage& state) {
  const std::uint64_t size = state.frame.size, first_page = std::min<std::uint64_t>(LargeFile::kPage, size);
  char* const bytes = state.whole.bytes();
  LargeFile out(partial, state.file.string(), size);
  for (std::size_t block = 0; block < state.blocks->count(); ++block) {
    state.blocks->wait_for(block, state.file.string());
    out.write(bytes, std::max(first_page, state.blocks->begin_of(block)), state.blocks->end_of(block));
  }
  const StateHeader header = header_of(size, state.blocks->checksum());
  std::memcpy(bytes, &header, sizeof header);
  out.write(bytes, 0, first_page);
  out.flush();
}

/// A renamed file may otherwise lose its new name when the machine loses power.
void flush_folder(const fs::path& folder) {
  const Descriptor descriptor(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor >= 0) fsync(descriptor);
}

// ---- reading --------------------------------------------------------------------------------------------------------

class StateReader {
 public:
  StateReader(int descriptor, std::string name) : name_(std::move(name)), descriptor_(descriptor) {
    struct stat found {};
    if (fstat(descriptor_, &found) != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (S_ISDIR(found.st_mode)) refuse("is a folder; allowed: a state file");
    if (!S_ISREG(found.st_mode)) refuse("is no regular file; allowed: a state file");
    length_ = static_cast<std::uint64_t>(found.st_size);
    check_header();
  }

  SavedRun read() const {
    // The file that was verified, even if another one has its name by now.
    const hdf5::Reader in(fmt::format("/proc/self/fd/{}", descriptor_), name_, length_);
    SavedRun run;
    run.version = in.text_note("/", "version");
    for_each_number(run.state.clock, [&](const char* group, const char* name, auto& number) {
      number = in.note<std::decay_t<decltype(number)>>(group, name);
    });
    const ClockState& clock = run.state.clock;
    if (!(clock.time >= 0 && std::isfinite(clock.time))) refuse(fmt::format("its time is {}", clock.time));
    if (in.has_note("clock", "goal_step")) run.goal.step = in.note<std::uint64_t>("clock", "goal_step");
    if (in.has_note("clock", "goal_time")) run.goal.time = in.note<double>("clock", "goal_time");
    if (in.has_note("clock", "states_every") && in.has_note("clock", "states_file")) {
      run.keeping = SavedKeeping{in.note<double>("clock", "states_every"),
                                 fs::path(in.text_note("clock", "states_file")).filename().string()};
      if (!(run.keeping->every > 0 && std::isfinite(run.keeping->every)))
        refuse(fmt::format("its interval of states is {}", run.keeping->every));
    }
    read_particles(in, run.state);
    read_search(in, run.state.search);
    read_bodies(in, run.state.bodies);
    read_openings(in, run.state.openings);
    read_inheritance(in, run.state.inheritance);
    read_rows(in, run);
    read_acts(in, run);
    run.scene = read_scene(in);
    return run;
  }

  StateSummary summary() const {
    const hdf5::Reader in(fmt::format("/proc/self/fd/{}", descriptor_), name_, length_);
    return {in.text_note("/", "version"),
            in.note<double>("clock", "time"),
            in.has_note("clock", "unit") ? in.text_note("clock", "unit") : "s",
            in.note<std::uint64_t>("clock", "step"),
            in.note<std::uint64_t>("particles", "count"),
            length_,
            read_scene(in)};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

  static SavedScene read_scene(const hdf5::Reader& in) {
    SavedScene scene;
    scene.name = fs::path(in.text_note("scene", "name")).filename().string();
    scene.text = in.read_text("scene/text");
    if (in.has("scene/files"))
      for (const std::string& name : in.names("scene/files")) {
        const std::string array = "scene/files/" + name;
        scene.files.push_back({in.text_note(array, "name"), in.read_bytes(array)});
      }
    return scene;
  }

  void check_header() const {
    StateHeader header;
    const ssize_t got = pread(descriptor_, &header, sizeof header, 0);
    if (got < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    const std::string_view begin(header.magic, std::min<std::size_t>(static_cast<std::size_t>(got), 16));
    if (begin.starts_with(kHdf5Magic)) refuse("is an HDF5 file of another program or of particles, no state of Riffle");
    if (begin != std::string_view(kMagic, 16))
      refuse(fmt::format("is no state of Riffle: it has {} bytes and does not begin like one", length_));
    if (static_cast<std::uint64_t>(got) < kUserBlock)
      refuse(fmt::format("is incomplete: it has {} bytes, and a state's header has {}", length_, kUserBlock));
    if (checksum_of(header) != header.own_checksum)
      refuse("is damaged: its first 512 bytes do not have the checksum that they say");
    if (header.format > kStateFormat)
      refuse(fmt::format("is a state of a newer version of Riffle: its format is {}, this version reads up to {}",
                         header.format, kStateFormat));
    if (header.format == 0 || header.bytes != kUserBlock)
      refuse(fmt::format("is damaged: its format is {} with a header of {} bytes; allowed: 1 to {} with {}",
                         header.format, header.bytes, kStateFormat, kUserBlock));
    if (header.length != length_)
      refuse(fmt::format("is {}: it has {} bytes, and its header says {}",
                         length_ < header.length ? "incomplete" : "damaged", length_, header.length));
    std::uint64_t found = 0;
    try {
      found = checksum_of_file(descriptor_, kUserBlock, length_);
    } catch (const RuntimeFailure& error) {
      refuse(fmt::format("cannot be read: {}", error.what()));
    }
    if (found != header.checksum)
      refuse(fmt::format("is damaged: its contents have the checksum {:016x}, and its header says {:016x}", found,
                         header.checksum));
    // In the tables of HDF5's first formats nothing is checked, and some that are wrong crash HDF5 1.10.
    unsigned char hdf5[9] = {};
    if (pread(descriptor_, hdf5, sizeof hdf5, kUserBlock) == sizeof hdf5 && hdf5[8] < 2)
      refuse(fmt::format("is of HDF5's format {}; allowed: 2 and later, whose tables have checksums", hdf5[8]));
  }

  /// (count) or (count, 3)
  void require_shape(const hdf5::Reader& in, const std::string& array, const hdf5::Shape& wanted) const {
    if (in.shape(array) == wanted) return;
    std::string found;
    for (const std::uint64_t size : in.shape(array)) found += (found.empty() ? "" : " x ") + std::to_string(size);
    refuse(fmt::format("\"{}\" is of {} numbers, and there are {} particles", array, found, wanted[0]));
  }

  AttributeValues read_attribute(const hdf5::Reader& in, const std::string& array, std::uint64_t count) const {
    AttributeValues attribute;
    attribute.name = in.text_note("particles/" + array, "attribute");
    const std::string place = "particles/" + array;
    if (in.holds<std::uint32_t>(place)) {
      require_shape(in, place, {count});
      attribute.values = in.read<std::uint32_t>(place);
    } else if (in.shape(place).size() == 1) {
      require_shape(in, place, {count});
      attribute.values = in.read<float>(place);
    } else {
      require_shape(in, place, {count, 3});
      in.elements<float>(place);  // before memory is taken
      std::vector<Vec4> vectors(count);
      in.read_in_pieces<float>(place, [&](std::uint64_t first, std::span<const float> numbers) {
        for (std::size_t k = 0; k < numbers.size() / 3; ++k)
          vectors[first + k] = {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2], 0};
      });
      if (const std::string fourth = "fourth/" + array; in.has(fourth)) {
        require_shape(in, fourth, {count});
        in.read_in_pieces<float>(fourth, [&](std::uint64_t first, std::span<const float> numbers) {
          for (std::size_t k = 0; k < numbers.size(); ++k) vectors[first + k].w = numbers[k];
        });
      }
      attribute.values = std::move(vectors);
    }
    return attribute;
  }

  void read_particles(const hdf5::Reader& in, SimulationState& state) const {
    const auto count = in.note<std::uint64_t>("particles", "count");
    if (count > INT_MAX || count > length_) refuse(fmt::format("says that it has {} particles", count));
    state.count = static_cast<int>(count);
    state.next_id = in.note<std::uint32_t>("particles", "next_id");
    state.started = in.note<std::uint32_t>("particles", "started") != 0;
    // A file of format 1 may lack it.
    state.knows_last_step = in.has_note("particles", "knows_last_step")
                                ? in.note<std::uint32_t>("particles", "knows_last_step") != 0
                                : state.started && state.clock.step > 0;
    for (const std::string& name : in.names("particles")) state.attributes.push_back(read_attribute(in, name, count));
    if (!in.has("turns")) return;
    require_shape(in, "turns", {count, 3});
    const std::vector<std::int32_t> turns = in.read<std::int32_t>("turns");
    state.turns.resize(count);
    for (std::size_t i = 0; i < turns.size(); ++i) state.turns[i / 3].along[i % 3] = turns[i];
  }

  void read_search(const hdf5::Reader& in, KeptSearch& search) const {
    if (!in.has("search")) return;
    search.radius = in.note<float>("search", "radius");
    const std::vector<float> numbers = in.read<float>("search/positions");
    search.positions.resize(numbers.size() / 4);
    for (std::size_t i = 0; i < search.positions.size(); ++i)
      search.positions[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]};
    search.builds.words = in.read<std::uint32_t>("search/words");
    search.builds.numbers = in.read<double>("search/numbers");
  }

  void read_inheritance(const hdf5::Reader& in, KeptInheritance& kept) const {
    if (!in.has("inheritance")) return;
    kept.begins = in.note<std::uint32_t>("inheritance", "begins") != 0;
    kept.until = in.note<double>("inheritance", "until");
    kept.share = in.note<float>("inheritance", "share");
    if (in.has("inheritance/walls")) kept.walls = in.read<float>("inheritance/walls");
  }

  /// @param run  with its clock
  void read_rows(const hdf5::Reader& in, SavedRun& run) const {
    if (!in.has("diagnostics")) return;
    SavedRows& rows = run.rows;
    rows.every = in.note<double>("diagnostics", "every");
    const hdf5::Shape shape = in.shape("diagnostics/rows");
    if (shape.size() != 2 || in.shape("diagnostics/due") != hdf5::Shape{shape[0], 2})
      refuse("\"diagnostics/rows\" and \"diagnostics/due\" are not of as many rows");
    rows.values = in.read<double>("diagnostics/rows");
    const std::vector<std::uint64_t> due = in.read<std::uint64_t>("diagnostics/due");
    for (std::size_t k = 0; k < due.size(); k += 2)
      rows.multiples.push_back(due[k]), rows.strides.push_back(due[k + 1]);
    const std::string changes = in.has("diagnostics/changes") ? in.read_text("diagnostics/changes") : "[]";
    if (const std::string wrong = read_texts(in.read_text("diagnostics/columns"), changes, rows); !wrong.empty())
      refuse(wrong);
    if (const std::string wrong = what_is_wrong(rows, shape[1], run.state.clock.time); !wrong.empty()) refuse(wrong);
  }

  /// @param run  with its clock
  void read_acts(const hdf5::Reader& in, SavedRun& run) const {
    if (!in.has("acts")) return;
    SavedActs& acts = run.acts;
    acts.hands = in.note<std::uint64_t>("acts", "hands");
    acts.eased = in.note<std::uint32_t>("acts", "eased") != 0;
    acts.devices = in.note<std::uint32_t>("acts", "devices") != 0;
    if (!in.has_note("acts", "shortened_step")) return;
    acts.shortened_step = in.note<std::uint64_t>("acts", "shortened_step");
    if (*acts.shortened_step == 0 || *acts.shortened_step > run.state.clock.step)
      refuse(fmt::format("its shortened step is {}; allowed: 1 to {}, its steps", *acts.shortened_step,
                         run.state.clock.step));
  }

  /// As many records as `count` says.
  template <class T>
  std::vector<T> read_records(const hdf5::Reader& in, const std::string& array, std::uint64_t count) const {
    if (in.shape(array) != hdf5::Shape{count, sizeof(T) / sizeof(double)})
      refuse(
          fmt::format("\"{}\" is not of {} numbers for each of {} solids", array, sizeof(T) / sizeof(double), count));
    const std::vector<double> numbers = in.read<double>(array);
    std::vector<T> records(count);
    std::memcpy(static_cast<void*>(records.data()), numbers.data(), numbers.size() * sizeof(double));
    return records;
  }

  void read_bodies(const hdf5::Reader& in, KeptBodies& kept) const {
    if (!in.has("bodies")) return;
    const hdf5::Shape shape = in.shape("bodies/moving");
    const std::uint64_t count = shape.empty() ? 0 : shape[0];
    if (count == 0) refuse("its bodies are none");
    kept.bodies = read_records<MovingBody>(in, "bodies/moving", count);
    if (in.shape("bodies/impulses") != hdf5::Shape{count + 1, 6})
      refuse(fmt::format("\"bodies/impulses\" is not of 6 numbers for {} solids and the faces", count));
    kept.left_impulses = in.read<double>("bodies/impulses");
    if (in.has("bodies/later")) kept.later = in.read<std::uint64_t>("bodies/later");
    kept.interval = in.note<std::int32_t>("bodies", "interval");
    kept.steps_left = in.note<std::int32_t>("bodies", "steps_left");
    kept.report.contact_steps = in.note<std::uint64_t>("bodies", "contact_steps");
    kept.report.long_ways = in.note<std::uint64_t>("bodies", "long_ways");
    kept.report.touching = in.note<std::int32_t>("bodies", "touching");
    if (!in.has("bodies/contact_from")) return;
    kept.from = read_records<BodyState>(in, "bodies/contact_from", count);
    kept.pushes = read_records<BodyPush>(in, "bodies/contact_pushes", count);
    kept.time = in.note<double>("bodies", "contact_time");
    kept.dt = in.note<double>("bodies", "contact_dt");
    kept.long_ways = in.note<std::uint64_t>("bodies", "contact_long_ways");
    if (!in.has("bodies/contacts")) return;
    const hdf5::Shape contacts = in.shape("bodies/contacts");
    kept.contacts = read_records<KeptContact>(in, "bodies/contacts", contacts.empty() ? 0 : contacts[0]);
    for (const double number : numbers_of(kept.contacts))
      if (!std::isfinite(number)) refuse("\"bodies/contacts\" has numbers that are not finite");
  }

  void read_openings(const hdf5::Reader& in, KeptOpenings& kept) const {
    if (!in.has("openings")) return;
    const hdf5::Shape shape = in.shape("openings/flow");
    const std::uint64_t count = shape.empty() ? 0 : shape[0];
    if (count < 1 || count > 1 + kOpeningsLag)
      refuse(fmt::format("\"openings/flow\" has {} rows; allowed: 1 to {}", count, 1 + kOpeningsLag));
    require_shape(in, "openings/flow", {count, kFlowNumbers});
    require_shape(in, "openings/taken", {count, kMostOutlets});
    require_shape(in, "openings/marked", {count, 2 * kMostOutlets});
    const std::vector<double> flow = in.read<double>("openings/flow");
    const std::vector<std::uint64_t> taken = in.read<std::uint64_t>("openings/taken");
    const std::vector<std::uint32_t> marked = in.read<std::uint32_t>("openings/marked");
    for (std::size_t row = 0; row < count; ++row) {
      OpeningCounts c;
      const double* from = flow.data() + row * kFlowNumbers;
      c.time = *from++;
      for (auto* values : {&c.way, &c.speed, &c.due}) {
        std::copy_n(from, std::size(*values), std::begin(*values));
        from += std::size(*values);
      }
      std::copy_n(taken.data() + row * kMostOutlets, kMostOutlets, std::begin(c.taken));
      std::copy_n(marked.data() + 2 * row * kMostOutlets, kMostOutlets, std::begin(c.marked));
      std::copy_n(marked.data() + (2 * row + 1) * kMostOutlets, kMostOutlets, std::begin(c.inside));
      if (row == 0)
        kept.counts = c;
      else
        kept.late.push_back(c);
    }
    const std::vector<std::uint64_t> layers = in.read<std::uint64_t>("openings/layers");
    for (std::size_t k = 0; k + 2 < layers.size(); k += 3)
      kept.layers.push_back(
          {static_cast<std::uint32_t>(layers[k]), static_cast<std::uint32_t>(layers[k + 1]), layers[k + 2]});
    kept.made = in.read<std::uint64_t>("openings/made");
    kept.length = in.read<std::uint32_t>("openings/length");
    kept.paused_steps = in.read<std::uint64_t>("openings/paused_steps");
    kept.turn = in.note<std::uint32_t>("openings", "turn");
    kept.standing = in.note<std::uint32_t>("openings", "standing");
  }

  std::string name_;
  int descriptor_;
  std::uint64_t length_ = 0;
};

}  // namespace

// The file without its arrays' numbers: HDF5 alone knows what it adds.
std::uint64_t state_file_bytes(const SavedRun& run) {
  Contents contents{hdf5::Writer("the size of a state", kUserBlock), {}};
  write_contents(contents, run, views_of(run.state));
  return contents.out.finish().size;
}

bool has_state_ending(const fs::path& file) {
  const std::string ending = ending_of(file);
  return ending == ".h5" || ending == ".hdf5";
}

bool is_state_file(const fs::path& file) {
  if (has_state_ending(file) || ending_of(file) == ".zip") return true;
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return false;
  char begin[16] = {};
  std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, 12) == std::string_view(kMagic, 12) || begins_as_pack(file);
}

fs::path companion_of(const fs::path& state_file) { return fs::path(state_file).replace_extension(".xmf"); }

StateImage image_of_state(const fs::path& file, const SavedRun& run, std::span<const AttributeView> attributes,
                          FileMemory used) {
  Contents contents{hdf5::Writer(file.string(), kUserBlock), {}};
  write_contents(contents, run, attributes);
  StateImage state{file, contents.out.finish(), std::move(contents.arrays), std::move(used), nullptr, ""};
  std::sort(state.arrays.begin(), state.arrays.end(),
            [](const PlacedArray& a, const PlacedArray& b) { return a.begin < b.begin; });
  if (!state.whole.resize(state.frame.size))
    throw RuntimeFailure(fmt::format("{}: cannot be written: there is no memory for a copy of {}", file.string(),
                                     bytes_text(double(state.frame.size))));
  state.whole.prefer_large_pages();
  state.blocks = std::make_unique<ImageBlocks>(state.whole.bytes(), kUserBlock, state.frame.size);
  state.companion = xdmf_text(file.filename().string(), run.state.clock.time, attributes);
  return state;
}

void fill_image(const StateImage& state) {
  char* const whole = state.whole.bytes();
  const auto frame = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin < end) std::memcpy(whole + begin, state.frame.bytes() + begin, end - begin);
  };
  state.blocks->fill([&](std::uint64_t begin, std::uint64_t end) {
    for (const PlacedArray& array : state.arrays) {
      if (array.end() <= begin) continue;
      if (array.begin >= end) break;
      frame(begin, array.begin);
      array.fill(whole, begin, end);
      begin = std::min(end, array.end());
    }
    frame(begin, end);
  });
}

Descriptor write_image(const StateImage& state) {
  Descriptor before(open(state.file.c_str(), O_PATH | O_CLOEXEC));
  write_whole(state.file, [&](const fs::path& partial) { write_blocks(partial, state); });
  flush_folder(state.file.parent_path());
  write_text(companion_of(state.file), state.companion);
  return before;
}

void write_state(const fs::path& file, const SavedRun& run) {
  const StateImage state = image_of_state(file, run, views_of(run.state));
  auto disk = std::async(std::launch::async, [&state] { return write_image(state); });
  fill_image(state);
  disk.get();
}

OpenState open_state(const fs::path& file) {
  OpenState state;
  state.shown = file.string();
  state.own = Descriptor(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (state.own < 0) {
    const int why = errno;
    throw InputError(fmt::format("{}: cannot be opened: {}{}", state.shown, std::strerror(why),
                                 why == ENOENT ? near_file(file, {".h5", ".hdf5", ".zip"}) : ""));
  }
  char begin[4] = {};
  const bool is_read = pread(state.own, begin, sizeof begin, 0) == sizeof begin;
  const std::string_view head(begin, sizeof begin);
  if (!is_read || (head != "PK\x03\x04" && head != "PK\x05\x06")) return state;  // the second: an archive of no files
  PackedState packed = packed_state(file);
  state.copied = std::move(packed.file);
  state.shown = std::move(packed.shown);
  return state;
}

StateSummary summary_of(const OpenState& state) { return StateReader(state.file(), state.shown).summary(); }

SavedRun read_state(const fs::path& file, bool* is_pack) {
  const OpenState state = open_state(file);
  if (is_pack != nullptr) *is_pack = state.copied != nullptr;
  return StateReader(state.file(), state.shown).read();
}

}  // namespace riffle
