#include "app/desktop/platform/export_settings.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/run/particle_export.h"
#include "app/run/surface_export.h"
#include "core/error.h"

namespace riffle::desktop {

namespace {

constexpr const char* kTimes[] = {"automatic", "every moment", "as seen"};  // in the order of MovieTime
constexpr float kMostPictures = 60;                                         // [1/s], as the panel allows

[[noreturn]] void refuse(const std::string& word) {
  throw InputError("found \"" + word + "\" among the choices for exports");
}

template <std::size_t N>
std::size_t place_of(const std::string& word, const char* const (&words)[N]) {
  const auto at = std::find(std::begin(words), std::end(words), word);
  if (at == std::end(words)) refuse(word);
  return static_cast<std::size_t>(at - std::begin(words));
}

std::string word_of(ExportSize size) {
  for (const FixedSize& fixed : kFixedSizes)
    if (fixed.size == size) return fixed.word;
  return size == ExportSize::Scene ? "scene" : "window";
}

ExportSize size_of_word(const std::string& word) {
  for (const FixedSize& fixed : kFixedSizes)
    if (word == fixed.word) return fixed.size;
  if (word != "window" && word != "scene") refuse(word);
  return word == "scene" ? ExportSize::Scene : ExportSize::Window;
}

}  // namespace

nlohmann::json kept_choices(const ExportSettings& settings) {
  return {{"pictures", settings.pictures},
          {"size", word_of(settings.size)},
          {"frames_per_second", settings.frames_per_second},
          {"moments", kTimes[static_cast<std::size_t>(settings.time)]},
          {"panels", settings.panels},
          {"particles", settings.particle_ending},
          {"surface", settings.surface_ending}};
}

void take_kept_choices(const nlohmann::json& json, ExportSettings& settings) {
  ExportSettings taken = settings;
  const nlohmann::json now = kept_choices(settings);
  const auto word = [&](const char* key) { return json.value(key, now[key].get<std::string>()); };
  taken.pictures = json.value("pictures", settings.pictures);
  taken.size = size_of_word(word("size"));
  const float rate = json.value("frames_per_second", settings.frames_per_second);
  taken.frames_per_second = rate > 0 ? std::clamp(rate, 5.0f, kMostPictures) : 0;
  taken.time = static_cast<MovieTime>(place_of(word("moments"), kTimes));
  taken.panels = json.value("panels", settings.panels);
  taken.particle_ending = word("particles");
  const auto has_ending = [&](const ParticleFormatRow& row) {
    return row.usual && taken.particle_ending == row.ending;
  };
  if (std::none_of(particle_formats().begin(), particle_formats().end(), has_ending)) refuse(taken.particle_ending);
  taken.surface_ending = word("surface");
  if (std::ranges::none_of(surface_formats(),
                           [&](const SurfaceFormatRow& row) { return taken.surface_ending == row.ending; }))
    refuse(taken.surface_ending);
  settings = taken;
}

}  // namespace riffle::desktop
