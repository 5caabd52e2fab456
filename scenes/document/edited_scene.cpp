#include "scenes/document/edited_scene.h"
#include "scenes/document/comments.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "core/error.h"
#include "core/text/output_files.h"
#include "scenes/document/file_keys.h"
#include "scenes/document/flow_keys.h"
#include "scenes/document/fluid_references.h"
#include "scenes/document/free_solid_keys.h"
#include "scenes/document/key_path.h"
#include "scenes/document/probe_entries.h"
#include "scenes/document/put_value.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/third_axis.h"
#include "scenes/document/yaml_writer.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

const Location kEdited{"", 0, 0};

/// Whether a key that one document leaves out has the same value in the other: a switch that was turned on and off again.
bool is_default(const SceneSource& without, const SceneSource& with, const std::string& path) {
  if (find(without.root, path)) return false;
  const auto value = [&](const SceneSource& document) -> std::optional<std::string> {
    for (const Parameter& p : parameters(document))
      if (p.path == path) return p.value;
    return std::nullopt;
  };
  const auto now = value(with);
  return now && now == value(without);
}

void apply(SceneSource& document, const Edit& edit, Problems& problems) {
  if (!edit.value) {
    take_out(document.root, edit.path);
    return;
  }
  make_way(document, edit.path, kEdited, problems);
  put(document.root, edit.path, *edit.value, kEdited, problems);
}

/// "" where nothing is written; no value is written as "".
std::string written_at(const SceneSource& source, const std::string& path) {
  const Node* node = find(source.root, path);
  return node ? flow_text(*node) : "";
}

/// Numbers are compared as numbers: 1 is 1.0.
bool same_value(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.items.size() != b.items.size() || a.members.size() != b.members.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_value(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.members.size(); ++i)
    if (a.members[i].key != b.members[i].key || !same_value(a.members[i].value, b.members[i].value)) return false;
  if (a.kind != Node::Kind::Scalar || flow_text(a) == flow_text(b)) return true;
  std::string rest_of_a, rest_of_b;
  const auto of_a = parse_number(a.text, rest_of_a), of_b = parse_number(b.text, rest_of_b);
  return !a.quoted && !b.quoted && of_a && of_b && rest_of_a.empty() && rest_of_b.empty() && *of_a == *of_b;
}

bool same_at(const SceneSource& one, const SceneSource& other, const std::string& path) {
  const Node *const a = find(one.root, path), *const b = find(other.root, path);
  return a && b ? same_value(*a, *b) : a == b;
}

std::size_t count_of(const Scene& scene, const std::string& list) {
  const SimulationSetup& setup = scene.simulation;
  if (list == "probes") return scene.probes.size();
  if (list == "joints") return setup.joints.size();
  if (list == "damping") return setup.damping.size();
  if (list == "inlets") return setup.inlets.size();
  if (list == "outlets") return setup.outlets.size();
  return list == "fluids" ? setup.fluids.size() : list == "solids" ? setup.solid_regions.size() : setup.bodies.size();
}

EntryPath existing_entry(const std::string& path, const Scene& scene) {
  const EntryPath entry = split_entry(path);
  const std::size_t count = count_of(scene, entry.list);
  if (entry.index >= count)
    throw InputError(path + ": found '" + std::to_string(entry.index) + "' as an index into the list " + entry.list +
                     (count == 0 ? ", which is empty" : "; allowed: 0 to " + std::to_string(count - 1)));
  return entry;
}

/// Makes the base hold the list as the document does: an edit of the list as a whole becomes part of the base.
void settle_list(const std::string& list, const SceneSource& document, SceneSource& base, std::vector<Edit>& edits) {
  if (list == "fluids") write_the_fluid(base.root, kEdited);
  Problems none;
  if (!base.root.find(list)) put(base.root, list, "[]", kEdited, none);
  if (std::none_of(edits.begin(), edits.end(), [&](const Edit& edit) { return edit.path == list; })) return;
  *find(base.root, list) = *find(document.root, list);
  std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, list); });
}

/// Renumbers the edits of entries; drops the edits of an entry that gets no number.
void renumber(std::vector<Edit>& edits, const std::string& list,
              const std::function<std::optional<std::size_t>(std::size_t)>& number) {
  std::erase_if(edits, [&](Edit& edit) {
    if (edit.path == list || !is_inside(edit.path, list)) return false;
    const auto close = edit.path.find(']');
    const auto to = number(*split_path(edit.path)[1].index);
    if (to) edit.path = list + "[" + std::to_string(*to) + edit.path.substr(close);
    return !to;
  });
}

/// Events of the scene follow the entries that they set keys of. An event loses the keys of an entry that gets no number.
void renumber_events(const SceneSource& document, SceneSource& base, std::vector<Edit>& edits, const std::string& list,
                     const std::function<std::optional<std::size_t>(std::size_t)>& number) {
  const Node* const now = document.root.find("events");
  if (!now) return;
  Problems none;
  if (std::erase_if(edits, [](const Edit& edit) { return edit.path == "events"; }) > 0)
    *place_of(base.root, "events", kEdited, none) = *now;
  Node* const events = find(base.root, "events");
  for (Node& event : events->items)
    std::erase_if(find(event, "set")->members, [&](Node::Member& member) {
      const std::string path = spelled_path(member.key);
      if (path == list || !is_inside(path, list)) return false;
      const auto to = number(*split_path(path)[1].index);
      if (to) member.key = list + "[" + std::to_string(*to) + path.substr(path.find(']'));
      return !to;
    });
  std::erase_if(events->items, [](const Node& event) { return event.find("set")->members.empty(); });
  if (events->items.empty()) take_out(base.root, "events");
}

/// Where a joint names a solid.
std::vector<std::string> ends_of_joints(const Node& root) {
  std::vector<std::string> paths;
  const Node* joints = find(root, "joints");
  for (std::size_t j = 0; joints && j < joints->items.size(); ++j)
    for (const char* end : {"solid", "other"}) paths.push_back(fmt::format("joints[{}].{}", j, end));
  return paths;
}

/// Joints name a solid without a name by its number, "solid_2", which changes. Their names follow it.
/// @param number  that a solid gets; none: it is taken out
/// @throws InputError for a joint of a solid that is taken out
void follow_solids(const Scene& scene, const SceneSource& document, SceneSource& base, std::vector<Edit>& edits,
                   const std::function<std::optional<std::size_t>(std::size_t)>& number) {
  const SimulationSetup& setup = scene.simulation;
  std::map<std::string, std::string> names;
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s) {
    const std::optional<std::size_t> to = number(s);
    const std::string name = solid_name(setup, s);
    if (!to)
      for (const std::string& path : ends_of_joints(document.root))
        if (const Node* end = find(document.root, path); end && end->text == name)
          throw InputError(fmt::format("solids[{}]: found {}, which joins '{}'; allowed: take the joint out first", s,
                                       path.substr(0, path.find('.')), name));
    if (to && *to != s && setup.solid_regions[s].name.empty()) names[name] = fmt::format("solid_{}", *to + 1);
  }
  const auto named = [&](const Node* end) { return end && names.contains(end->text); };
  const std::vector<std::string> ends = ends_of_joints(document.root);
  if (std::none_of(ends.begin(), ends.end(), [&](const std::string& path) { return named(find(document.root, path)); }))
    return;
  // An edit of a whole joint becomes part of the base.
  if (std::any_of(edits.begin(), edits.end(), [](const Edit& edit) {
        return is_inside(edit.path, "joints") && edit.path.find('.') == edit.path.npos;
      })) {
    settle_list("joints", document, base, edits);
    *find(base.root, "joints") = *find(document.root, "joints");
    std::erase_if(edits, [](const Edit& edit) { return is_inside(edit.path, "joints"); });
  }
  for (const std::string& path : ends)
    if (Node* end = find(base.root, path); named(end)) end->text = names.at(end->text);
  Problems none;
  for (Edit& edit : edits)
    if (edit.value && std::find(ends.begin(), ends.end(), edit.path) != ends.end()) {
      const Node value = parse_value(*edit.value, kEdited, "", none);
      if (named(&value)) edit.value = names.at(value.text);
    }
}

/// Applies the change to every fluid matrix: in the base, and in the edits where a matrix was edited.
void change_matrices(const SceneSource& document, SceneSource& base, std::vector<Edit>& edits,
                     const std::function<void(Node&)>& change) {
  for (const std::string& path : fluid_matrices()) {
    if (Node* matrix = find(base.root, path)) change(*matrix);
    const Node* written = find(document.root, path);
    const auto edited = std::erase_if(edits, [&](const Edit& edit) { return written && is_inside(edit.path, path); });
    if (edited == 0) continue;
    Node matrix = *written;
    change(matrix);
    edits.push_back({path, flow_text(matrix)});
  }
}

/// Paths of files in the document, which are meant from `from`, as they are from the folder `to`. An absolute path stays,
/// unless its file is in that folder: the folder can then be moved with all that belongs to the scene.
void move_files(Node& root, const std::filesystem::path& from, const std::filesystem::path& to) {
  for_each_file(root, [&](std::string& file) {
    const std::filesystem::path folder = to.empty() ? "." : to;  // absolute() throws for an empty path
    const std::filesystem::path there =
        std::filesystem::proximate(std::filesystem::absolute(from / file), std::filesystem::absolute(folder));
    const bool inside = !there.empty() && *there.begin() != "..";
    if (std::filesystem::path(file).is_relative() || inside) file = there.string();
  });
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether a copy of the folder's files, made there before, would change nothing.
bool is_copied(const std::filesystem::path& folder, const std::filesystem::path& there) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto copy = there / std::filesystem::relative(entry.path(), folder);
    if (entry.is_regular_file() && (!std::filesystem::exists(copy) || bytes_of(entry.path()) != bytes_of(copy)))
      return false;
  }
  return true;
}

/// Copies the files of a scene that has them in a folder of its own, which goes with it, beside the file of the scene:
/// "tank-files/1/post.stl". No file is replaced.
void take_files_along(Node& root, const std::filesystem::path& from, const std::filesystem::path& scene_file) {
  namespace fs = std::filesystem;
  std::vector<std::string*> files;
  for_each_file(root, [&](std::string& file) {
    if (fs::path(file).is_relative()) files.push_back(&file);
  });
  if (files.empty()) return;
  const std::string usual = scene_file.stem().string() + "-files";
  std::string name = usual;
  const auto place = [&] { return scene_file.parent_path() / name; };
  for (int k = 2; fs::exists(place()) && !is_copied(from, place()); ++k) name = usual + "-" + std::to_string(k);
  fs::copy(from, place(), fs::copy_options::recursive | fs::copy_options::skip_existing);
  for (std::string* file : files) *file = (fs::path(name) / *file).string();
}

Commented commented(const std::string& yaml, const SceneSource& source) {
  return source.text ? with_comments(yaml, *source.text) : Commented{yaml};
}

/// Refuses a solver with other units than the scene's: all numbers of the scene would mean something else.
void refuse_other_units(const Scene& scene, SolverKind wanted) {
  const SimulationSetup& now = scene.simulation;
  const SolverInfo& info = solver_info(wanted);
  if (info.si() == solver_info(now).si()) return;
  SimulationSetup then = now;
  then.solver = wanted;
  std::string allowed;
  for (const SolverInfo* solver : solvers())
    if (solver->si() != info.si()) allowed += (allowed.empty() ? "" : ", ") + std::string(solver->name);
  throw InputError(fmt::format(
      "solver.type: found '{0}', which has other units: the {1:g} {2} between particles would become {1:g} {3}, and no "
      "other number would keep its meaning; allowed in this scene: {4}. To use {0}, open a scene of {0} and change "
      "that "
      "one",
      info.name, now.spacing, units_of(now).length, units_of(then).length, allowed));
}

/// @throws InputError for an entry that others need
void refuse_if_used(const EntryPath& path, const SceneSource& document, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  if (path.list == "bodies" && setup.bodies.size() == 1 && setup.inlets.empty())
    throw InputError(
        "bodies[0]: is the only body, and there is no inlet: the scene would have no particle. Add another body first");
  if (path.list != "fluids") return;
  if (setup.fluids.size() == 1) throw InputError("fluids[0]: is the only fluid of the scene. Add another one first");
  const std::string users = users_text(references_to_fluid(document.root, setup.fluids[path.index].name));
  if (!users.empty())
    throw InputError(fmt::format("fluids[{}]: '{}' is in use: {}. Give that another fluid, or remove it, first",
                                 path.index, setup.fluids[path.index].name, users));
}

/// Bodies need to name their fluid as soon as there is more than one.
void name_the_only_fluid(SceneSource& base, const std::string& name) {
  Problems none;
  for (Node& body : find(base.root, "bodies")->items)
    if (!body.find("fluid")) put(body, "fluid", string_text(name), kEdited, none);
}

bool is_flat(const Scene& scene) { return scene.simulation.domain.dimension == 2; }

bool is_flat(const SceneSource& document) {
  const Node* dimension = document.root.find("dimension");
  return dimension && dimension->text != "3";
}

/// The base gets the third numbers as well: an edit of a list that is reset must not leave two.
void apply(const ThirdAxis::Change& change, SceneSource& base, std::vector<Edit>& edits) {
  if (!change.value) {
    take_out(base.root, change.path);
    std::erase_if(edits, [&](const Edit& edit) { return edit.path == change.path; });
    return;
  }
  if (change.is_new) {
    Problems none;  // the value is a number, or a list of them
    put(base.root, change.path, flow_text(*change.value), kEdited, none);
    for (Edit& edit : edits)
      if (edit.path == change.path) edit.value = flow_text(*change.value);
    return;
  }
  if (Node* list = find(base.root, change.path); list && list->items.size() >= 2) {
    list->items.resize(2);
    list->items.push_back(change.value->items[2]);
  }
  for (Edit& edit : edits)
    if (edit.path == change.path) edit.value = flow_text(*change.value);
}

}  // namespace

EditedScene::EditedScene(SceneSource source) : source_(std::make_shared<const SceneSource>(std::move(source))) {
  now_.written.base = source_;
  now_.document = *source_;
  now_.scene = build_scene(*source_);
}

SceneSource EditedScene::document_of(const Written& written) {
  SceneSource document = *written.base;
  Problems problems;
  for (const Edit& edit : written.edits) apply(document, edit, problems);
  problems.throw_if_any();
  return document;
}

EditedScene::State EditedScene::state_of(Written written) {
  State state;
  state.document = document_of(written);
  state.left_out = keys_of_other_solvers(state.document);
  for (const auto& path : state.left_out) take_out(state.document.root, path);
  state.scene = build_scene(state.document);
  state.written = std::move(written);
  if (is_flat(state.scene)) state.written.third_axis_note.clear();
  return state;
}

/// A scene that becomes 3-D gets the third numbers that it lacks.
EditedScene::Written EditedScene::with_third_axis(Written written) const {
  SceneSource document = document_of(written);
  if (!is_flat(now_.scene) || is_flat(document)) return written;
  const ThirdAxis third = third_axis_of(document);
  SceneSource base = *written.base;
  for (const ThirdAxis::Change& change : third.changes) {
    apply(change, base, written.edits);
    if (!change.value)
      take_out(document.root, change.path);
    else if (Node* list = find(document.root, change.path))
      *list = *change.value;
    else if (Problems none; change.is_new)
      put(document.root, change.path, flow_text(*change.value), kEdited, none);
  }
  if (!third.changes.empty()) written.base = std::make_shared<const SceneSource>(std::move(base));
  written.third_axis_note = third.note;
  // An edit of a whole section has lists in it: then all edits become part of the base.
  if (flow_text(document_of(written).root) != flow_text(document.root))
    return {std::make_shared<const SceneSource>(std::move(document)), {}, third.note};
  return written;
}

void EditedScene::change_to(State state, const std::string& path, bool goes_on) {
  redo_.clear();
  if (!goes_on || path != last_changed_) undo_.push_back(std::move(now_.written));
  now_ = std::move(state);
  last_changed_ = path;
}

void EditedScene::set(const std::string& given, const std::string& typed, bool goes_on) {
  const std::string path = spelled_path(given);
  const std::string value =
      is_flat(now_.scene) ? with_third_number(path, typed, find(now_.document.root, path)) : typed;
  const std::string& note = now_.written.third_axis_note;
  std::vector<Edit> edits = now_.written.edits;
  std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); });
  const FreeSolidEdits beside = edits_beside({path, value}, *now_.written.base, now_.scene);
  const FreeSolidEdits of_flow = edits_beside_flow({path, value}, *now_.written.base, now_.scene);
  take_along(beside, edits);
  take_along(of_flow, edits);
  take_along(edits_beside_name({path, value}, *now_.written.base, now_.document, now_.scene), edits);
  State without, with;
  bool stands_alone = true;  // the scene can run without the edit that is replaced
  try {
    without = state_of(with_third_axis({now_.written.base, edits, note}));
  } catch (const InputError&) {
    stands_alone = false;
  }
  edits.push_back({path, value});
  refuse_other_units(now_.scene, solver_of(document_of({now_.written.base, edits})));
  with = state_of(with_third_axis({now_.written.base, std::move(edits), note}));
  for (const auto& stranger : with.left_out)
    if (is_inside(path, stranger) || is_inside(stranger, path)) {  // this edit would be left out, not an older one
      SceneSource refused = with.document;
      Problems problems;
      apply(refused, {path, value}, problems);
      build_scene(refused);
    }
  const bool as_it_was = stands_alone && (same_at(without.document, with.document, path) ||
                                          is_default(without.document, with.document, path));
  State& next = as_it_was ? without : with;
  next.written.changed_key = path;
  next.written.note_of_change = beside.note + of_flow.note;
  change_to(std::move(next), path, goes_on);
}

void EditedScene::set_together(const std::vector<Edit>& wanted) {
  if (wanted.empty()) return;
  std::vector<Edit> edits = now_.written.edits;
  std::vector<std::string> paths;
  for (const Edit& given : wanted) {
    const std::string path = spelled_path(given.path);
    std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); });
    std::optional<std::string> value = given.value;
    if (value && is_flat(now_.scene)) value = with_third_number(path, *value, find(now_.document.root, path));
    edits.push_back({path, value});
    paths.push_back(path);
  }
  const std::shared_ptr<const SceneSource> base = now_.written.base;
  const SceneSource document = document_of({base, edits});
  // A key that is again as the base has it is no edit.
  for (const std::string& path : paths) {
    std::vector<Edit> others = edits;
    std::erase_if(others, [&](const Edit& edit) { return edit.path == path; });
    const SceneSource without = document_of({base, others});
    if (same_at(without, document, path) || is_default(without, document, path)) edits = std::move(others);
  }
  State next = state_of({base, std::move(edits), now_.written.third_axis_note});
  next.written.changed_key = paths.front();
  next.written.note_of_change.clear();
  change_to(std::move(next), "", false);
}

/// Adds the edits that go with another one.
void EditedScene::take_along(const FreeSolidEdits& beside, std::vector<Edit>& edits) const {
  for (const Edit& other : beside.edits) {
    std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, other.path); });
    const bool is_there = find(document_of({now_.written.base, edits}).root, other.path) != nullptr;
    if (other.value || is_there) edits.push_back(other);
  }
  for (const std::string& key : beside.as_in_base)
    std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, key); });
}

std::string EditedScene::note_of_change(const std::string& key) const {
  return now_.written.changed_key == key ? now_.written.note_of_change : "";
}

void EditedScene::reset(const std::string& given) {
  const std::string path = spelled_path(given);
  if (!is_edited(path)) return;
  std::vector<Edit> edits = now_.written.edits;
  std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); });
  const bool edited_above =
      std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) { return is_inside(path, edit.path); });
  const Node* const in_base = find(now_.written.base->root, path);
  // A map that an edit has brought offers a value of its own.
  const bool offered = !in_base && edited_above && edits != now_.written.edits &&
                       find(document_of({now_.written.base, edits}).root, path);
  if (edited_above && !offered) {
    const Node* before = find(now_.written.base->root, path);
    edits.push_back({path, before ? std::optional(flow_text(*before)) : std::nullopt});
  }
  if (edits == now_.written.edits) return;  // the key is left out at present
  const Node* const before = find(now_.written.base->root, path);
  const Edit as_before{path, before ? std::optional(flow_text(*before)) : std::nullopt};
  take_along(edits_beside(as_before, *now_.written.base, now_.scene), edits);
  take_along(edits_beside_flow(as_before, *now_.written.base, now_.scene), edits);
  take_along(edits_beside_name(as_before, *now_.written.base, now_.document, now_.scene), edits);
  change_to(state_of(with_third_axis({now_.written.base, std::move(edits), now_.written.third_axis_note})), "", false);
}

bool EditedScene::can_reset(const std::string& given, bool required) const {
  const std::string path = spelled_path(given);
  if (find(now_.written.base->root, path)) return true;
  const std::string key = path.substr(path.rfind('.') + 1);
  const bool of_free = path.starts_with("solids[") && (key == "mass" || key == "density");
  if (of_free) {
    const FreeBodySetup& free = now_.scene.simulation.solid_regions[*split_path(path)[1].index].free;
    return !free.given || (free.mass > 0 && free.density > 0);
  }
  if (!required) return true;
  std::vector<Edit> edits = now_.written.edits;
  const bool own = std::erase_if(edits, [&](const Edit& edit) { return is_inside(edit.path, path); }) > 0;
  return own && find(document_of({now_.written.base, edits}).root, path) != nullptr;
}

void EditedScene::reset_all() {
  if (anything_edited()) change_to(state_of({source_, {}}), "", false);
}

EditedScene::Written EditedScene::with_entry(const EntryPath& path, Node entry, std::size_t like) const {
  const SceneSource document = document_of(now_.written);
  SceneSource base = *now_.written.base;
  std::vector<Edit> edits = now_.written.edits;
  settle_list(path.list, document, base, edits);
  if (path.list == "fluids") {
    change_matrices(document, base, edits, [&](Node& matrix) { insert_fluid(matrix, path.index, like); });
    if (now_.scene.simulation.fluids.size() == 1) name_the_only_fluid(base, now_.scene.simulation.fluids[0].name);
  }
  auto& items = find(base.root, path.list)->items;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(path.index), std::move(entry));
  const auto number = [&](std::size_t i) { return std::optional(i < path.index ? i : i + 1); };
  if (path.list == "solids") follow_solids(now_.scene, document, base, edits, number);
  renumber(edits, path.list, number);
  renumber_events(document, base, edits, path.list, number);
  return with_base(std::move(base), std::move(edits));
}

void EditedScene::insert_entry(const EntryPath& path, Node entry, std::size_t like) {
  change_to(state_of(with_entry(path, std::move(entry), like)), "", false);
}

EditedScene::Written EditedScene::with_base(SceneSource base, std::vector<Edit> edits) const {
  const bool as_in_source = flow_text(base.root) == flow_text(source_->root);
  auto shared = as_in_source ? source_ : std::make_shared<const SceneSource>(std::move(base));
  return {std::move(shared), std::move(edits), now_.written.third_axis_note};
}

void EditedScene::add_entry(const std::string& list, const std::string& shape) {
  Node entry = new_entry(list, shape, now_.scene);
  const std::size_t count = count_of(now_.scene, list);
  insert_entry({list, count}, std::move(entry), count == 0 ? 0 : count - 1);
}

void EditedScene::add_mesh(const std::string& file, std::optional<float> scale) {
  const std::size_t count = now_.scene.simulation.solid_regions.size();
  insert_entry({"solids", count}, mesh_entry(file, now_.scene, scale), count == 0 ? 0 : count - 1);
}

void EditedScene::add_probe(Vec3 place) {
  const std::size_t count = now_.scene.probes.size();
  insert_entry({"probes", count}, probe_at(place, now_.scene), count == 0 ? 0 : count - 1);
}

void EditedScene::copy_entry(const std::string& given) {
  const EntryPath path = existing_entry(given, now_.scene);
  SceneSource document = document_of(now_.written);
  if (path.list == "fluids") write_the_fluid(document.root, kEdited);
  const Node& original = find(document.root, path.list)->items[path.index];
  const EntryPath behind{path.list, path.index + 1};
  const RefusalOfCopy refusal = [&](const Node& copy) -> std::string {
    try {
      state_of(with_entry(behind, copy, path.index));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  insert_entry(behind, copied_entry(original, path, now_.scene, refusal), path.index);
}

void EditedScene::remove_entry(const std::string& given) {
  const EntryPath path = existing_entry(given, now_.scene);
  const SceneSource document = document_of(now_.written);
  refuse_if_used(path, document, now_.scene);
  SceneSource base = *now_.written.base;
  std::vector<Edit> edits = now_.written.edits;
  settle_list(path.list, document, base, edits);
  if (path.list == "fluids")
    change_matrices(document, base, edits, [&](Node& matrix) { remove_fluid(matrix, path.index); });
  auto& items = find(base.root, path.list)->items;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(path.index));
  if (items.empty() && path.list != "fluids") take_out(base.root, path.list);
  const auto number = [&](std::size_t i) {
    return i == path.index ? std::nullopt : std::optional(i < path.index ? i : i - 1);
  };
  if (path.list == "solids") follow_solids(now_.scene, document, base, edits, number);
  renumber(edits, path.list, number);
  renumber_events(document, base, edits, path.list, number);
  change_to(state_of(with_base(std::move(base), std::move(edits))), "", false);
}

void EditedScene::restore(std::vector<Written>& from, std::vector<Written>& to) {
  if (from.empty()) return;
  State state = state_of(std::move(from.back()));
  from.pop_back();
  to.push_back(std::move(now_.written));
  now_ = std::move(state);
  last_changed_.clear();
}

void EditedScene::join_last_two() {
  if (undo_.size() > 1) undo_.pop_back();
}

void EditedScene::undo() { restore(undo_, redo_); }

void EditedScene::redo() { restore(redo_, undo_); }

bool EditedScene::is_edited(const std::string& path) const {
  return written_at(*now_.written.base, path) != written_at(now_.document, path);
}

std::string EditedScene::yaml_of(const SceneSource& document) const {
  return riffle::scenes::to_yaml(document.root, std::filesystem::path(source_->path).filename().string());
}

std::optional<std::string> EditedScene::yaml_if_edited(std::size_t redone) const {
  if (redone > redo_.size()) return std::nullopt;
  const Written& written = redone == 0 ? now_.written : redo_[redo_.size() - redone];
  if (!differs(written)) return std::nullopt;
  SceneSource document = document_of(written);
  for (const std::string& path : keys_of_other_solvers(document)) take_out(document.root, path);
  return yaml_of(document);
}

Node EditedScene::root_for(const std::string& path, const SceneSource* in_its_place) const {
  Node root = in_its_place ? in_its_place->root : now_.document.root;
  if (name_of_file(path) != name_of_file(source_->path) && !is_edited("name")) take_out(root, "name");
  return root;
}

std::size_t EditedScene::comments_left_out(const std::string& path, const SceneSource* in_its_place) const {
  return commented(riffle::scenes::to_yaml(root_for(path, in_its_place), ""), *source_).left_out;
}

void EditedScene::save(const std::string& path, const SceneSource* in_its_place) const {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::error_code none; !folder.empty() && !std::filesystem::exists(folder, none))
    throw RuntimeFailure(folder.string() + ": there is no such folder");
  prepare_file(path);
  Node root = root_for(path, in_its_place);
  const std::filesystem::path original = source_->path;
  if (source_->unpacked) {
    try {
      take_files_along(root, original.parent_path(), path);
    } catch (const std::filesystem::filesystem_error& error) {
      throw RuntimeFailure(path + ": the files of the scene cannot be copied beside it: " + error.code().message());
    }
    move_files(root, folder, folder);
  } else {
    move_files(root, original.parent_path(), folder);
  }
  std::error_code none;
  const bool has_file = !source_->is_new && std::filesystem::exists(original, none);
  const std::string origin = has_file ? original.filename().string() : "a new scene";
  write_text(path, commented(riffle::scenes::to_yaml(root, origin), *source_).yaml);
}

namespace {

/// Calls `each` with the path and the effect of every key whose values differ.
template <class Each>
void for_each_change(const SceneSource& from, const SceneSource& to, const Each& each) {
  std::map<std::string, Parameter> before;
  for (Parameter& p : parameters(from)) before[p.path] = std::move(p);
  for (const Parameter& p : parameters(to)) {
    const auto was = before.find(p.path);
    if (was == before.end() || was->second.value != p.value) each(p.path, p.effect);
    if (was != before.end()) before.erase(was);
  }
  for (const auto& [path, gone] : before) each(path, gone.effect);
}

}  // namespace

std::optional<Effect> effect_of_change(const SceneSource& from, const SceneSource& to) {
  std::optional<Effect> most;
  for_each_change(from, to, [&](const std::string&, Effect effect) { most = std::min(most.value_or(effect), effect); });
  return most;
}

std::vector<std::string> keys_of_the_start(const SceneSource& from, const SceneSource& to) {
  std::vector<std::string> keys;
  for_each_change(from, to, [&](const std::string& path, Effect effect) {
    if (effect == Effect::Restart) keys.push_back(path);
  });
  return keys;
}

}  // namespace riffle::scenes
