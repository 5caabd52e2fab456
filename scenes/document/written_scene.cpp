#include "scenes/document/written_scene.h"

#include <algorithm>

#include "core/error.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/format/format.h"
#include "scenes/format/number_density.h"
#include "sim/dpd/balanced_noise.h"

namespace riffle::scenes {

namespace {

Node empty(Node::Kind kind) {
  Node node;
  node.kind = kind;
  return node;
}

SceneDraft::Matrix matrix_of(const PairMatrix& from, std::size_t fluids) {
  SceneDraft::Matrix matrix;
  matrix.given = true;
  for (std::size_t k = 0; k < fluids; ++k) matrix.rows.emplace_back(from.value[k], from.value[k] + fluids);
  return matrix;
}

/// The draft that reviews would make this scene of.
SceneDraft draft_of(const Scene& scene) {
  SceneDraft draft;
  draft.scene = scene;
  const SimulationSetup& setup = scene.simulation;
  for (const InletSetup& inlet : setup.inlets)
    draft.inlet_fluids.push_back(setup.fluids.size() > 1 ? setup.fluids[static_cast<std::size_t>(inlet.fluid)].name
                                                         : "");
  for (const BodySetup& body : setup.bodies) {
    if (body.particles) throw InputError("a body whose particles are from a file cannot be written without that file");
    const bool named = setup.fluids.size() > 1;
    draft.bodies.push_back({named ? setup.fluids[static_cast<std::size_t>(body.fluid)].name : "", {}, {}, {}});
  }
  const auto name = [&](int fluid) { return setup.fluids[static_cast<std::size_t>(fluid)].name; };
  if (setup.start.has_interface) draft.upper = name(setup.start.upper), draft.lower = name(setup.start.lower);
  draft.repulsion = matrix_of(setup.dpd.repulsion, setup.fluids.size());
  draft.friction = matrix_of(setup.dpd.friction, setup.fluids.size());
  // Otherwise who changes friction or temperature in the written scene would get another kT.
  if (!dpd::has_balanced_noise(setup)) draft.noise = matrix_of(setup.dpd.noise, setup.fluids.size());
  draft.interface_tension = matrix_of(setup.wcsph.interface_tension, setup.fluids.size());
  return draft;
}

class SceneWriter {
 public:
  explicit SceneWriter(const Scene& scene)
      : solver_(scene.simulation.solver), dimension_(scene.simulation.domain.dimension) {}

  /// Nothing in it: the map has only defaults.
  Node write(const Record& record, SceneDraft& draft) const {
    Node map = empty(Node::Kind::Map);
    for (const Key& key : record.keys) {
      if (!key.suits(solver_) || (key.needs_third_axis && dimension_ == 2)) continue;
      const bool alternative = std::find(record.exactly_one_of.begin(), record.exactly_one_of.end(), key.name) !=
                               record.exactly_one_of.end();
      if ((alternative || key.present) && !(key.present && key.present(draft))) continue;
      if (auto value = write(key, draft)) map.members.push_back({key.name, {}, std::move(*value)});
    }
    return map;
  }

 private:
  std::optional<Node> write(const Key& key, SceneDraft& draft) const {
    const Form& last = key.forms.back();
    if (last.kind == Form::Kind::List) return write_list(key, *last.record, draft);
    if (last.kind == Form::Kind::Map) {
      // A word in place of the map, other than the usual one.
      if (const Value word = key.fetch ? key.fetch(draft) : Value{};
          word.is_text() && word.text() != key.default_value.text())
        return node_from(word);
      Node map = write(*last.record, draft);
      if (map.members.empty() && !key.required && !key.present) return std::nullopt;
      return map;
    }
    if (!key.fetch) return std::nullopt;
    const Value value = key.fetch(draft);
    if (last.kind == Form::Kind::Keys) return map_of(value);
    if (!key.required && value.is_text() && value.text().empty()) return std::nullopt;
    Node node = node_from(value);
    const bool spatial = std::any_of(key.forms.begin(), key.forms.end(), [](const Form& form) { return form.spatial; });
    if (spatial && node.kind == Node::Kind::List)
      node.items.resize(std::min(node.items.size(), static_cast<std::size_t>(dimension_)));
    if (!key.required && !key.default_value.is_empty()) {
      Node usual = node_from(key.default_value);
      if (spatial && usual.kind == Node::Kind::List)
        usual.items.resize(std::min(usual.items.size(), static_cast<std::size_t>(dimension_)));
      if (flow_text(usual) == flow_text(node)) return std::nullopt;
    }
    return node;
  }

  static Node map_of(const Value& pairs) {
    Node map = empty(Node::Kind::Map);
    Problems none;  // the values are right
    for (const Value& pair : pairs.items())
      map.members.push_back({pair.items()[0].text(), {}, parse_value(pair.items()[1].text(), {}, "", none)});
    return map;
  }

  std::optional<Node> write_list(const Key& key, const Record& record, const SceneDraft& draft) const {
    const std::size_t count = key.count(draft);
    if (count == 0) return std::nullopt;
    Node list = empty(Node::Kind::List);
    SceneDraft one = draft;
    for (std::size_t i = 0; i < count; ++i) {
      key.pick(one, draft, i);
      list.items.push_back(write(record, one));
    }
    return list;
  }

  SolverKind solver_;
  int dimension_;
};

}  // namespace

Node document_of(const Scene& scene) {
  // Those of regions are samples that a simulation takes again.
  if (!scene.simulation.solids.empty() && scene.simulation.solid_regions.empty())
    throw InputError("solids cannot be written as a scene");
  SceneDraft draft = draft_of(scene);
  return SceneWriter(scene).write(scene_format(), draft);
}

}  // namespace riffle::scenes
