#include "core/text/suggestion.h"

#include <algorithm>
#include <cctype>

namespace riffle {

int edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int best = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        best = std::min(best, cost[i - 2][j - 2] + 1);
      cost[i][j] = best;
    }
  return cost[a.size()][b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;  // a paragraph is not a misspelt name, and the table grows quadratically
  if (name.size() > kLongest) return "";
  std::string best;
  int best_distance = 0;
  for (const auto& candidate : candidates) {
    const int distance = edit_distance(name, candidate);
    if (best.empty() || distance < best_distance) best = candidate, best_distance = distance;
  }
  const int allowed = std::max<int>(1, static_cast<int>(std::max(name.size(), best.size())) / 3);
  if (!best.empty() && best_distance <= allowed) return best;
  for (const auto& candidate : candidates)  // "visc" for viscosity, "density" for rest_density
    if (name.size() >= 3 && candidate.find(name) != std::string::npos) return candidate;
  return "";
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::string_view before,
                       std::string_view after) {
  const std::string near = nearest_name(name, candidates);
  if (near.empty()) return "";
  return std::string(before).append("did you mean '").append(near).append("'?").append(after);
}

}  // namespace riffle
