#include "scenes/document/parted_numbers.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace riffle::scenes {

namespace {

bool only_digits(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool whole_number(const std::string& text) {
  return only_digits(text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text);
}

bool may_be_parted(const Node& one, const Node& next) {
  const bool plain = one.kind == Node::Kind::Scalar && next.kind == Node::Kind::Scalar && !one.quoted && !next.quoted;
  return plain && whole_number(one.text) && only_digits(next.text);
}

/// Whether a comma alone stands between them.
bool touch(const Node& one, const Node& next) {
  const auto end = static_cast<int>(one.text.size()) + one.location.column;
  return one.location.line == next.location.line && next.location.column == end + 1;
}

/// Puts together what `joins`, from the left.
PartedNumbers put_together(const std::vector<Node>& items, const std::function<bool(std::size_t)>& joins) {
  PartedNumbers found;
  for (std::size_t k = 0; k < items.size(); ++k, ++found.count) {
    if (k + 1 == items.size() || !may_be_parted(items[k], items[k + 1]) || !joins(k)) continue;
    if (found.whole.empty()) found.first = k;
    found.whole.push_back(items[k].text + "." + items[k + 1].text);
    ++k;
  }
  return found;
}

}  // namespace

PartedNumbers parted_numbers(const Node& list, std::size_t least, std::size_t most) {
  const std::vector<Node>& items = list.items;
  const auto fits = [&](const PartedNumbers& found) {
    return !found.whole.empty() && found.count >= least && found.count <= most;
  };
  bool blank = false;
  for (std::size_t k = 0; k + 1 < items.size(); ++k) blank = blank || !touch(items[k], items[k + 1]);
  PartedNumbers found = put_together(items, [&](std::size_t k) { return touch(items[k], items[k + 1]); });
  found.by_blanks = true;
  if (blank && fits(found)) return found;
  // Without blanks that tell: the only number that can be meant, or all of them.
  std::size_t candidates = 0;
  for (std::size_t k = 0; k + 1 < items.size(); ++k) candidates += may_be_parted(items[k], items[k + 1]);
  found = put_together(items, [](std::size_t) { return true; });
  if (fits(found) && (candidates == found.whole.size() || 2 * found.whole.size() == items.size())) return found;
  return {};
}

bool last_two_may_be_one(const Node& list) {
  const std::vector<Node>& items = list.items;
  return items.size() == 3 && touch(items[0], items[1]) && touch(items[1], items[2]) &&
         may_be_parted(items[1], items[2]);
}

std::string described_with_blanks(const Node& list) {
  std::string text;
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const Node& item = list.items[k];
    if (item.kind != Node::Kind::Scalar || item.quoted) return list.describe();
    text += (k == 0 ? "" : touch(list.items[k - 1], item) ? "," : ", ") + item.text;
  }
  return "the list [" + text + "]";
}

}  // namespace riffle::scenes
