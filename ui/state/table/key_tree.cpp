#include "ui/state/table/key_tree.h"

#include "core/base/seeded_hash.h"

#include <algorithm>

namespace highwater::ui {

using analysis::KeyPath;
using analysis::KeyStep;

std::size_t KeyTree::HashEdge::operator()(const Edge& edge) const noexcept {
    const auto place = std::uint64_t{edge.parent} << 8U | static_cast<std::uint64_t>(edge.step.column);
    return static_cast<std::size_t>(seededHash(edge.step.key, place));
}

KeyTree::KeyTree(const std::vector<KeyPath>& paths) {
    for (const auto& path : paths) {
        insert(path);
    }
}

std::optional<KeyTree::NodeId> KeyTree::child(NodeId node, KeyStep step) const {
    if (nodes_[node].children == 0) return std::nullopt;
    const auto found = children_.find({node, step});
    return found == children_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<KeyTree::NodeId> KeyTree::find(const KeyPath& path) const {
    std::optional<NodeId> node = kRoot;
    for (const auto& step : path) {
        if (!(node = child(*node, step))) break;
    }
    return node;
}

void KeyTree::insert(const KeyPath& path) {
    auto node = kRoot;
    for (const auto& step : path) {
        const auto next = static_cast<NodeId>(nodes_.size());
        const auto [at, isNew] = children_.try_emplace({node, step}, next);
        if (isNew) {
            ++nodes_[node].children;
            nodes_.push_back({node, step});
        }
        node = at->second;
    }
    count_ += nodes_[node].isMember ? 0 : 1;
    nodes_[node].isMember = true;
}

void KeyTree::remove(const KeyPath& path) {
    const auto node = find(path);
    if (!node || !nodes_[*node].isMember) return;
    nodes_[*node].isMember = false;
    if (--count_ == 0) clear();
}

bool KeyTree::contains(const KeyPath& path) const {
    const auto node = find(path);
    return node && nodes_[*node].isMember;
}

KeyPath KeyTree::pathOf(NodeId node) const {
    KeyPath path;
    for (; node != kRoot; node = nodes_[node].parent) {
        path.push_back(nodes_[node].step);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<KeyPath> KeyTree::paths() const {
    std::vector<KeyPath> paths;
    paths.reserve(count_);
    for (NodeId node = 0; node < nodes_.size(); ++node) {
        if (nodes_[node].isMember) paths.push_back(pathOf(node));
    }
    return paths;
}

} // namespace highwater::ui
