#pragma once
/// The vocabulary in which scenes/format/format*.cpp and scenes/solvers write down the scene format.
///
/// Most rows name a field by a section and a member, `fluid, &FluidSetup::viscosity`: the value is stored there, and the
/// default is what the member holds in a scene that gives no key.

#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/text/words.h"
#include "scenes/format/format.h"
#include "sim/solver_info.h"

namespace riffle::scenes::format_keys {

inline Form text() { return {}; }

inline Form flag() {
  Form form;
  form.kind = Form::Kind::Flag;
  return form;
}

inline Form whole(double min, double max, int multiple_of = 1) {
  Form form;
  form.kind = Form::Kind::Whole;
  form.min = min;
  form.max = max;
  form.multiple_of = multiple_of;
  return form;
}

inline Form number(std::string unit) {
  Form form;
  form.kind = Form::Kind::Number;
  form.unit = std::move(unit);
  return form;
}

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

inline Form number_above(double min, std::string unit, double max = kNoLimit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  form.above_min = true;
  return form;
}

inline Form number_from(double min, double max, std::string unit) {
  Form form = number(std::move(unit));
  form.min = min;
  form.max = max;
  return form;
}

/// Either sign, small enough that its square and what follows from it stay finite in single precision.
inline Form bounded(std::string unit) { return number_from(-1e6, 1e6, std::move(unit)); }

inline Form words(std::vector<std::string> allowed) {
  Form form;
  form.kind = Form::Kind::Word;
  form.words = std::move(allowed);
  return form;
}

/// The words of an enum's table.
template <class Enum>
Form words() {
  std::vector<std::string> allowed;
  for (const auto& row : words_of(Enum{})) allowed.emplace_back(row.word);
  return words(std::move(allowed));
}

/// The sentence, and then what each word of the enum means.
template <class Enum>
std::string with_words(std::string doc) {
  for (const auto& row : words_of(Enum{}))
    if (!row.doc.empty())
      doc += (doc.empty() ? "`" : " `") + std::string(row.word) + "`: " + std::string(row.doc) + ".";
  return doc;
}

inline Form hex_color() {
  Form form;
  form.kind = Form::Kind::HexColor;
  return form;
}

inline Form tuple(Form element, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::Tuple;
  form.element = {std::move(element)};
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

inline Form spatial(Form element) {
  Form form = tuple(std::move(element), 2, 3);
  form.spatial = true;
  return form;
}

inline Form map_of(Record record) {
  Form form;
  form.kind = Form::Kind::Map;
  form.record = std::make_shared<const Record>(std::move(record));
  return form;
}

inline Form list_of(Record record, int min_count, int max_count) {
  Form form;
  form.kind = Form::Kind::List;
  form.record = std::make_shared<const Record>(std::move(record));
  form.min_count = min_count;
  form.max_count = max_count;
  return form;
}

/// A value as a field of type T holds it.
template <class T>
T field_value(const Value& value) {
  if constexpr (std::is_enum_v<T>)
    return *value_of_word<T>(value.text());
  else if constexpr (std::is_same_v<T, bool>)
    return value.flag();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(value.whole());
  else if constexpr (std::is_same_v<T, float>)
    return value.number();
  else if constexpr (std::is_same_v<T, double>)
    return value.precise();
  else if constexpr (std::is_same_v<T, Vec3>)
    return value.vector();
  else
    return value.text();
}

template <class T>
Value value_of_field(const T& field) {
  if constexpr (std::is_enum_v<T>)
    return std::string(word_of(field));
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return static_cast<std::int64_t>(field);
  else
    return field;
}

/// The part of the draft that a key's value belongs to; in a list, the entry that is being read. Members may be those of
/// a base class of it.
template <class Part>
using Section = Part& (*)(SceneDraft&);

/// A scene that gives no key; its lists have one entry each.
inline SceneDraft& default_draft() {
  static SceneDraft draft = [] {
    SceneDraft empty;
    empty.scene.simulation.fluids.emplace_back();
    empty.scene.simulation.bodies.emplace_back();
    empty.scene.simulation.bodies.back().with.emplace_back();
    empty.scene.simulation.bodies.back().without.emplace_back();
    empty.bodies.emplace_back();
    empty.scene.simulation.solid_regions.emplace_back();
    empty.scene.simulation.solid_regions.back().with.emplace_back();
    empty.scene.simulation.solid_regions.back().without.emplace_back();
    empty.scene.simulation.joints.emplace_back();
    empty.scene.simulation.damping.emplace_back();
    empty.scene.simulation.inlets.emplace_back();
    empty.inlet_fluids.emplace_back();
    empty.scene.simulation.outlets.emplace_back();
    empty.scene.simulation.outlets.back().with.emplace_back();
    empty.scene.simulation.outlets.back().without.emplace_back();
    empty.scene.probes.emplace_back();
    return empty;
  }();
  return draft;
}

using Fetch = std::function<Value(SceneDraft&)>;

template <class Part, class Owner, class T>
Fetch fetched_from(Section<Part> section, T Owner::*member) {
  return [section, member](SceneDraft& draft) { return value_of_field(section(draft).*member); };
}

using Store = std::function<void(SceneDraft&, const Value&)>;

template <class Part, class Owner, class T>
Store stored_in(Section<Part> section, T Owner::*member) {
  return [section, member](SceneDraft& draft, const Value& value) { section(draft).*member = field_value<T>(value); };
}

/// A key whose value is in no single field.
inline Key optional(std::string name, std::vector<Form> forms, Value default_value, std::string doc, Store store,
                    Fetch fetch) {
  Key key{std::move(name), std::move(doc), std::move(forms)};
  key.default_value = std::move(default_value);
  key.store = std::move(store);
  key.fetch = std::move(fetch);
  return key;
}

template <class Part, class Owner, class T>
Key field(std::string name, Form form, Section<Part> section, T Owner::*member, std::string doc) {
  return optional(std::move(name), {std::move(form)}, value_of_field(section(default_draft()).*member), std::move(doc),
                  stored_in(section, member), fetched_from(section, member));
}

/// A field that is an enum: its words and what they mean come from the enum's table.
template <class Part, class Owner, class Enum>
Key choice(std::string name, Section<Part> section, Enum Owner::*member, std::string doc) {
  return field(std::move(name), words<Enum>(), section, member, with_words<Enum>(std::move(doc)));
}

/// A number, or a word that stands for the field's default.
template <class Part, class Owner, class T>
Key field_or(std::string word, std::string name, Form form, Section<Part> section, T Owner::*member, std::string doc) {
  const T meant = section(default_draft()).*member;
  Key key = optional(std::move(name), {words({word}), std::move(form)}, word, std::move(doc), nullptr, nullptr);
  key.store = [section, member, meant](SceneDraft& draft, const Value& value) {
    section(draft).*member = value.is_text() ? meant : field_value<T>(value);
  };
  key.fetch = [section, member, meant, word](SceneDraft& draft) {
    const T now = section(draft).*member;
    return now == meant ? Value(word) : value_of_field(now);
  };
  return key;
}

template <class Part, class Owner, class T>
Key required(std::string name, Form form, Section<Part> section, T Owner::*member, std::string doc) {
  Key key{std::move(name), std::move(doc), {std::move(form)}};
  key.required = true;
  key.store = stored_in(section, member);
  key.fetch = fetched_from(section, member);
  return key;
}

/// The same key, whose value is stored in this field too, which is that of PBF.
template <class Part, class Owner, class T>
Key and_in(Section<Part> section, T Owner::*member, Key key) {
  key.store = [first = std::move(key.store), second = stored_in(section, member)](SceneDraft& draft,
                                                                                  const Value& value) {
    first(draft, value);
    second(draft, value);
  };
  key.fetch = [first = std::move(key.fetch), second = fetched_from(section, member)](SceneDraft& draft) {
    return draft.scene.simulation.solver == SolverKind::Pbf ? second(draft) : first(draft);
  };
  return key;
}

inline Key section(std::string name, std::string doc, Record record, std::function<void(SceneDraft&)> enter = nullptr) {
  Key key{std::move(name), std::move(doc), {map_of(std::move(record))}};
  key.enter = std::move(enter);
  return key;
}

/// The same key, for this solver only: with the others it is refused.
inline Key only_with(SolverKind solver, Key key) {
  key.solvers = {solver};
  return key;
}

/// The same key, for the solvers with a property: a flag of SolverInfo, or a function of it.
template <class Property>
Key only_where(Property property, Key key) {
  for (const SolverInfo* info : solvers())
    if (std::invoke(property, *info)) key.solvers.push_back(info->kind);
  return key;
}

/// The same key; the effect also holds for the keys in it, unless they have their own.
inline Key with_effect(Effect effect, Key key) {
  key.effect = effect;
  return key;
}

/// A row of numbers for every fluid, with a column for every fluid.
inline Form rows(double min, std::string unit) {
  return tuple(tuple(number_from(min, 1e6, std::move(unit)), 1, kMaxFluids), 1, kMaxFluids);
}

/// A coefficient of pairs of fluids: one number for all, or rows().
/// @param standard  as the setup has it before a scene is read
inline Key pair_matrix(std::string name, std::string unit, SceneDraft::Matrix SceneDraft::*member,
                       const PairMatrix& standard, std::string doc) {
  return optional(
      std::move(name), {number_from(0, 1e6, unit), rows(0, unit)}, standard.value[0][0], std::move(doc),
      [member](SceneDraft& draft, const Value& value) { (draft.*member).set(value); },
      [member](SceneDraft& draft) { return (draft.*member).value(); });
}

/// "x", "y" or "z". @param axis  0 to 2, of a draft
inline Key axis_key(std::string name, const char* usual, std::string doc, std::function<int&(SceneDraft&)> axis) {
  return optional(
      std::move(name), {words({"x", "y", "z"})}, usual, std::move(doc),
      [axis](SceneDraft& d, const Value& v) { axis(d) = v.text()[0] - 'x'; },
      [axis](SceneDraft& d) -> Value { return std::string(1, static_cast<char>('x' + axis(d))); });
}

inline SceneDraft& draft(SceneDraft& d) { return d; }
inline Scene& scene(SceneDraft& d) { return d.scene; }
inline RunSetup& run(SceneDraft& d) { return d.scene.run; }
inline PictureSetup& picture(SceneDraft& d) { return d.scene.picture; }
inline Camera& camera(SceneDraft& d) { return d.scene.picture.camera; }
inline CutSetup& cut(SceneDraft& d) { return d.scene.picture.cut; }
inline SimulationSetup& sim(SceneDraft& d) { return d.scene.simulation; }
inline Domain& domain(SceneDraft& d) { return sim(d).domain; }
inline FluidSetup& fluid(SceneDraft& d) { return sim(d).fluids.back(); }
inline BodySetup& body(SceneDraft& d) { return sim(d).bodies.back(); }
inline SolidRegion& solid(SceneDraft& d) { return sim(d).solid_regions.back(); }
inline FlowSetup& flow(SceneDraft& d) { return body(d).flow; }
inline StartSetup& start(SceneDraft& d) { return sim(d).start; }
inline StepSetup& step(SceneDraft& d) { return sim(d).step; }
inline NeighborSetup& neighbors(SceneDraft& d) { return sim(d).neighbors; }
inline WcsphSetup& wcsph_setup(SceneDraft& d) { return sim(d).wcsph; }
inline PbfSetup& pbf_setup(SceneDraft& d) { return sim(d).pbf; }
inline DfsphSetup& dfsph_setup(SceneDraft& d) { return sim(d).dfsph; }
inline DpdSetup& dpd_setup(SceneDraft& d) { return sim(d).dpd; }

}  // namespace riffle::scenes::format_keys

namespace riffle::scenes {

Record neighbors_record();

/// The keys `box`, `sphere` and so on, of which one is to be given, and their names.
/// @param role  goes on after "A box"; @param box_note  after "Lower corner."
/// @param files  the shapes from files, too
std::vector<Key> shape_keys(format_keys::Section<PlainShape> shape, const std::string& role,
                            const std::string& box_note, bool files = false);
std::vector<std::string> shape_words(bool files = false);

/// The keys of a mesh file and its place.
/// @param of_file  goes on after the words on the formats
std::vector<Key> mesh_keys(std::function<std::string&(SceneDraft&)> file,
                           std::function<MeshPlacement&(SceneDraft&)> place, const std::string& of_file);

/// A list of shapes that the last of some regions has: `with` or `without`.
/// @param shape  the last of the list
template <class OwnRegion>
Key shapes_key(const char* name, std::vector<OwnRegion> SimulationSetup::*regions,
               std::vector<PlainShape> Region::*list, int fewest, format_keys::Section<PlainShape> shape,
               const std::string& role, std::string doc) {
  Key key{name, std::move(doc), {format_keys::list_of({shape_keys(shape, role, ""), shape_words()}, fewest, 1000)}};
  key.default_note = "nothing";
  key.enter = [regions, list](SceneDraft& d) { ((d.scene.simulation.*regions).back().*list).emplace_back(); };
  key.count = [regions, list](const SceneDraft& d) { return ((d.scene.simulation.*regions).back().*list).size(); };
  key.pick = [regions, list](SceneDraft& d, const SceneDraft& whole, std::size_t i) {
    (d.scene.simulation.*regions).back().*list = {((whole.scene.simulation.*regions).back().*list)[i]};
  };
  return key;
}
/// Further shapes of the last of the regions.
template <class OwnRegion>
Key joined_key(std::vector<OwnRegion> SimulationSetup::*regions, format_keys::Section<PlainShape> joined,
               const std::string& role, std::string doc) {
  return shapes_key("with", regions, &Region::with, 1, joined, role, std::move(doc));
}
/// Shapes that are taken away from it.
template <class OwnRegion>
Key without_key(std::vector<OwnRegion> SimulationSetup::*regions, format_keys::Section<PlainShape> cut,
                const std::string& role, std::string doc) {
  return shapes_key("without", regions, &Region::without, 0, cut, role, std::move(doc));
}

/// The key `flow` of a body.
Key flow_key();

/// The key `motion` of a solid.
Key motion_key();
/// What a solid that forces move needs besides, and how solids meet.
std::vector<Key> free_body_keys();

/// The key `motion` of the domain.
Key tank_motion_key();

/// A key `table` for a file's name.
inline Key table_key(std::string doc, std::string& (*file)(SceneDraft&)) {
  Key key{"table", std::move(doc), {format_keys::text()}};
  key.default_note = "none";
  key.store = [file](SceneDraft& d, const Value& value) { file(d) = value.text(); };
  key.fetch = [file](SceneDraft& d) -> Value { return file(d); };
  key.present = [file](SceneDraft& d) { return !file(d).empty(); };
  return key;
}

/// The key `gravity_change` of a scene.
Key gravity_change_key();

/// The key `body_force` of a scene.
Key body_force_key();

/// The key `joints` of a scene.
Key joints_key();

/// The key `damping` of a scene.
Key damping_key();

/// The keys `inlets`, `outlets` and `particles.limit` of a scene.
Key inlets_key();
Key outlets_key();
Key particle_limit_key();

/// The key `probes` of a scene.
Key probes_key();

/// The key `events` of a scene.
Key events_key();

}  // namespace riffle::scenes
