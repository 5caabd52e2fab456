#include "bench/neighbor_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/command/option_checks.h"
#include "core/error.h"
#include "core/text/suggestion.h"

namespace riffle::bench {

namespace {

const std::vector<std::string> kScenarios = {"fenns1", "fenns2", "fenns3", "bucket", "thrust", "dense", "clustered"};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& info : neighbor_methods()) names.emplace_back(info.name);
  return names;
}

template <class Enum>
std::vector<std::string> all_words() {
  std::vector<std::string> words;
  for (const auto& row : words_of(Enum{})) words.emplace_back(row.word);
  return words;
}

/// Each value once, in the order given. The words have been checked.
template <class Enum>
std::vector<Enum> values_of(const std::vector<std::string>& words) {
  std::vector<Enum> values;
  for (const std::string& word : words)
    if (const Enum value = *value_of_word<Enum>(word); std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  return values;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void add_neighbor_bench_options(CLI::App& command, NeighborBenchOptions& options) {
  command
      .add_option("SCENARIO", options.words,
                  fmt::format("one or several of {}, or: scene FILE", fmt::join(kScenarios, ", ")))
      ->type_name("");
  add_device_option(command, options.device);
  command.add_option("--methods", options.method_names, "only these searches, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of("neighbour search", method_names()))
      ->type_name("A,B,...");
  command
      .add_option("--sections", options.section_words,
                  "fenns: sections of its coarse cells (27), a row for each of A, B; 2 are those of its paper")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of("number of sections", all_words<TileSections>()))
      ->type_name("A,B");
  command
      .add_option("--sums", options.sum_words,
                  "fenns: a thread gathers for its own particle (gather), or adds to those it finds, as in its paper "
                  "(scatter); a row for each of A, B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of("way of summing", all_words<TileSums>()))
      ->type_name("A,B");
  command.add_option("--max-particles", options.max_particles, "leave larger rows out, and say so")
      ->check(whole_number_from(1, 1000000000000))
      ->type_name("N");
  command
      .add_option("--positions", options.positions,
                  "double: with thrust also the pair list from positions in double precision, as the article has them "
                  "(single)")
      ->check(one_of("positions", {"single", "double"}))
      ->type_name("single|double");
  add_row_options(command, options);
  command
      .add_option("--from-time", options.from_time,
                  "scene FILE: simulate this long first; TIME is in seconds, with dpd in reduced units")
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  add_csv_option(command, options.csv);
  add_json_option(command, "the rows", options.json);
  command.add_option("--markdown", options.markdown, "the tables as docs/benchmarks.md and docs/papers.md have them")
      ->check(output_path())
      ->type_name("FILE");
  command.add_option("--plots", options.plots, "pictures of the tables (needs gnuplot), their scripts and data")
      ->check(output_path())
      ->type_name("DIR");
  command.add_option("--from", options.from, "show a JSON report that was saved, instead of measuring")
      ->check(output_path())
      ->type_name("FILE.json");
}

NeighborBenchOptions understood(NeighborBenchOptions options) {
  for (std::size_t k = 0; k < options.words.size(); ++k) {
    const std::string& word = options.words[k];
    if (word == "scene") {
      if (k + 1 == options.words.size()) throw InputError("scene: which one? `scene FILE`, or the name of a scene");
      if (!options.scene.empty()) throw InputError("scene FILE is given twice; one command measures one scene");
      options.scene = options.words[++k];
      options.scenarios.emplace_back("scene");
      continue;
    }
    if (!has(kScenarios, word)) {
      std::vector<std::string> names = kScenarios;
      names.emplace_back("scene");
      throw InputError(fmt::format("'{}' is no scenario;{} allowed: {}, scene FILE", word, suggestion(word, names, " "),
                                   fmt::join(kScenarios, ", ")));
    }
    if (has(options.scenarios, word)) throw InputError("'" + word + "' is given twice");
    options.scenarios.push_back(word);
  }
  if (options.from.empty() == options.scenarios.empty())
    throw InputError(options.from.empty() ? "SCENARIO is required; `riffle bench neighbors --help` has them"
                                          : "--from shows what was measured: it takes no SCENARIO");
  if (options.positions == "double" && !has(options.scenarios, "thrust"))
    throw InputError("--positions double is the article's case: it needs the scenario thrust");
  if (options.from_time > 0 && options.scene.empty()) throw InputError("--from-time needs scene FILE");
  for (const std::string& name : options.method_names.empty() ? method_names() : options.method_names) {
    const NeighborMethod method = *neighbor_method_from(name);
    if (std::find(options.methods.begin(), options.methods.end(), method) == options.methods.end())
      options.methods.push_back(method);
  }
  options.sections = values_of<TileSections>(options.section_words);
  options.sums = values_of<TileSums>(options.sum_words);
  const auto has_fenns = std::find(options.methods.begin(), options.methods.end(), NeighborMethod::Fenns);
  if (has_fenns == options.methods.end() && has(options.sum_words, std::string(word_of(TileSums::Scatter))))
    throw InputError("--sums scatter is a way of fenns, which is not among --methods " +
                     fmt::format("{}", fmt::join(options.method_names, ",")));
  return options;
}

}  // namespace riffle::bench
