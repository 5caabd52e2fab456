#include "neighbors/tree/lbvh.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/error.h"

namespace riffle {

namespace {

/// Particles per leaf. A GPU loads all particles of a leaf at once; on the CPU they are one test of eight candidates.
constexpr int kLeafOnCuda = 4, kLeafOnCpu = 8;

int leaf_size_on(const Device& device, int given) {
  if (given != 0) return given;
  return device.is_cuda() ? kLeafOnCuda : kLeafOnCpu;
}

struct FindLeafCodes {
  const std::uint32_t *low, *high, *order;
  int leaf_size;
  std::uint64_t* leaf_code;

  RIFFLE_HD void operator()(std::int64_t k) const {
    const std::uint32_t i = order[k * leaf_size];
    leaf_code[k] = std::uint64_t{high[i]} << 32 | low[i];
  }
};

RIFFLE_INLINE int leading_zeros(std::uint64_t x) {
#if RIFFLE_ON_GPU
  return __clzll(static_cast<long long>(x));
#else
  return x == 0 ? 64 : __builtin_clzll(x);
#endif
}

/// Karras' construction: inner node i begins or ends with leaf i, and finds on its own which leaves it covers and where
/// they split. Equal codes are distinguished by their leaf's number, as if it were appended to the code.
struct ConnectNodes {
  const std::uint64_t* code;  ///< (leaves)
  std::int64_t leaves;
  TreeNode* nodes;
  std::uint32_t* parent;

  /// Leading bits that two leaves have in common; -1 beyond the ends.
  RIFFLE_HD int common(std::int64_t i, std::int64_t j) const {
    if (j < 0 || j >= leaves) return -1;
    const std::uint64_t a = code[i], b = code[j];
    return a != b ? leading_zeros(a ^ b) : 64 + leading_zeros(static_cast<std::uint64_t>(i ^ j));
  }

  RIFFLE_HD std::uint32_t leaf(std::int64_t k) const { return static_cast<std::uint32_t>(leaves - 1 + k); }

  /// The node to visit after leaf `last`: the other child of the node that splits there. This child begins with the
  /// next leaf; it is an inner node if that leaf shares more bits with its successor than with `last`.
  RIFFLE_HD std::uint32_t rope(std::int64_t last) const {
    if (last == leaves - 1) return TreeView::kEnd;
    const std::int64_t next = last + 1;
    return common(next, next + 1) > common(next, last) ? static_cast<std::uint32_t>(next) : leaf(next);
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    nodes[leaf(i)].rope = rope(i);
    nodes[leaf(i)].left = TreeView::kEnd;
    if (i == 0) parent[0] = TreeView::kEnd;
    if (i == leaves - 1) return;  // one inner node less than leaves

    const int direction = common(i, i + 1) > common(i, i - 1) ? 1 : -1;
    const int outside = common(i, i - direction);
    std::int64_t reach = 2;
    while (common(i, i + reach * direction) > outside) reach *= 2;
    std::int64_t length = 0;
    for (std::int64_t step = reach / 2; step > 0; step /= 2)
      if (common(i, i + (length + step) * direction) > outside) length += step;
    const std::int64_t end = i + length * direction;

    const int inside = common(i, end);
    std::int64_t split = 0;
    for (std::int64_t step = length; step > 1;) {
      step = (step + 1) / 2;
      if (common(i, i + (split + step) * direction) > inside) split += step;
    }
    const std::int64_t last_left = i + split * direction + (direction < 0 ? -1 : 0);
    const std::int64_t first = i < end ? i : end, last = i < end ? end : i;
    const std::uint32_t left = first == last_left ? leaf(first) : static_cast<std::uint32_t>(last_left);
    const std::uint32_t right = last == last_left + 1 ? leaf(last) : static_cast<std::uint32_t>(last_left + 1);
    nodes[i].left = left;
    nodes[i].rope = rope(last);
    parent[left] = parent[right] = static_cast<std::uint32_t>(i);
  }
};

RIFFLE_INLINE float size_of(const TreeNode& node) {
  return (node.high.x - node.low.x) + (node.high.y - node.low.y) + (node.high.z - node.low.z);
}

struct PositionsInOrder {
  const Vec4* positions;
  const std::uint32_t* order;  ///< nullptr: the given order
  RIFFLE_HD Vec3 operator[](int p) const { return xyz(positions[order ? order[p] : static_cast<std::uint32_t>(p)]); }
};

/// Fits the boxes from the leaves upwards: of a node's two children, the one that finishes later continues with the
/// node. One thread per leaf.
struct FitBoxes {
  TreeView view;
  PositionsInOrder positions;
  TreeNode* nodes;
  std::uint32_t* arrivals;  ///< (inner nodes) grows by two per run: even between runs
  float* built_size;        ///< (nodes) written, or compared with if `grown` is given
  std::uint32_t* grown;     ///< (1) boxes that have more than doubled; nullptr: not counted
  float slack;

  RIFFLE_HD void operator()(std::int64_t k) const {
    const auto leaf = static_cast<std::uint32_t>(k);
    BoundingBox box;
    for (int i = view.leaf_begin(leaf); i < view.leaf_end(leaf); ++i) {
      const Vec3 x = positions[i];
      if (is_finite(x)) box = {least(box.low, x), most(box.high, x)};
    }
    std::uint32_t node = view.inner_nodes() + leaf;
    for (;;) {
      nodes[node].low = box.low;
      nodes[node].high = box.high;
      note_size(node);
      node = view.parent[node];
      if (node == TreeView::kEnd || atomic_add_acq_rel(&arrivals[node], 1) % 2 == 0) return;
      const TreeNode left = nodes[nodes[node].left], right = nodes[left.rope];
      box = {least(left.low, right.low), most(left.high, right.high)};
    }
  }

 private:
  RIFFLE_HD void note_size(std::uint32_t node) const {
    const float size = size_of(nodes[node]);  // NaN or negative for an empty box
    if (!grown)
      built_size[node] = size;
    else if (size > 2 * built_size[node] + slack || (size >= 0 && !(built_size[node] >= 0)))
      atomic_add(grown, 1);
  }
};

}  // namespace

Lbvh::Lbvh(const Device& device, int leaf_size)
    : device_(device), leaf_size_(leaf_size_on(device, leaf_size)), sorted_(device) {
  if (leaf_size < 0 || leaf_size > kMostInLeaf)
    throw InputError("tree: " + std::to_string(leaf_size) + " particles per leaf; allowed: 1 to " +
                     std::to_string(kMostInLeaf) + ", 0 for the device's own");
}

void Lbvh::build(const Vec4* positions, int count, int dimension, const BoundingBox& frame) {
  count_ = count;
  leaves_ = (count + leaf_size_ - 1) / leaf_size_;
  sorted_.sort(positions, count, dimension, frame);
  resize();
  parallel_for(device_, "leaf codes", leaves_,
               FindLeafCodes{sorted_.low_words(), sorted_.high_words(), order(), leaf_size_, leaf_code_.data()});
  parallel_for(device_, "connect nodes", leaves_,
               ConnectNodes{leaf_code_.data(), leaves_, nodes_.data(), parent_.data()});
  parallel_for(device_, "fit boxes", leaves_,
               FitBoxes{view(), PositionsInOrder{positions, order()}, nodes_.data(), arrivals_.data(),
                        built_size_.data(), nullptr, 0});
}

void Lbvh::resize() {
  leaf_code_.resize(static_cast<std::size_t>(leaves_));
  arrivals_.resize(static_cast<std::size_t>(leaves_));
  nodes_.resize(node_count());
  parent_.resize(node_count());
  built_size_.resize(node_count());
  arrivals_.fill_zero();
}

KeptBuilds Lbvh::kept() const {
  KeptBuilds kept;
  for (const std::uint64_t code : leaf_code_.to_host()) {
    kept.words.push_back(static_cast<std::uint32_t>(code));
    kept.words.push_back(static_cast<std::uint32_t>(code >> 32));
  }
  for (const float size : built_size_.to_host()) kept.words.push_back(std::bit_cast<std::uint32_t>(size));
  return kept;
}

bool Lbvh::restore(const KeptBuilds& kept, const Vec4* positions, int count, int dimension, const BoundingBox& frame) {
  const std::size_t leaves = (static_cast<std::size_t>(count) + static_cast<std::size_t>(leaf_size_) - 1) /
                             static_cast<std::size_t>(leaf_size_);
  if (leaves == 0 || kept.words.size() != 2 * leaves + 2 * leaves - 1) return false;
  std::vector<std::uint64_t> codes;
  for (std::size_t k = 0; k < leaves; ++k)
    codes.push_back(kept.words[2 * k] | std::uint64_t{kept.words[2 * k + 1]} << 32);
  if (!std::is_sorted(codes.begin(), codes.end())) return false;
  std::vector<float> sizes;
  for (std::size_t k = 2 * leaves; k < kept.words.size(); ++k) sizes.push_back(std::bit_cast<float>(kept.words[k]));
  count_ = count;
  leaves_ = static_cast<int>(leaves);
  sorted_.sort(positions, count, dimension, frame);
  resize();
  leaf_code_.assign(codes);
  built_size_.assign(sizes);
  parallel_for(device_, "connect nodes", leaves_,
               ConnectNodes{leaf_code_.data(), leaves_, nodes_.data(), parent_.data()});
  refit(positions, 0);
  return true;
}

double Lbvh::refit(const Vec4* positions, float slack) {
  if (leaves_ == 0) return 0;
  grown_.resize(1);
  grown_.fill_zero();
  parallel_for(device_, "refit boxes", leaves_,
               FitBoxes{view(), PositionsInOrder{positions, nullptr}, nodes_.data(), arrivals_.data(),
                        built_size_.data(), grown_.data(), slack});
  std::uint32_t grown = 0;
  copy_to_host(device_, &grown, grown_.data(), sizeof grown);
  return double(grown) / double(node_count());
}

double Lbvh::estimate(const Device& device, int leaf_size, std::int64_t count) {
  constexpr std::size_t per_leaf = sizeof(std::uint64_t) + sizeof(std::uint32_t);             // code, arrivals
  constexpr std::size_t per_node = sizeof(TreeNode) + sizeof(std::uint32_t) + sizeof(float);  // parent, size at build
  const double leaves = double(count) / leaf_size_on(device, leaf_size);
  return MortonOrder::estimate(device, count) + (per_leaf + 2 * per_node) * leaves;
}

}  // namespace riffle
